import { holding, type PageClaim } from "@/domain/page-claim";
import { outageText } from "@/domain/messages/outage";
import { isAtLeast, isUncounted, waitingCount } from "../format/waiting-count";
import { formatAge, formatCount } from "../format/display-time";
import type { GlyphName, Tone } from "../format/glyph";
import { LATE_MS } from "../metrics/overview-verdict";
import type { GlyphText } from "../views/common";
import type { FlowNode, FlowTone } from "../views/flow";

/** What is known of a node before anything is said of it. */
export type FlowFacts = Omit<FlowNode, "tone" | "trouble" | "state"> & {
  /** Database time of the read. */
  readonly at: string;
};

interface StateClaim extends PageClaim<FlowFacts> {
  readonly glyph: GlyphName;
  readonly tone: Tone;
}

export function isResting({ paused, disabledAt }: Pick<FlowNode, "paused" | "disabledAt">): boolean {
  return paused !== undefined || disabledAt !== undefined;
}

/** Its oldest message waits longer than the alert of the overview, and nobody wants it to. */
export function isLate(node: Pick<FlowNode, "paused" | "disabledAt" | "oldestMs">): boolean {
  return !isResting(node) && (node.oldestMs ?? 0) > LATE_MS;
}

const since = ({ at }: FlowFacts, then: string): string => formatAge(Math.max(0, Date.parse(at) - Date.parse(then)));
const SECOND = 1_000;

/** "next try in 38 s". */
function nextTry({ at }: FlowFacts, next: string | undefined): string {
  const ms = next === undefined ? 0 : Date.parse(next) - Date.parse(at);
  return ms > 0 ? `next try in ${formatAge(Math.ceil(ms / SECOND) * SECOND)}` : "tried again now";
}

/** Messages that were tried in vain are tried again by themselves. */
export function isRetried(node: Pick<FlowNode, "failing" | "outage" | "down" | "paused" | "disabledAt">): boolean {
  return node.failing > 0 && node.outage === undefined && node.down === undefined && !isResting(node);
}

function fails({ failing }: FlowFacts): string {
  return `${waitingCount({ waiting: failing })} ${failing === 1 ? "fails" : "fail"}`;
}

const waitWords = (count: number): string => `${formatCount(count)} ${count === 1 ? "waits" : "wait"}`;

/** What is wrong at a node or rests there; each that holds is said. */
export const TROUBLES: readonly StateClaim[] = [
  {
    name: "dead_holds",
    glyph: "dead",
    tone: "broken",
    holds: ({ dead, held }) => dead > 0 && (held?.here ?? 0) > 0,
    words: ({ dead, held }) =>
      `${formatCount(dead)} dead, ${waitWords(held?.here ?? 0)} behind ${dead === 1 ? "it" : "them"}`,
  },
  {
    name: "dead",
    glyph: "dead",
    tone: "broken",
    holds: ({ dead, held }) => dead > 0 && (held?.here ?? 0) === 0,
    words: ({ dead }) => `${formatCount(dead)} dead`,
  },
  {
    name: "held_elsewhere",
    glyph: "pending",
    tone: "doubt",
    holds: ({ held }) => held !== undefined && held.here < held.waiting,
    words: ({ held }) =>
      `${waitWords((held?.waiting ?? 0) - (held?.here ?? 0))} behind a dead message of another topic`,
  },
  {
    name: "paused",
    glyph: "skipped",
    tone: "plain",
    holds: ({ paused }) => paused !== undefined,
    words: (node) => `paused ${since(node, node.paused?.at ?? node.at)} ago by ${node.paused?.by ?? ""}`,
  },
  {
    name: "disabled",
    glyph: "skipped",
    tone: "plain",
    holds: ({ disabledAt }) => disabledAt !== undefined,
    words: (node) => `disabled ${since(node, node.disabledAt ?? node.at)} ago`,
  },
  {
    name: "down",
    glyph: "pending",
    tone: "doubt",
    holds: ({ down, disabledAt }) => down !== undefined && disabledAt === undefined,
    words: (node) => `down for ${since(node, node.down?.since ?? node.at)}, ${nextTry(node, node.down?.nextTryAt)}`,
  },
  {
    name: "outage",
    glyph: "pending",
    tone: "doubt",
    holds: ({ outage, down, disabledAt }) => outage !== undefined && down === undefined && disabledAt === undefined,
    words: ({ outage }) => `at the last try ${outageText(outage ?? "")}`,
  },
  {
    name: "failing",
    glyph: "pending",
    tone: "doubt",
    // What rests is not tried, and what is held is not tried before the dead one is settled.
    holds: (node) => isRetried(node) && node.held === undefined,
    words: (node) => `${fails(node)}, ${nextTry(node, node.nextFailingAt)}`,
  },
  {
    name: "failing_held",
    glyph: "pending",
    tone: "doubt",
    holds: (node) => isRetried(node) && node.held !== undefined,
    words: fails,
  },
  {
    name: "late",
    glyph: "pending",
    tone: "doubt",
    holds: isLate,
    words: (node) => `late, the oldest for ${isAtLeast(node) ? "at least " : ""}${formatAge(node.oldestMs ?? 0)}`,
  },
];

/** A rate is called usual up to half more or less, and where it differs by less than one message a minute. */
const USUAL_PART = 0.5;
const USUAL_LEAST = 1;

function beyondUsual({ rate, usual }: FlowFacts): number | undefined {
  if (rate === undefined || usual === undefined) return undefined;
  const by = rate - usual;
  return Math.abs(by) <= Math.max(USUAL_LEAST, usual * USUAL_PART) ? 0 : by;
}

/** Of a node without trouble: the first that holds. */
const QUIET: readonly StateClaim[] = [
  {
    name: "not_counted",
    glyph: "empty",
    tone: "quiet",
    holds: isUncounted,
    words: () => "what waits not counted",
  },
  {
    name: "unmeasured",
    glyph: "empty",
    tone: "quiet",
    holds: ({ rate }) => rate === undefined,
    words: () => "not measured",
  },
  {
    name: "more_than_usual",
    glyph: "published",
    tone: "quiet",
    holds: (node) => (beyondUsual(node) ?? 0) > 0,
    words: () => "more than usual",
  },
  {
    name: "less_than_usual",
    glyph: "published",
    tone: "quiet",
    holds: (node) => (beyondUsual(node) ?? 0) < 0,
    words: () => "less than usual",
  },
  {
    name: "as_usual",
    glyph: "published",
    tone: "quiet",
    holds: (node) => beyondUsual(node) === 0,
    words: () => "as usual",
  },
  { name: "on_time", glyph: "published", tone: "quiet", holds: () => true, words: () => "on time" },
];

/** What is said of a node, and how it is drawn. */
export function flowState(node: FlowFacts): Pick<FlowNode, "tone" | "trouble" | "state"> {
  const wrong = holding(TROUBLES, node);
  const said = wrong.length > 0 ? wrong : holding(QUIET, node).slice(0, 1);
  const [first] = said;
  if (first === undefined) throw new Error("the last claim of a quiet node holds always");
  const state: GlyphText = {
    glyph: first.glyph,
    tone: first.tone,
    text: said.map(({ words }) => words(node)).join("; "),
  };
  return { tone: toneOf(node), trouble: wrong.length > 0, state };
}

function toneOf(node: FlowFacts): FlowTone {
  if (isResting(node)) return "paused";
  return isLate(node) ? "late" : "plain";
}

export interface FoldedState {
  readonly text: string;
  readonly tone: Tone;
}

/** Of places that are drawn as one: how many of them are in each state that a person acts on; one may be in several. */
export function foldedStates(nodes: readonly FlowNode[]): readonly FoldedState[] {
  const count = (is: (node: FlowNode) => boolean, text: string, tone: Tone): readonly FoldedState[] => {
    const many = nodes.filter(is).length;
    return many === 0 ? [] : [{ text: `${formatCount(many)} ${text}`, tone }];
  };
  return [
    ...count(({ held }) => held !== undefined, "held", "broken"),
    ...count(isLate, "late", "doubt"),
    ...count((node) => !isResting(node) && (node.down ?? node.outage) !== undefined, "down", "doubt"),
    ...count(({ paused }) => paused !== undefined, "paused", "plain"),
    ...count(({ disabledAt }) => disabledAt !== undefined, "disabled", "plain"),
    ...count((node) => isRetried(node) && !isLate(node), "failing", "doubt"),
    ...count(({ dead }) => dead > 0, "with dead", "broken"),
  ];
}

/** "8 late, 36 with dead"; "no trouble" where nothing is wrong with any. */
export function foldedText(nodes: readonly FlowNode[]): string {
  const states = foldedStates(nodes);
  return states.length === 0 ? "no trouble" : states.map(({ text }) => text).join(", ");
}

/** What a person looks at first. */
export function severity(node: FlowNode): number {
  if (node.held !== undefined) return 6;
  if (isLate(node)) return 5;
  if (node.down !== undefined || node.outage !== undefined) return 4;
  if (isResting(node)) return 3;
  return node.dead > 0 ? 2 : node.failing > 0 ? 1 : 0;
}

/** Late first: what stands still, then what is late, then what rests, then the rest by what it does. */
export function lateFirst(nodes: readonly FlowNode[]): readonly FlowNode[] {
  return [...nodes].sort(
    (a, b) =>
      severity(b) - severity(a) ||
      (b.oldestMs ?? 0) - (a.oldestMs ?? 0) ||
      (b.rate ?? 0) - (a.rate ?? 0) ||
      (a.label < b.label ? -1 : 1),
  );
}

/** Where messages end, of what is counted: what the table sums up. */
export function flowEnds(nodes: readonly FlowNode[]): readonly FlowNode[] {
  return nodes.filter(({ kind }) => kind === "consumer" || kind === "endpoint");
}
