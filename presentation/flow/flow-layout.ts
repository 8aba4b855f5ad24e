import type { FlowEdge, FlowKind, FlowNode, FlowTone, FlowView } from "../views/flow";
import { formatCount } from "../format/display-time";
import { foldedStates, lateFirst, type FoldedState } from "./flow-state";
import { isAtLeast } from "../format/waiting-count";

/** Units of the drawing are CSS pixels at its full width. */
export const FLOW_WIDTH = 752;
export const NODE_WIDTH = 6;
/** Nodes that a column shows while nothing is wrong with more of them. */
export const COLUMN_NODES = 8;
/** Nodes in trouble that a column shows, the worst; the others are one node that counts them by state. */
export const COLUMN_TROUBLED = 14;
export const MORE = "more";

const COLUMNS: readonly { readonly x: number; readonly kinds: readonly FlowKind[] }[] = [
  { x: 0, kinds: ["operation"] },
  { x: 196, kinds: ["topic", "source"] },
  { x: 404, kinds: ["consumer", "endpoint", "outside"] },
  { x: 746, kinds: ["ledger"] },
];
const WORST: readonly FlowTone[] = ["late", "paused", "plain"];
const TOP = 44;
const LABEL = 19;
const GAP = 13;
const LEAST_NODE = 4;
/** No way is thinner, however little moves on it. */
const LEAST_EDGE = 1.5;
/** What the widest column is as high as, labels not counted, and what one message a minute is at the most. */
const FULL = 250;
const MOST_PER_MESSAGE = 12;

export interface DrawnNode {
  readonly node: FlowNode;
  readonly column: number;
  readonly x: number;
  readonly y: number;
  readonly height: number;
  /** How many nodes it stands for. */
  readonly folded: number;
  /** How many of these are in which trouble; below its bar. */
  readonly states: readonly FoldedState[];
}

export interface DrawnEdge {
  readonly edge: FlowEdge;
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly width: number;
}

export interface FlowLayout {
  readonly height: number;
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
}

/**
 * Where nodes and edges are drawn. A node keeps its place: a column is in the order of its labels, whatever moves or waits.
 *
 * @param selected is never folded
 */
export function layoutFlow({ nodes, edges }: Pick<FlowView, "nodes" | "edges">, selected?: string): FlowLayout {
  const columns = COLUMNS.map(({ kinds }) =>
    foldColumn(
      nodes.filter(({ kind }) => kinds.includes(kind)),
      selected,
    ),
  );
  const place = new Map(columns.flatMap(({ shown, folded }) => [...idsOf(shown), ...idsOf(folded, shown.at(-1)?.id)]));
  const merged = mergedEdges(edges, place);
  const through = columns.map(({ shown }) => shown.map((node) => throughOf(node, merged)));
  const most = Math.max(...through.map((rates) => rates.reduce((sum, rate) => sum + rate, 0)));
  const scale = most === 0 ? 0 : Math.min(MOST_PER_MESSAGE, FULL / most);
  const drawn = columns.flatMap(({ shown, folded }, column) => {
    let y = TOP;
    return shown.map((node): DrawnNode => {
      const height = Math.max(LEAST_NODE, heightOf(node, merged, scale));
      const at = { node, column, x: COLUMNS[column]?.x ?? 0, y, height };
      y += height + GAP + LABEL;
      return node.name === MORE
        ? { ...at, folded: folded.length, states: foldedStates(folded) }
        : { ...at, folded: 0, states: [] };
    });
  });
  const bottom = Math.max(TOP, ...drawn.map(({ y, height, states }) => y + height + (states.length > 0 ? LABEL : 0)));
  return { height: Math.ceil(bottom + GAP), nodes: drawn, edges: drawnEdges(merged, drawn, scale) };
}

interface Column {
  readonly shown: readonly FlowNode[];
  /** What the last of them stands for. */
  readonly folded: readonly FlowNode[];
}

const idsOf = (nodes: readonly FlowNode[], drawn?: string) => nodes.map(({ id }) => [id, drawn ?? id] as const);

/** What is selected, in the worst trouble or does the most is shown; the rest is one node, which says what is wrong in it. */
function foldColumn(nodes: readonly FlowNode[], selected: string | undefined): Column {
  const byLabel = [...nodes].sort((a, b) => order(a) - order(b) || (a.label < b.label ? -1 : 1));
  if (nodes.length <= COLUMN_NODES) return { shown: byLabel, folded: [] };
  const worst = lateFirst(nodes.filter(({ trouble }) => trouble)).slice(0, COLUMN_TROUBLED);
  const kept = new Set([...worst, ...nodes.filter(({ id }) => id === selected)].map(({ id }) => id));
  const byWeight = [...nodes].sort((a, b) => b.weight - a.weight || (a.label < b.label ? -1 : 1));
  for (const { id } of byWeight) if (kept.size < COLUMN_NODES) kept.add(id);
  const rest = byLabel.filter(({ id }) => !kept.has(id));
  const shown = byLabel.filter(({ id }) => kept.has(id));
  const [first] = rest;
  return { shown: first === undefined ? shown : [...shown, moreNode(first, rest)], folded: rest };
}

function moreNode(first: FlowNode, rest: readonly FlowNode[]): FlowNode {
  const sum = (part: (node: FlowNode) => number): number => rest.reduce((total, node) => total + part(node), 0);
  return {
    id: `${MORE}:${first.kind}`,
    kind: first.kind,
    name: MORE,
    label: `${formatCount(rest.length)} more${rest.some(({ trouble }) => trouble) ? "" : ", no trouble"}`,
    rate: rest.some(({ rate }) => rate === undefined) ? undefined : sum(({ rate }) => rate ?? 0),
    about: rest.some(({ about }) => about) || undefined,
    waiting: sum(({ waiting }) => waiting),
    sampled: rest.some(isAtLeast),
    failing: 0,
    dead: 0,
    tone: WORST.find((tone) => rest.some((node) => node.tone === tone)) ?? "plain",
    trouble: rest.some(({ trouble }) => trouble),
    state: first.state,
    weight: 0,
  };
}

/** Consumers before endpoints, topics before other systems: what reads a topic first, then what leaves. */
function order({ kind }: FlowNode): number {
  return ["consumer", "topic", "endpoint", "source", "outside"].indexOf(kind);
}

/** Edges between what is drawn: those of folded nodes are one. */
function mergedEdges(edges: readonly FlowEdge[], place: ReadonlyMap<string, string>): readonly FlowEdge[] {
  const merged = new Map<string, FlowEdge>();
  for (const edge of edges) {
    const [from, to] = [place.get(edge.from), place.get(edge.to)];
    if (from === undefined || to === undefined) continue;
    const before = merged.get(`${from} ${to}`);
    merged.set(`${from} ${to}`, before === undefined ? { ...edge, from, to } : { ...before, ...bothOf(before, edge) });
  }
  return [...merged.values()];
}

function bothOf(a: FlowEdge, b: FlowEdge): Pick<FlowEdge, "rate" | "tone"> {
  const rate = a.rate === undefined || b.rate === undefined ? undefined : a.rate + b.rate;
  return { rate, tone: WORST.find((tone) => tone === a.tone || tone === b.tone) ?? "plain" };
}

/** A topic gives each of its readers a copy: it is as high as what comes in or what goes out, whichever is more. */
function throughOf({ id, rate = 0 }: FlowNode, edges: readonly FlowEdge[]): number {
  const sum = (end: "from" | "to"): number =>
    edges.reduce((total, edge) => (edge[end] === id ? total + (edge.rate ?? 0) : total), 0);
  return Math.max(rate, sum("from"), sum("to"));
}

function heightOf(node: FlowNode, edges: readonly FlowEdge[], scale: number): number {
  const sum = (end: "from" | "to"): number =>
    edges.reduce((total, edge) => (edge[end] === node.id ? total + widthOf(edge, scale) : total), 0);
  return Math.max((node.rate ?? 0) * scale, sum("from"), sum("to"));
}

function widthOf({ rate = 0 }: FlowEdge, scale: number): number {
  return Math.max(LEAST_EDGE, rate * scale);
}

/** Ways leave and arrive one below the other, in the order of their other ends. */
function drawnEdges(edges: readonly FlowEdge[], nodes: readonly DrawnNode[], scale: number): readonly DrawnEdge[] {
  const at = new Map(nodes.map((drawn) => [drawn.node.id, drawn]));
  const top = (id: string): number => at.get(id)?.y ?? 0;
  const starts = stacked(edges, "from", (edge) => top(edge.to), top, scale);
  const ends = stacked(edges, "to", (edge) => top(edge.from), top, scale);
  return edges.map((edge) => ({
    edge,
    from: [(at.get(edge.from)?.x ?? 0) + NODE_WIDTH, starts.get(edge) ?? 0],
    to: [at.get(edge.to)?.x ?? 0, ends.get(edge) ?? 0],
    width: widthOf(edge, scale),
  }));
}

function stacked(
  edges: readonly FlowEdge[],
  end: "from" | "to",
  other: (edge: FlowEdge) => number,
  top: (id: string) => number,
  scale: number,
): ReadonlyMap<FlowEdge, number> {
  const next = new Map<string, number>();
  const found = new Map<FlowEdge, number>();
  for (const edge of [...edges].sort((a, b) => other(a) - other(b))) {
    const y = next.get(edge[end]) ?? top(edge[end]);
    found.set(edge, y);
    next.set(edge[end], y + widthOf(edge, scale));
  }
  return found;
}

/** A way as wide as what moves on it. */
export function bandPath({ from: [x1, y1], to: [x2, y2], width }: DrawnEdge): string {
  const mid = (x1 + x2) / 2;
  const [a, b] = [y1 + width, y2 + width];
  return `M${n(x1)} ${n(y1)}C${n(mid)} ${n(y1)} ${n(mid)} ${n(y2)} ${n(x2)} ${n(y2)}L${n(x2)} ${n(b)}C${n(mid)} ${n(b)} ${n(mid)} ${n(a)} ${n(x1)} ${n(a)}Z`;
}

/** The middle of a way, for one that is dashed. */
export function linePath({ from: [x1, y1], to: [x2, y2], width }: DrawnEdge): string {
  const mid = (x1 + x2) / 2;
  const [a, b] = [y1 + width / 2, y2 + width / 2];
  return `M${n(x1)} ${n(a)}C${n(mid)} ${n(a)} ${n(mid)} ${n(b)} ${n(x2)} ${n(b)}`;
}

function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}
