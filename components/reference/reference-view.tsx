import { Link } from "@/components/ui/link";
import { EmptyState } from "@/components/feedback/notice";
import { SectionTable } from "@/components/table/rows-table";
import { AnswersSparkline } from "@/components/ui/values/answers-sparkline";
import { ButtonLink } from "@/components/ui/button";
import { CopyText } from "@/components/ui/values/copy-text";
import { Glyph } from "@/components/ui/values/glyph";
import { Id } from "@/components/ui/values/id";
import { Section, TwoColumns } from "@/components/ui/section";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { plural } from "@/presentation/format/words";
import type { ReferenceView as View } from "@/presentation/views/references";
import { ReferenceChartView } from "./reference-chart";
import { ReferenceHead } from "./reference-head";
import { ReferenceSide } from "./reference-side";
import { UprightChart } from "./upright-chart";
import styles from "./reference.module.css";

/** Everything under one order reference: whether it was charged, how often, and what became of each key. */
export function ReferenceView({ view }: { readonly view: View }) {
  const { at, chart } = view;
  return (
    <>
      <ReferenceHead view={view} />
      {view.lanes.length > 0 && (
        <Section
          title="Keys to ledger"
          note="a line down is money that moved"
          space="none"
          right={
            <>
              {chart.zone}
              {chart.breakAt !== undefined && ", the axis breaks once"} · <a href="#keys">as a table</a>
            </>
          }
        >
          <ReferenceChartView view={view} />
          <UprightChart view={view} />
        </Section>
      )}
      {view.cut.map((text) => (
        <p key={text} className="hint" data-cut>
          {text}
        </p>
      ))}
      <TwoColumns side={<ReferenceSide view={view} />}>
        <div className={styles["stacked"]}>
          <Keys view={view} />
          <CustomerText view={view} />
          <SectionTable
            folded
            quiet
            space="small"
            id="events"
            title="In order of time"
            note={plural(view.events.length, "event")}
            rows={view.events}
            rowId={(event) => event.id}
            columns={{
              At: { phone: "right", cell: (event) => <Time at={event.at} now={at} form="millis" /> },
              Lane: { phone: "left", cell: (event) => event.laneName },
              What: {
                phone: "full",
                wrap: true,
                cell: ({ glyph, tone, text, href }) => (
                  <span className={styles["event"]}>
                    <StateTag name={glyph} tone={tone ?? "plain"}>
                      {href === undefined ? text : <Link href={href}>{text}</Link>}
                    </StateTag>
                  </span>
                ),
              },
            }}
          />
        </div>
      </TwoColumns>
    </>
  );
}

function Keys({ view: { lanes, at } }: { readonly view: View }) {
  // The headline counts the keys of payments: those of refunds are apart from them.
  const counts = (["payment", "refund", "void"] as const)
    .map((kind) => ({ kind, count: lanes.filter((lane) => lane.kind === kind).length }))
    .filter(({ count }) => count > 0);
  return (
    <SectionTable
      id="keys"
      space="none"
      title="Keys"
      note={counts.map(({ kind, count }) => plural(count, kind)).join(", ")}
      rows={lanes}
      rowId={(lane) => lane.id}
      columns={{
        Lane: { phone: "left", cell: (lane) => <b className="strong">{lane.name}</b> },
        Key: {
          phone: "hidden",
          cell: ({ href, detail, kind }) =>
            href === undefined ? (
              <span className={kind === "webhooks" ? "note" : undefined}>{detail}</span>
            ) : (
              <Link href={href}>
                <Id value={detail} plain />
              </Link>
            ),
        },
        Answers: {
          phone: "hidden",
          cell: ({ answers, kind }) => (kind === "webhooks" ? "" : <AnswersSparkline {...answers} />),
        },
        Outcome: {
          phone: "full",
          wrap: true,
          cell: ({ outcome }) => (
            <span className={styles["outcome"]} data-tone={outcome.tone}>
              <Glyph name={outcome.glyph} tone={outcome.tone} />
              <span>{outcome.text}</span>
            </span>
          ),
        },
        First: { align: "right", phone: "hidden", cell: ({ firstAt }) => <Time at={firstAt} now={at} form="day" /> },
        Moved: {
          align: "right",
          phone: "right",
          cell: ({ result, kind }) =>
            kind === "webhooks" ? (
              ""
            ) : (
              <span data-tone={result.tone} className={styles["moved"]} data-strong={result.strong || undefined}>
                {result.text}
              </span>
            ),
        },
      }}
    />
  );
}

function CustomerText({ view: { customerText, whyNoText } }: { readonly view: View }) {
  if (customerText === undefined && whyNoText === undefined) return null;
  return (
    <Section
      quiet
      space="small"
      title="What to tell the customer"
      right={customerText !== undefined && <CopyText text={customerText}>Copy text</CopyText>}
    >
      {customerText === undefined ? (
        <p className="hint">{whyNoText}</p>
      ) : (
        <>
          <p className={styles["say"]}>{customerText}</p>
          <p className="note">Made of the facts on this page. It changes when they do.</p>
        </>
      )}
    </Section>
  );
}

/** No key of a payment carries the reference. */
export function NoReference({
  reference,
  customer,
}: {
  readonly reference: string;
  readonly customer?: string | undefined;
}) {
  return (
    <EmptyState
      whole
      title={
        customer === undefined
          ? "No payment key carries this reference."
          : "No payment key of this customer was found with it."
      }
      text={
        <>
          Looked in this tenant for “{reference}”
          {customer !== undefined && ` of customer ${customer}, among the first keys that carry it`}, whole and exactly
          as written. Keys are deleted after their retention; a payment that is older is found with its customer.
        </>
      }
      actions={
        <ButtonLink small href="/references">
          Search by customer, amount and day
        </ButtonLink>
      }
    />
  );
}
