import { claimWords, firstWords, holding, type PageClaim } from "@/domain/page-claim";
import { EXPIRED_WORDS, planSeconds, unitOf } from "@/domain/plans/plan";
import { formatAge, formatCount } from "../format/display-time";
import type { VerdictClause } from "../views/common";
import type { PlanItemRow, PlansView, PlanView } from "../views/plans";
import { planAdvice, willAct } from "./plan-advice";
import { ANSWER_FACES } from "./plan-answers";

interface Toned<Facts> extends PageClaim<Facts> {
  readonly tone: VerdictClause["tone"];
}
const claim = <Facts>(
  name: string,
  tone: VerdictClause["tone"],
  holds: (facts: Facts) => boolean,
  words: (facts: Facts) => string,
): Toned<Facts> => ({ name, tone, holds, words });
const said = <Facts>(claims: readonly Toned<Facts>[], facts: Facts): readonly VerdictClause[] =>
  holding(claims, facts).map(({ tone, words }) => ({ tone, text: words(facts) }));

/** What was counted of the plans of a tenant. */
export interface PlanCounts extends Pick<PlansView, "open" | "approvals"> {
  /** The list was read in time. */
  readonly read: boolean;
}

/** What the list of plans opens with. */
const PLANS_CLAIMS: readonly Toned<PlanCounts>[] = [
  claim(
    "not read",
    "broken",
    ({ read }) => !read,
    () => "The plans could not be read in time.",
  ),
  claim(
    "none open",
    "fine",
    ({ read, open }) => read && open === 0,
    () => "No plan is open.",
  ),
  claim(
    "open",
    "fine",
    ({ read, open }) => read && open > 0,
    ({ open }) => `${formatCount(open)} ${open === 1 ? "plan is" : "plans are"} open.`,
  ),
  claim(
    "wait",
    "doubt",
    ({ read, open, approvals }) => read && open > 0 && approvals > 0,
    ({ approvals }) => `${formatCount(approvals)} ${approvals === 1 ? "waits" : "wait"} for a second person.`,
  ),
];

export function plansClauses(counts: PlanCounts): readonly VerdictClause[] {
  return said(PLANS_CLAIMS, counts);
}

/** Plans that wait for a second person, and what whoever looks has to do with those that are shown. */
export interface ApprovalFacts {
  readonly count: number;
  readonly shown: number;
  readonly yours: number;
  readonly own: number;
}

/** "it", "all of them", "3"; of a part that is shown "3 of these". */
function some(part: number, { count, shown }: ApprovalFacts): string {
  if (count > shown) return part === shown ? "all of these" : `${formatCount(part)} of these`;
  if (part < shown) return formatCount(part);
  return part === 1 ? "it" : "all of them";
}

/** What the list of approvals opens with. */
const APPROVALS_CLAIMS: readonly Toned<ApprovalFacts>[] = [
  claim(
    "none",
    "fine",
    ({ count }) => count === 0,
    () => "Nothing waits for approval.",
  ),
  claim(
    "wait",
    "doubt",
    ({ count }) => count > 0,
    ({ count }) => `${formatCount(count)} ${count === 1 ? "plan waits" : "plans wait"} for a second person.`,
  ),
  claim(
    "not all are shown",
    "fine",
    ({ count, shown }) => count > shown,
    ({ shown }) => `The ${formatCount(shown)} that wait longest are shown.`,
  ),
  claim(
    "yours",
    "fine",
    ({ yours }) => yours > 0,
    (facts) => `You may decide about ${some(facts.yours, facts)}.`,
  ),
  claim(
    "own",
    "fine",
    ({ own }) => own > 0,
    (facts) => `You asked for ${some(facts.own, facts)} yourself.`,
  ),
];

export function approvalClauses(facts: ApprovalFacts): readonly VerdictClause[] {
  return said(APPROVALS_CLAIMS, facts);
}

/** What stands over the buttons of a plan. */
const LEAN_CLAIMS: readonly PageClaim<PlanView>[] = [
  {
    name: "expired",
    holds: ({ state, expired }) => state === "awaiting_approval" && expired,
    words: () => EXPIRED_WORDS,
  },
  {
    name: "you may approve",
    holds: ({ state, actions }) => state === "awaiting_approval" && actions.decide.allowed,
    words: ({ createdBy }) => `You may approve: ${createdBy} asked for it, not you.`,
  },
  {
    name: "waits",
    holds: ({ state }) => state === "awaiting_approval",
    words: () => "It waits for a second person.",
  },
  {
    name: "ready",
    holds: ({ state, actions }) => state === "ready" && actions.start.allowed,
    words: (plan) => {
      const seconds = planSeconds(willAct(plan));
      return seconds === 0 ? "Ready to start." : `Ready to start. It takes at least ${formatAge(seconds * 1_000)}.`;
    },
  },
  {
    name: "not started",
    holds: ({ state }) => state === "ready",
    words: ({ actions }) => actions.start.whyNot ?? "It cannot be started.",
  },
  {
    name: "running",
    holds: ({ state }) => state === "running",
    words: ({ kind }) => `The worker takes it ${unitOf(kind)} by ${unitOf(kind)}. Closing this page changes nothing.`,
  },
  {
    name: "rejected",
    holds: ({ state }) => state === "rejected",
    words: (plan) =>
      [
        plan.decisionReason === undefined ? "It was rejected." : `Rejected: ${plan.decisionReason}`,
        planAdvice(plan),
      ].join(" "),
  },
  { name: "ended", holds: () => true, words: planAdvice },
];

export function planLean(plan: PlanView): string {
  return firstWords(LEAN_CLAIMS, plan);
}

type OtherAnswer = Pick<PlanItemRow, "outcome" | "otherwise" | "lookUp">;

/** How a row ended. */
const ENDED_CLAIMS: readonly PageClaim<OtherAnswer>[] = [
  { name: "outcome", holds: ({ outcome }) => outcome !== undefined, words: ({ outcome = "" }) => outcome },
  {
    name: "answered otherwise",
    holds: ({ otherwise, lookUp }) => otherwise === true && lookUp !== undefined,
    words: ({ lookUp = "waiting" }) => `Answered otherwise than in the dry run (${ANSWER_FACES[lookUp].counted}).`,
  },
];

/** @returns empty while it has not ended */
export function endedWords(row: OtherAnswer): string {
  return claimWords(ENDED_CLAIMS, row).join(" ");
}
