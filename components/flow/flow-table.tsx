import { Link } from "@/components/ui/link";
import { SectionTable, type RowColumn } from "@/components/table/rows-table";
import { Glyph } from "@/components/ui/values/glyph";
import { formatCount } from "@/presentation/format/display-time";
import { fitLabel } from "@/presentation/format/cut-middle";
import { nodeHref } from "@/presentation/flow/flow-actions";
import { flowEnds, foldedText, isLate, lateFirst } from "@/presentation/flow/flow-state";
import { formatRate, formatWait, sumOfRates } from "@/presentation/flow/rate";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import type { FlowNode, FlowView, FlowWindow } from "@/presentation/views/flow";
import styles from "./flow.module.css";
import { isAtLeast, isUncounted, waitingCount } from "@/presentation/format/waiting-count";

/** The widest bar beside a rate. */
const BAR = 60;
/** Names of what feeds a place; the rest is counted. */
const FEEDS = 3;
/** Characters of a name of a row, and of what feeds it. */
const NAME = 44;
const FEED = 28;
/** With what the rate of a window is compared. */
export const USUAL_WORDS: Readonly<Record<FlowWindow, string>> = { now: "Usual", "1h": "Usual", "24h": "Day before" };

/** Rows of a table that stay while the others are folded: those that a person looks at first. */
const ROWS = 20;

export interface FlowTablesProps {
  readonly flow: FlowView;
  readonly address: PageAddress;
  /** Every row, as the address asks. */
  readonly all: boolean;
}

const allHref = (address: PageAddress): string => `${hrefWith(address, { rows: "all", dialog: undefined })}#table`;

/** Where every place is a row. */
export function tableHrefOf({ flow: { nodes }, address, all }: FlowTablesProps): string {
  const topics = nodes.filter(({ kind }) => kind === "topic").length;
  return all || Math.max(flowEnds(nodes).length, topics) <= ROWS ? "#table" : allHref(address);
}

function shownOf(rows: readonly FlowNode[], all: boolean): readonly FlowNode[] {
  return all ? rows : rows.slice(0, ROWS);
}

interface FoldedProps extends Pick<FlowTablesProps, "all"> {
  readonly rows: readonly FlowNode[];
  readonly href: string;
}

/** What the rows that are not shown are: by state, so that nothing late, paused or dead is only a number. */
function Folded({ rows, href, all }: FoldedProps) {
  const folded = rows.slice(ROWS);
  if (all || folded.length === 0) return null;
  return (
    <p className={styles["leftOut"]}>
      {formatCount(folded.length)} more: {foldedText(folded)}.{" "}
      <Link href={href} scroll={false}>
        Show all {formatCount(rows.length)}
      </Link>
    </p>
  );
}

/** The same as the drawing, late first: consumers and endpoints, where messages end, and the topics before them. */
export function FlowTables({ flow, address, all }: FlowTablesProps) {
  const ends = lateFirst(flowEnds(flow.nodes));
  const topics = lateFirst(flow.nodes.filter(({ kind }) => kind === "topic"));
  return (
    <>
      <SectionTable
        id="table"
        title="As a table"
        note="consumers and endpoints, late first"
        label="Consumers and endpoints"
        columns={columns(flow, ends, "Consumer or endpoint", "From topics")}
        rows={shownOf(ends, all)}
      >
        <Folded rows={ends} href={allHref(address)} all={all} />
      </SectionTable>
      <SectionTable
        title="Topics"
        note="late first"
        columns={columns(flow, topics, "Topic", "From operations")}
        rows={shownOf(topics, all)}
      >
        <Folded rows={topics} href={allHref(address)} all={all} />
      </SectionTable>
    </>
  );
}

function columns(
  flow: FlowView,
  rows: readonly FlowNode[],
  name: string,
  from: string,
): Readonly<Record<string, RowColumn<FlowNode> | false>> {
  const most = Math.max(0, ...rows.map(({ rate }) => rate ?? 0));
  const sum = sumOfRates(rows.map(({ rate }) => rate));
  const usual = sumOfRates(rows.map((row) => row.usual));
  const oldest = rows.flatMap(({ oldestMs }) => (oldestMs === undefined ? [] : [oldestMs]));
  return {
    [name]: {
      phone: "left",
      sum: "All",
      cell: (row) => (
        <Link href={nodeHref(row)} className="bold nowrap" title={row.label}>
          {fitLabel(row.label, NAME)}
        </Link>
      ),
    },
    [from]: rows.some((row) => feedsOf(flow, row) !== "") && {
      phone: "hidden",
      wrap: true,
      cell: (row) => <span className="soft">{feedsOf(flow, row)}</span>,
    },
    "A minute": {
      align: "right",
      phone: "right",
      sum: formatRate(sum),
      cell: (row) => (
        <span className="nowrap">
          <span
            className={styles["rate"]}
            data-kind={row.tone}
            style={{ width: most === 0 ? 0 : Math.round(((row.rate ?? 0) / most) * BAR) }}
          />
          {formatRate(row.rate)}
          <span className="phone-only quiet"> a min</span>
        </span>
      ),
    },
    [USUAL_WORDS[flow.window]]: {
      align: "right",
      phone: "hidden",
      sum: formatRate(usual),
      cell: (row) => <span className="quiet">{formatRate(row.usual)}</span>,
    },
    Waiting: {
      align: "right",
      phone: "hidden",
      sum: waitingCount({
        waiting: rows.reduce((total, { waiting }) => total + waiting, 0),
        sampled: rows.some(isAtLeast),
      }),
      cell: (row) => <span className={row.waiting === 0 ? "quiet" : undefined}>{waitingCount(row)}</span>,
    },
    Oldest: {
      align: "right",
      phone: "hidden",
      sum: oldest.length === 0 ? "none" : `${formatWait(Math.max(...oldest))}${rows.some(isAtLeast) ? "+" : ""}`,
      cell: (row) => <Oldest node={row} />,
    },
    State: { phone: "full", wrap: true, cell: (row) => <State node={row} /> },
  };
}

function feedsOf({ edges, nodes }: FlowView, { id }: FlowNode): string {
  const labels = edges
    .filter(({ to }) => to === id)
    .map(({ from }) => fitLabel(nodes.find((node) => node.id === from)?.label ?? from, FEED))
    .sort();
  const rest = labels.length - FEEDS;
  return [...labels.slice(0, FEEDS), ...(rest > 0 ? [`${formatCount(rest)} more`] : [])].join(", ");
}

function Oldest({ node }: { readonly node: FlowNode }) {
  if (node.oldestMs === undefined) return <span className="quiet">{isUncounted(node) ? "not counted" : "none"}</span>;
  return (
    <span className="toned nowrap" data-tone={isLate(node) ? "doubt" : undefined}>
      {formatWait(node.oldestMs)}
      {isAtLeast(node) && "+"}
    </span>
  );
}

/** On the phone it also says what waits: its columns are not there. */
function State({ node }: { readonly node: FlowNode }) {
  const { state, waiting, oldestMs } = node;
  return (
    <span className={styles["state"]}>
      <Glyph name={state.glyph} tone={state.tone} />
      <span>
        {state.text}
        {waiting > 0 && (
          <span className="phone-only quiet">
            , {waitingCount(node)} waiting
            {oldestMs !== undefined && `, oldest ${formatWait(oldestMs)}${isAtLeast(node) ? "+" : ""}`}
          </span>
        )}
      </span>
    </span>
  );
}
