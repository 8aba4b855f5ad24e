import { atStart } from "@/domain/messages/topic-label";
import { claimWords, firstClaim, firstWords, holding, type PageClaim } from "@/domain/page-claim";
import { fitLabel } from "../format/cut-middle";
import { formatCount } from "../format/display-time";
import { plural, spokenDuration } from "../format/words";
import type { VerdictClause } from "../views/common";
import type { FlowNode, FlowView, FlowWindow } from "../views/flow";
import { flowEnds, isLate, lateFirst } from "./flow-state";
import { formatRate, sumOfRates } from "./rate";
import { isAtLeast, isUncounted, waitingAge, waitingWords } from "../format/waiting-count";

/** What the sentences of the flow rest on. */
export interface FlowClaimFacts extends Pick<FlowView, "window" | "minutes" | "nodes"> {
  /** Any message was written to the outbox in the window, whatever became of it. */
  readonly written: boolean;
}

interface FlowClaim extends PageClaim<FlowClaimFacts> {
  readonly tone?: VerdictClause["tone"] | undefined;
}

const WHEN: Readonly<Record<FlowWindow, string>> = {
  now: "this minute",
  "1h": "this hour",
  "24h": "the last 24 hours",
};
const ARRIVED: Readonly<Record<FlowWindow, string>> = {
  now: "arrive",
  "1h": "arrived in the last hour",
  "24h": "arrived in the last 24 hours",
};
/** Places that are named in one sentence. */
const NAMED = 3;
/** Characters of a name in a sentence. */
const NAME = 48;

function arriving({ nodes }: FlowClaimFacts): number {
  return sumOfRates(flowEnds(nodes).map(({ rate }) => rate)) ?? 0;
}

/** What a person looks at first: something stands still or is late. */
function worst({ nodes }: FlowClaimFacts): FlowNode | undefined {
  return lateFirst(nodes).find((node) => node.held !== undefined || isLate(node));
}

/** What stands still or is late beside the worst. */
function alsoLate(facts: FlowClaimFacts): readonly FlowNode[] {
  const first = worst(facts);
  return lateFirst(facts.nodes).filter((node) => node !== first && (node.held !== undefined || isLate(node)));
}

const someUncounted = ({ nodes }: FlowClaimFacts): boolean => nodes.some(isUncounted);

/** Each by its name while they are few. */
function listed(nodes: readonly FlowNode[]): string {
  const named = nodes.slice(0, NAMED).map(({ label, state }) => `${fitLabel(label, NAME)} (${state.text})`);
  const rest = nodes.length - named.length;
  return (rest > 0 ? [...named, `${formatCount(rest)} more`] : named).join(", ");
}

/** What needs a look besides: paused, disabled, down, dead or failing. */
function others(facts: FlowClaimFacts): readonly FlowNode[] {
  const first = worst(facts);
  return lateFirst(facts.nodes).filter(
    (node) => node.trouble && node !== first && node.held === undefined && !isLate(node),
  );
}

/** How many messages arrive: the first that holds. */
export const ARRIVALS: readonly FlowClaim[] = [
  {
    name: "not_measured",
    holds: ({ minutes }) => minutes.measured === 0,
    words: ({ window }) =>
      window === "now" ? "No minute was measured lately." : `Nothing was measured in ${WHEN[window]}.`,
    tone: "doubt",
  },
  {
    name: "arrive",
    holds: (facts) => arriving(facts) > 0,
    words: (facts) => {
      const rate = arriving(facts);
      return `${formatRate(rate)} ${rate === 1 ? "message" : "messages"} a minute ${ARRIVED[facts.window]}.`;
    },
  },
  {
    name: "none_written",
    holds: ({ written }) => !written,
    words: ({ window }) => `No message was written in ${WHEN[window]}.`,
  },
  { name: "none_arrived", holds: () => true, words: ({ window }) => `No message arrived in ${WHEN[window]}.` },
];

/** What is wrong first: at most one of these holds. */
export const WORST: readonly FlowClaim[] = [
  {
    name: "stands_still",
    holds: (facts) => worst(facts)?.held !== undefined,
    words: (facts) => {
      const { label, held } = worst(facts) ?? {};
      if (label === undefined || held === undefined) return "";
      const { what = "line", lines, oldestMs, waiting } = held;
      const of = lines === 1 ? `one ${what}` : plural(lines, what);
      return `${atStart(fitLabel(label, NAME))} has stood still for ${of} for ${spokenDuration(oldestMs)}; ${formatCount(waiting)} ${waiting === 1 ? "waits" : "wait"}.`;
    },
    tone: "broken",
  },
  {
    name: "late",
    holds: (facts) => worst(facts) !== undefined && worst(facts)?.held === undefined,
    words: (facts) => {
      const { label = "", waiting = 0, sampled, oldestMs = 0 } = worst(facts) ?? {};
      const of = { waiting, sampled };
      return waiting === 1 && !isAtLeast(of)
        ? `${atStart(fitLabel(label, NAME))} is late: one message has waited for ${spokenDuration(oldestMs)}.`
        : `${atStart(fitLabel(label, NAME))} is late: ${waitingWords(of)}, the oldest for ${waitingAge(of, oldestMs)}.`;
    },
    tone: "broken",
  },
];

/** Below the headline: each that holds. */
export const BESIDE: readonly FlowClaim[] = [
  {
    name: "late_too",
    holds: (facts) => alsoLate(facts).length > 0,
    words: (facts) => {
      const also = alsoLate(facts);
      const verb = also.length === 1 ? "stands still or is late" : "stand still or are late";
      return `${formatCount(also.length)} more ${verb}: ${listed(also)}.`;
    },
    tone: "broken",
  },
  {
    name: "nothing_else_late",
    holds: (facts) => worst(facts) !== undefined && alsoLate(facts).length === 0,
    words: (facts) => (someUncounted(facts) ? "Nothing else that was counted is late." : "Nothing else is late."),
  },
  {
    name: "nothing_late",
    holds: (facts) => worst(facts) === undefined,
    words: (facts) => (someUncounted(facts) ? "Nothing that was counted is late." : "Nothing is late."),
  },
  {
    name: "look",
    holds: (facts) => others(facts).length > 0,
    words: (facts) => {
      const all = others(facts);
      return `${formatCount(all.length)} ${all.length === 1 ? "needs" : "need"} a look: ${listed(all)}.`;
    },
    tone: "doubt",
  },
];

/** What the page leaves out, also where nothing is drawn, as on the phone. At most one of these holds. */
export const NOT_DRAWN: readonly PageClaim<Pick<FlowView, "window" | "undrawn">>[] = [
  {
    name: "wrote_nothing",
    holds: ({ undrawn }) => undrawn.silent > 0 && undrawn.all,
    words: ({ undrawn: { silent }, window }) =>
      `Not shown: ${plural(silent, "operation")} begun in ${WHEN[window]} that wrote no message.`,
  },
  {
    name: "some_wrote_nothing",
    holds: ({ undrawn }) => undrawn.silent > 0 && !undrawn.all,
    words: ({ undrawn: { silent, looked }, window }) =>
      `Not shown: ${formatCount(silent)} of the newest ${formatCount(looked)} operations begun in ${WHEN[window]}, which wrote no message.`,
  },
];

export function leftOutWords(view: Pick<FlowView, "window" | "undrawn">): string | undefined {
  return claimWords(NOT_DRAWN, view)[0];
}

/** Where no node is in trouble. */
const NO_TROUBLE: readonly PageClaim<Pick<FlowView, "more">>[] = [
  { name: "none", holds: ({ more }) => !more, words: () => "Nothing is late, failing, paused or dead." },
  {
    name: "none that was looked at",
    holds: ({ more }) => more,
    words: () => "None of the places that were looked at is late, failing, paused or has dead messages.",
  },
];

/** @param flow of which no node is in trouble */
export function noTroubleWords(flow: Pick<FlowView, "more">): string {
  return firstWords(NO_TROUBLE, flow);
}

export function flowHeadline(facts: FlowClaimFacts): readonly VerdictClause[] {
  return [firstClaim(ARRIVALS, facts), ...holding(WORST, facts)].map((claim) => clauseOf(claim, facts));
}

export function flowLede(facts: FlowClaimFacts): readonly VerdictClause[] {
  return holding(BESIDE, facts).map((claim) => clauseOf(claim, facts));
}

function clauseOf({ words, tone = "fine" }: FlowClaim, facts: FlowClaimFacts): VerdictClause {
  return { text: words(facts), tone: tone };
}
