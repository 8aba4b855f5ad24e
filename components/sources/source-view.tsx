import { Sparklines } from "@/components/charts/sparklines";
import { RangeLinks, RANGE_SHORT } from "@/components/charts/range-links";
import { Notice } from "@/components/feedback/notice";
import { SectionTable } from "@/components/table/rows-table";
import { DataList } from "@/components/ui/data-list";
import { Link } from "@/components/ui/link";
import { Offer } from "@/components/ui/offer";
import { Note, Stack } from "@/components/ui/row";
import { Section, TwoColumns } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { formatCount } from "@/presentation/format/display-time";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import { expiryWords, sourceRetentionVerdict, sourceVerdict } from "@/presentation/sources/source-claims";
import {
  ACT_WORDS,
  columnLabel,
  EXPIRY,
  SOURCE_PAGES,
  sourceHref,
  sourceState,
} from "@/presentation/sources/source-words";
import { SOURCE_ACTS, type SourceGauge, type SourceView as View } from "@/presentation/views/sources";
import { SourceColumns } from "./source-cells";
import { SourcePurgeDialog } from "./source-dialogs";
import { SourceFrame } from "./source-frame";
import styles from "./sources.module.css";

interface SourceProps {
  readonly view: View;
  readonly address: PageAddress;
}

const NEVER = "not counted";

/** An attachment: how many rows are in which state, what its tables store, and what may be done there. */
export function SourceView({ view, address }: SourceProps) {
  const { source, lists } = view;
  return (
    <SourceFrame
      source={source}
      address={address}
      clauses={sourceVerdict(view)}
      lede="Rows are counted by state every five minutes, from the time of attaching on. A gap in a strip is a time in which nothing was counted."
    >
      <TwoColumns
        side={
          <Stack gap={32}>
            <Facts view={view} />
            <Acts view={view} />
          </Stack>
        }
      >
        <Gauges view={view} address={address} />
        {lists.map(({ view: name, columns }) => (
          <SourceColumns key={name} columns={columns} title={`${SOURCE_PAGES[name].label}: what is shown`} />
        ))}
        {view.notes.length > 0 && (
          <Section title="What to know of these tables">
            <ul className="stack">
              {view.notes.map((note) => (
                <li key={note}>{note.replaceAll("`", "")}</li>
              ))}
            </ul>
          </Section>
        )}
      </TwoColumns>
    </SourceFrame>
  );
}

function Gauges({ view, address }: SourceProps) {
  const { range, buckets, gauges, notCounted } = view;
  const [counted] = gauges
    .flatMap(({ last }) => last?.at ?? [])
    .toSorted()
    .reverse();
  return (
    <Section
      title="Rows by state"
      note={
        counted === undefined ? undefined : (
          <>
            last counted <Time at={counted} now={view.at} form="ago" />
          </>
        )
      }
      space="none"
      right={<RangeLinks current={range} href={(each) => hrefWith(address, { range: each })} />}
    >
      {notCounted.map(({ view: name, because }) => (
        <Notice key={name} tone="doubt" title={`${SOURCE_PAGES[name].label}: not counted`} text={because} />
      ))}
      {view.cutOffs.map(({ view: name, at, says }) => (
        <Notice
          key={`${name} ${says}`}
          tone="doubt"
          title={`${SOURCE_PAGES[name].label}: a read was cut off`}
          text={
            <>
              Last <Time at={at} now={view.at} form="ago" />: {says}, and it did not end by then.
            </>
          }
        />
      ))}
      {view.lists.map(({ view: name }) => {
        const own = gauges.filter((gauge) => gauge.view === name);
        const sampled = own.filter(({ last }) => last !== undefined);
        if (sampled.length === 0 && notCounted.some((each) => each.view === name)) return null;
        return (
          <div key={name} className={styles["strips"]}>
            <h3>
              <Link href={sourceHref(view.source.name, SOURCE_PAGES[name].path)}>{SOURCE_PAGES[name].label}</Link>
            </h3>
            {sampled.length === 0 ? (
              <Note>Nothing was counted yet.</Note>
            ) : (
              <Sparklines
                label={`${SOURCE_PAGES[name].label}, rows by state, last ${RANGE_SHORT[range]}`}
                times={buckets}
                nowLabel="last"
                totalLabel="most"
                series={sampled.map((gauge) => strip(view, gauge))}
              />
            )}
          </div>
        );
      })}
    </Section>
  );
}

function strip({ source }: View, { view, state, values, last, most }: SourceGauge) {
  const { glyph, word, tone } = sourceState(view, state);
  const wrong = state === "dead" ? ("broken" as const) : tone === "doubt" ? ("doubt" as const) : undefined;
  return {
    id: `${view}:${state}`,
    label: word,
    glyph,
    href: sourceHref(source.name, SOURCE_PAGES[view].path),
    draw: "line" as const,
    color: state === "dead" ? ("broken" as const) : ("ink" as const),
    values,
    now: last === undefined ? NEVER : `${formatCount(last.value)}${last.atLeast ? "+" : ""}`,
    total: most === null ? NEVER : formatCount(most),
    nowTone: (last?.value ?? 0) > 0 ? wrong : undefined,
  };
}

function Facts({ view: { source, attachedAt, attachedBy, constants, at } }: { readonly view: View }) {
  return (
    <Section title="Attached" space="none">
      <DataList
        narrow
        items={[
          { name: "Database", value: <span className={styles["text"]}>{source.shown}</span> },
          { name: "Tables of", value: source.title },
          { name: "Read through", value: `schema ${source.installedAs}` },
          {
            name: "Since",
            value: (
              <>
                <Time at={attachedAt} now={at} form="day" />, by {attachedBy}
              </>
            ),
          },
          ...Object.entries(constants).map(([name, value]) => ({
            name: columnLabel(name),
            value: `${value}, given when it was attached`,
          })),
        ]}
      />
    </Section>
  );
}

function Acts({ view: { source } }: { readonly view: View }) {
  return (
    <Section title="What may be done">
      <DataList
        narrow
        items={SOURCE_ACTS.map((act) => {
          const { offered, says, whyNot } = source.acts[act];
          return {
            name: ACT_WORDS[act],
            value: offered ? (
              <>
                Offered. {whyNot} <span className="quiet">{says}</span>
              </>
            ) : (
              <span className="quiet">Not offered: {says}</span>
            ),
          };
        })}
      />
    </Section>
  );
}

/** What expires when, where the tables store it, and the deletion of old rows, where it is safe. */
export function SourceRetentionView({ view, address }: SourceProps) {
  const { source, lists } = view;
  const { offered, says, whyNot } = source.acts.purge;
  return (
    <SourceFrame
      source={source}
      address={address}
      clauses={sourceRetentionVerdict(view)}
      lede="The library or its owner deletes these rows. Onceboard deletes none of them by itself."
    >
      <SectionTable
        title="When rows may be deleted"
        rows={lists}
        rowId={(list) => list.view}
        columns={{
          List: {
            cell: (list) => (
              <Link href={sourceHref(source.name, SOURCE_PAGES[list.view].path)}>{SOURCE_PAGES[list.view].label}</Link>
            ),
          },
          Column: { phone: "full", labelled: true, cell: (list) => columnLabel(EXPIRY[list.view]) },
          Shown: { cell: (list) => <span className="nowrap">{expiryWords(view, list.view).kind}</span> },
          "How, or why not": {
            phone: "full",
            wrap: true,
            cell: (list) => <span className="soft">{expiryWords(view, list.view).says}</span>,
          },
        }}
      />
      <Section title="Purge">
        {offered ? (
          <Stack>
            <p className="soft">{says}</p>
            <div>
              <Offer dialog="purge" notOffered={whyNot}>
                Purge finished rows
              </Offer>
            </div>
            {whyNot !== undefined && <Note>{whyNot}</Note>}
          </Stack>
        ) : (
          <Note>Purge is not offered: {says}</Note>
        )}
      </Section>
      <SourcePurgeDialog source={source} />
    </SourceFrame>
  );
}
