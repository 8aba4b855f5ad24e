import { Link } from "@/components/ui/link";
import { FollowPage } from "@/components/shell/live-provider";
import { placeHref } from "@/components/messages/place-table";
import { ButtonLink } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { Section, TwoColumns } from "@/components/ui/section";
import { overviewSearch } from "@/presentation/filters/parsers";
import { pageParam, type PageAddress } from "@/presentation/list/page-address";
import type { OverviewView as Overview, WaitingRow } from "@/presentation/views/overview";
import { AnswerSparklines } from "./answer-sparklines";
import { InDoubt } from "./in-doubt";
import { Invariants } from "./invariants";
import { MoneyAtRisk } from "./money-at-risk";
import { RiskWindow } from "./risk-window";
import { WhatChanged } from "./what-changed";
import { RowsTable } from "@/components/table/rows-table";
import { formatCount, formatDuration } from "@/presentation/format/display-time";
import type { LoopRow } from "@/domain/checks/rows";
import { freshestLoops } from "@/presentation/metrics/heartbeat";
import styles from "./overview.module.css";

export interface OverviewViewProps {
  readonly view: Overview;
  readonly address: PageAddress;
}

export function OverviewView({ view, address }: OverviewViewProps) {
  const { range } = view.charts;
  const table = pageParam(address, "table");
  const first = firstThing(view);
  return (
    <>
      <FollowPage page={`overview${overviewSearch({ range })}`} since={view.at} refresh="always" />
      <PageHead
        large
        lede={view.notes.length === 0 ? undefined : view.notes.map((note) => <Note key={note} text={note} />)}
        aside={
          <>
            {first !== undefined && (
              <ButtonLink primary href={first.href}>
                {first.label}
              </ButtonLink>
            )}
            <ButtonLink href="/operations">See operations</ButtonLink>
          </>
        }
        verdict={view.verdict.clauses}
      />
      <MoneyAtRisk risk={view.risk} address={address} asTable={table === "risk"} />
      <RiskWindow risk={view.risk} address={address} drawn={view.risk.shown !== undefined && table !== "risk"} />
      <WhatChanged changes={view.risk.changes} />
      <InDoubt doubt={view.doubt} at={view.at} />
      <TwoColumns
        side={
          <>
            <Waiting rows={view.waiting} />
            <Invariants view={view.invariants} now={view.at} />
          </>
        }
      >
        <AnswerSparklines
          charts={view.charts}
          now={view.at}
          asTable={table !== undefined && table !== "risk"}
          address={address}
          outbox={view.waiting.find((row) => row.name === "outbox")?.tone}
        />
      </TwoColumns>
      <Loops rows={view.loops} />
    </>
  );
}

/** Where the worst of the sentence is dealt with; doubt comes before what is stuck. */
function firstThing({ doubt, late, waiting }: Overview): { readonly href: string; readonly label: string } | undefined {
  const row = (name: Overview["waiting"][number]["name"]) => waiting.find((each) => each.name === name);
  if (doubt.count + (row("stale")?.open ?? 0) > 0) return { href: "/attention", label: "Open the queue" };
  if ((row("dead_letters")?.open ?? 0) > 0) return { href: "/dead-letters", label: "See dead letters" };
  const [place, ...more] = late;
  if (place !== undefined && more.length === 0)
    return { href: placeHref(place.side, place.place), label: `See ${place.label}` };
  if (row("outbox")?.tone === "broken") return { href: "/outbox?state=pending", label: "See the outbox" };
  return undefined;
}

/** What stands before a colon is the claim, what follows is its proof. */
function Note({ text }: { readonly text: string }) {
  const at = text.indexOf(": ");
  if (at === -1) return <>{text} </>;
  return (
    <>
      <b>{text.slice(0, at + 1)}</b>
      {text.slice(at + 1)}{" "}
    </>
  );
}

export function Waiting({ rows }: { readonly rows: readonly WaitingRow[] }) {
  return (
    <Section title="Waiting">
      <div className={styles["waiting"]}>
        <RowsTable
          label="Queues"
          rows={rows}
          rowId={(row) => row.name}
          columns={{
            Queue: {
              phone: "left",
              cell: (row) => (
                <Link className="ink" href={row.href}>
                  {row.label}
                </Link>
              ),
            },
            Open: { align: "right", phone: "right", cell: (row) => `${formatCount(row.open)}${row.more ? "+" : ""}` },
            Oldest: { align: "right", phone: "right", cell: (row) => <Oldest row={row} /> },
            Usual: rows.some(({ usualMs }) => usualMs !== undefined) && {
              align: "right",
              phone: "hidden",
              cell: (row) => <Usual row={row} />,
            },
          }}
        />
      </div>
    </Section>
  );
}

/** At this time of day on earlier days. */
function Usual({ row }: { readonly row: WaitingRow }) {
  if (row.usualMs === undefined) return <span className="quiet" />;
  return <span className="quiet">{row.usualMs < 1_000 ? "none" : formatDuration(row.usualMs)}</span>;
}

function Oldest({ row }: { readonly row: WaitingRow }) {
  if (row.oldestMs === undefined) return <span className="quiet">none</span>;
  return (
    <span className="toned" data-tone={row.tone}>
      {formatDuration(row.oldestMs)}
      {row.more && "+"}
    </span>
  );
}

export function Loops({ rows }: { readonly rows: readonly LoopRow[] }) {
  const loops = freshestLoops(rows);
  const stopped = loops.filter((row) => row.state !== "beating").length;
  return (
    <section className={styles["loops"]} aria-labelledby="loops">
      <h2 id="loops">Loops</h2>
      {loops.map((row) => (
        <span
          key={row.loop}
          data-state={row.state}
          title={`${row.instance}${row.error === undefined ? "" : `, last error ${row.error}`}`}
        >
          {row.loop.replaceAll("_", " ")}{" "}
          <i>
            {row.state === "beating" ? "" : `${row.state}, `}
            {formatDuration(row.ageMs)} ago
          </i>
        </span>
      ))}
      <span className={styles["all"]}>
        {loops.length === 0
          ? "no worker has started yet"
          : stopped === 0
            ? "all beating"
            : `${String(stopped)} not beating`}
      </span>
    </section>
  );
}
