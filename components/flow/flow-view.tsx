import { Link } from "@/components/ui/link";
import { DoneKeeper, DoneLine } from "@/components/feedback/done-line";
import { EmptyState } from "@/components/feedback/notice";
import { PageHead } from "@/components/ui/page-head";
import { ButtonLink } from "@/components/ui/button";
import { Section, TwoColumns } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { formatCount } from "@/presentation/format/display-time";
import { leftOutWords } from "@/presentation/flow/flow-claims";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import { FLOW_WINDOWS, type FlowDetail, type FlowView as View, type FlowWindow } from "@/presentation/views/flow";
import { FlowChart } from "./flow-chart";
import { FlowSide, type FlowSideProps } from "./flow-side";
import { FlowTables, tableHrefOf } from "./flow-table";
import styles from "./flow.module.css";

export interface FlowViewProps {
  readonly flow: View;
  /** Of the node that the address names; undefined: none, or there is no such node. */
  readonly detail: FlowDetail | undefined;
  readonly address: PageAddress;
  readonly whyNot: FlowSideProps["whyNot"];
  /** The tables have every row, as the address asks. */
  readonly all?: boolean | undefined;
}

const WINDOW_WORDS: Readonly<Record<FlowWindow, string>> = { now: "now", "1h": "1 h", "24h": "24 h" };
const LONGEST: FlowWindow = "24h";

function windowHref(address: PageAddress, window: FlowWindow): string {
  return hrefWith(address, { window: window === "now" ? undefined : window, dialog: undefined });
}

/** What moves from operations to the ledger, where it stands still, and what may be done about it. */
export function FlowView({ flow, detail, address, whyNot, all = false }: FlowViewProps) {
  const { verdict, lede, nodes, at } = flow;
  const tableHref = tableHrefOf({ flow, address, all });
  const selected = detail && nodes.find(({ id }) => id === detail.id);
  const head = (
    <PageHead
      crumb={<Link href="/outbox">Outbox</Link>}
      verdict={verdict.clauses}
      lede={lede.map(({ text }) => text).join(" ")}
      large
    />
  );
  if (nodes.length === 0)
    return (
      <>
        {head}
        <EmptyState
          title="Nothing flows now."
          text={
            <>
              Operations, topics and consumers are here while messages wait, and once one moves. Checked{" "}
              <Time at={at} now={at} form="ago" />.
            </>
          }
          actions={
            flow.window === LONGEST ? undefined : (
              <ButtonLink href={windowHref(address, LONGEST)}>Show {WINDOW_WORDS[LONGEST]}</ButtonLink>
            )
          }
        />
        <LeftOut flow={flow} />
      </>
    );
  return (
    <DoneKeeper>
      {head}
      <DoneLine />
      <div className={styles["drawn"]}>
        <TwoColumns side={<FlowSide {...{ flow, selected, detail, address, whyNot, tableHref }} />}>
          <Section
            title="Flow"
            note={flow.window === "now" ? "messages in the newest whole minute" : "messages a minute"}
            right={<Windows flow={flow} address={address} />}
          >
            <FlowChart flow={flow} selected={selected?.id} address={address} tableHref={tableHref} />
            <LeftOut flow={flow} />
            <Notes flow={flow} />
          </Section>
        </TwoColumns>
      </div>
      <FlowTables flow={flow} address={address} all={all} />
    </DoneKeeper>
  );
}

function Windows({ flow, address }: Pick<FlowViewProps, "flow" | "address">) {
  const { at, rolledUpMs } = flow;
  return (
    <span className={styles["windows"]}>
      <span role="group" aria-label="Window">
        {FLOW_WINDOWS.map((window) => (
          <Link
            key={window}
            href={windowHref(address, window)}
            scroll={false}
            data-plain
            aria-current={window === flow.window ? "true" : undefined}
          >
            {WINDOW_WORDS[window]}
          </Link>
        ))}
      </span>
      <span className="off-phone">
        {rolledUpMs !== undefined && (
          <>
            rolled up <Time at={new Date(Date.parse(at) - rolledUpMs).toISOString()} now={at} form="ago" /> ·{" "}
          </>
        )}
        <a href="#table">as a table</a>
      </span>
    </span>
  );
}

/** Operations that are not in the drawing, with the list of exactly these where there is one. */
function LeftOut({ flow }: Pick<FlowViewProps, "flow">) {
  const words = leftOutWords(flow);
  if (words === undefined) return null;
  const { href } = flow.undrawn;
  return (
    <p className={styles["leftOut"]}>
      {words} {href !== undefined && <Link href={href}>Open the list</Link>}
    </p>
  );
}

/** What the drawing does not say by itself. */
function Notes({ flow: { minutes, sampled, more, nodes } }: Pick<FlowViewProps, "flow">) {
  const leaves = nodes.some(({ kind }) => kind === "endpoint");
  return (
    <p className={styles["notes"]}>
      A topic’s number is what it sends: each of its readers gets a copy.
      {leaves && " Mail and webhooks get theirs from a consumer, in a message of its own."}
      {minutes.measured > 0 && minutes.measured < minutes.of && (
        <>
          {" "}
          Rates are over the {formatCount(minutes.measured)} of {formatCount(minutes.of)} minutes that were measured.
        </>
      )}
      {sampled &&
        " A number with ~ is an estimate: what a place did is counted, and split over its ways as the newest messages were."}
      {more && " There are more topics or consumers than the 200 that are looked at."}
    </p>
  );
}
