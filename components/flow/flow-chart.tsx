import { Link } from "@/components/ui/link";
import { fitLabel } from "@/presentation/format/cut-middle";
import { formatAge, formatCount } from "@/presentation/format/display-time";
import {
  bandPath,
  FLOW_WIDTH,
  layoutFlow,
  linePath,
  MORE,
  NODE_WIDTH,
  type DrawnEdge,
  type DrawnNode,
} from "@/presentation/flow/flow-layout";
import { isLate, isRetried } from "@/presentation/flow/flow-state";
import { formatQuantity, formatRate } from "@/presentation/flow/rate";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import type { FlowEdge, FlowKind, FlowNode, FlowView } from "@/presentation/views/flow";
import styles from "./flow-chart.module.css";
import { WAITING_COUNTED } from "@/domain/lists/waiting-counted";
import { isAtLeast, waitingCount } from "@/presentation/format/waiting-count";

export interface FlowChartProps {
  readonly flow: FlowView;
  readonly selected: string | undefined;
  readonly address: PageAddress;
  /** The table in which each place is a row. */
  readonly tableHref: string;
}

/** Characters of a label that fit between two columns. */
const LABELS = [24, 20, 30, 12] as const;
const TROUBLED_TOPIC = 11;
/** Of a topic with two troubles or more: they have the room of its rate too. */
const CROWDED_TOPIC = 7;
/** Characters of its troubles beside which a topic has room for its rate. */
const ROOM = 18;
const STUB = { from: 10, to: 156, text: 164 } as const;

/** Operations, topics, consumers and endpoints, ledger, with what moves between them. Drawn on the server; each node is a link. */
export function FlowChart({ flow, selected, address, tableHref }: FlowChartProps) {
  const { height, nodes, edges } = layoutFlow(flow, selected);
  const touches = ({ edge }: DrawnEdge): boolean => edge.from === selected || edge.to === selected;
  const inOrder = [...edges].sort((a, b) => Number(touches(a)) - Number(touches(b)) || rank(a.edge) - rank(b.edge));
  return (
    <figure className={styles["chart"]}>
      <svg
        viewBox={`0 0 ${String(FLOW_WIDTH)} ${String(height)}`}
        role="group"
        aria-label="Flow of messages"
        aria-description="From operations to topics, to consumers and endpoints, to the ledger. The tables below have topics, consumers and endpoints, late first."
      >
        <Heads flow={flow} />
        <g aria-hidden>
          {inOrder.map((drawn) => (
            <Edge key={`${drawn.edge.from} ${drawn.edge.to}`} drawn={drawn} near={touches(drawn)} />
          ))}
        </g>
        {nodes.map((drawn) => (
          <Node key={drawn.node.id} {...{ drawn, flow, selected, address, tableHref }} />
        ))}
      </svg>
      <figcaption className={styles["key"]}>
        <span data-kind="plain">on time</span>
        <span data-kind="late">late</span>
        <span data-kind="paused">paused</span>
        {flow.nodes.some(({ dead }) => dead > 0) && <b className="broken">dead messages</b>}
      </figcaption>
    </figure>
  );
}

function rank({ tone }: FlowEdge): number {
  return ["plain", "paused", "late"].indexOf(tone);
}

function Heads({ flow }: { readonly flow: FlowView }) {
  const has = (kind: FlowKind): boolean => flow.nodes.some((node) => node.kind === kind);
  return (
    <g className={styles["heads"]} aria-hidden>
      <text x={0} y={14}>
        Operations
      </text>
      <text x={196} y={14}>
        {has("source") ? "Topics and sources" : "Topics"}
      </text>
      <text x={404} y={14}>
        Consumers and endpoints
      </text>
      {has("ledger") && (
        <text x={FLOW_WIDTH} y={14} textAnchor="end">
          Ledger
        </text>
      )}
    </g>
  );
}

function Edge({ drawn, near }: { readonly drawn: DrawnEdge; readonly near: boolean }) {
  const { tone } = drawn.edge;
  const look = { className: styles["edge"], "data-kind": tone, "data-near": near || undefined };
  return tone === "paused" ? <path {...look} d={linePath(drawn)} /> : <path {...look} d={bandPath(drawn)} />;
}

interface NodeProps extends FlowChartProps {
  readonly drawn: DrawnNode;
}

function Node({ drawn, flow, selected, address, tableHref }: NodeProps) {
  const { node, x, y, height, folded } = drawn;
  const isSelected = node.id === selected;
  return (
    <Link
      href={folded > 0 ? tableHref : hrefWith(address, { node: node.id, dialog: undefined })}
      scroll={folded > 0}
      data-plain
      className={styles["node"]}
      data-kind={node.tone}
      aria-current={isSelected ? "true" : undefined}
      aria-label={spokenNode(drawn)}
    >
      <title>{node.label}</title>
      {isSelected && (
        <rect className={styles["frame"]} x={x - 4} y={y - 4} width={NODE_WIDTH + 8} height={height + 8} />
      )}
      <rect
        className={styles["hit"]}
        x={node.kind === "ledger" ? x - 90 : x}
        y={y - 21}
        width={node.kind === "ledger" ? 96 : 150}
        height={height + 24}
      />
      <rect className={styles["bar"]} x={x} y={y} width={NODE_WIDTH} height={height} />
      <Label drawn={drawn} flow={flow} strong={isSelected} />
      {drawn.states.length > 0 && (
        <text className={styles["states"]} x={x} y={y + height + 15}>
          {drawn.states.map(({ text, tone }, index) => (
            <tspan key={text} className={styles["words"]} data-tone={tone} dx={index === 0 ? 0 : 8}>
              {text}
            </tspan>
          ))}
        </text>
      )}
      {node.leaves !== undefined && folded === 0 && (
        <g className={styles["stub"]}>
          <path d={`M${String(x + STUB.from)} ${String(y + height / 2)}H${String(x + STUB.to)}`} />
          <text x={x + STUB.text} y={y + height / 2 + 4}>
            {node.leaves}
          </text>
        </g>
      )}
    </Link>
  );
}

interface LabelProps {
  readonly drawn: DrawnNode;
  readonly flow: FlowView;
  readonly strong: boolean;
}

function Label({ drawn: { node, x, y, column }, flow, strong }: LabelProps) {
  const words = node.name === MORE ? [] : troubleWords(node, flow.at);
  const crowded = column === 1 && words.reduce((sum, { text }) => sum + text.length, 0) > ROOM;
  // Beside a topic its consumers begin: what is wrong there has the room of its name.
  const topic = crowded ? CROWDED_TOPIC : TROUBLED_TOPIC;
  const most = column === 1 && words.length > 0 ? topic : (LABELS[column] ?? LABELS[0]);
  if (node.kind === "ledger")
    return (
      <text className={styles["label"]} x={FLOW_WIDTH} y={y - 7} textAnchor="end">
        <tspan className={styles["strong"]}>{formatQuantity(node)}</tspan> entries
      </text>
    );
  return (
    <text className={styles["label"]} x={x} y={y - 7}>
      <tspan className={strong ? styles["strong"] : undefined}>{fitLabel(shortLabel(node), most)}</tspan>
      {!crowded && (
        <tspan className={styles["rate"]} dx={6}>
          {formatQuantity(node)}
        </tspan>
      )}
      {words.map(({ text, tone }) => (
        <tspan key={text} className={styles["words"]} data-tone={tone} dx={8}>
          {text}
        </tspan>
      ))}
    </text>
  );
}

/** An endpoint by its address: how it leaves is said behind it. */
function shortLabel({ label, kind }: FlowNode): string {
  return kind === "endpoint" ? label.replace(/^webhook to /, "") : label;
}

/** A large count beside a mark: "~12 k", "~1.2 M"; "10 k" where counting stops. The table and what is spoken have it whole. */
function shortCount(count: number): string {
  if (count < WAITING_COUNTED) return formatCount(count);
  if (count === WAITING_COUNTED) return "10 k";
  return count < 1_000_000
    ? `~${formatCount(Math.round(count / 1_000))} k`
    : `~${String(Math.round(count / 100_000) / 10)} M`;
}

/** In a word or two what is wrong: "196 wait", "paused 38 s", "1 dead". */
function troubleWords(
  node: FlowNode,
  at: string,
): readonly { readonly text: string; readonly tone: "doubt" | "broken" | "plain" }[] {
  const { waiting, failing, dead, paused, disabledAt, down, outage, held } = node;
  const rests = paused !== undefined || disabledAt !== undefined;
  return [
    ...(paused === undefined
      ? []
      : [{ text: `paused ${formatAge(Date.parse(at) - Date.parse(paused.at))}`, tone: "plain" as const }]),
    ...(disabledAt === undefined ? [] : [{ text: "disabled", tone: "plain" as const }]),
    ...(rests || (down ?? outage) === undefined
      ? []
      : [{ text: down === undefined ? "no delivery" : "down", tone: "doubt" as const }]),
    ...(waiting > 0 && (isLate(node) || held !== undefined || rests)
      ? [
          {
            text: `${shortCount(waiting)}${isAtLeast(node) ? "+" : ""} ${waiting === 1 ? "waits" : "wait"}`,
            tone: rests ? ("plain" as const) : ("doubt" as const),
          },
        ]
      : []),
    ...(isRetried(node) && !isLate(node)
      ? [
          {
            text: `${shortCount(failing)}${isAtLeast({ waiting: failing }) ? "+" : ""} ${failing === 1 ? "fails" : "fail"}`,
            tone: "doubt" as const,
          },
        ]
      : []),
    ...(dead > 0 ? [{ text: `${shortCount(dead)} dead`, tone: "broken" as const }] : []),
  ];
}

export const FLOW_KIND_WORDS: Readonly<Record<FlowKind, string>> = {
  operation: "operation",
  topic: "topic",
  source: "source",
  consumer: "consumer",
  endpoint: "endpoint",
  outside: "destination",
  ledger: "ledger",
};

function spokenNode({ node, folded, states }: DrawnNode): string {
  const { kind, label, rate, usual, about, waiting, state } = node;
  if (node.name === MORE)
    return states.length === 0
      ? `${formatCount(folded)} more without trouble: in the table`
      : `${formatCount(folded)} more, ${states.map(({ text }) => text).join(", ")}: in the table`;
  const said = [
    rate === undefined
      ? "rate not measured"
      : `${about ? "about " : ""}${formatRate(rate)} ${kind === "ledger" ? "entries" : "messages"} a minute`,
    ...(usual === undefined ? [] : [`usually ${formatRate(usual)}`]),
    ...(waiting === 0 ? [] : [`${waitingCount(node)} waiting`]),
    state.text,
  ];
  const name =
    kind === "ledger" ? "Ledger" : `${FLOW_KIND_WORDS[kind].replace(/^./, (first) => first.toUpperCase())} ${label}`;
  return `${name}: ${said.join(", ")}`;
}
