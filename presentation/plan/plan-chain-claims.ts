import { planSeconds, unitOf } from "@/domain/plans/plan";
import type { PageClaim } from "@/domain/page-claim";
import { formatAge, formatCount } from "../format/display-time";
import type { PlanAsking, PlanView } from "../views/plans";
import { willAct } from "./plan-advice";
import { answerParts, askedOf } from "./plan-answers";
import { rowsWord } from "./plan-words";

/** What the stations of a plan's chain say, of each the first that holds. Times are cut from RFC 3339, UTC. */

export const planClock = (at: string): string => at.slice(11, 19);

export const FROZEN_CLAIMS: readonly PageClaim<PlanView>[] = [
  {
    name: "frozen",
    holds: () => true,
    words: ({ createdAt, total, kind }) => `Frozen at ${planClock(createdAt)}: ${rowsWord(total, kind)}.`,
  },
];

export const judgedFacts = ({ acting, total }: PlanView): readonly string[] => [
  `${formatCount(acting)} would act`,
  `${formatCount(total - acting)} left alone`,
];

export function lookedUpFact(look: PlanAsking): string {
  const { asked, all } = askedOf(look);
  return `${formatCount(asked)} of ${formatCount(all)} looked up`;
}

export const DRY_RUN_CLAIMS: readonly PageClaim<PlanView>[] = [
  {
    name: "judged",
    holds: ({ asking }) => asking === undefined,
    words: (plan) => `Dry run: ${judgedFacts(plan).join(", ")}.`,
  },
  {
    name: "asking",
    holds: ({ asking }) => asking?.state === "asking",
    words: ({ asking }) => `Dry run: ${asking === undefined ? "" : lookedUpFact(asking)}.`,
  },
  {
    name: "nobody asked",
    holds: ({ asking }) => asking?.answers.length === 0,
    words: () => "Dry run: nobody was asked.",
  },
  {
    name: "answered",
    holds: () => true,
    words: ({ asking }) => `Dry run: ${asking === undefined ? "" : answerParts(asking).join(", ")}.`,
  },
];

export const waitsForApproval = ({ state, expired }: PlanView): boolean => state === "awaiting_approval" && !expired;

export const APPROVAL_CLAIMS: readonly PageClaim<PlanView>[] = [
  {
    name: "not needed",
    holds: ({ approvalNeeded }) => approvalNeeded === undefined,
    words: () => "Approval: not needed at this size.",
  },
  {
    name: "decided",
    holds: ({ decidedAt }) => decidedAt !== undefined,
    words: ({ state, decidedAt = "", decidedBy = "somebody" }) =>
      `Approval: ${state === "rejected" ? "rejected" : "approved"} at ${planClock(decidedAt)} by ${decidedBy}.`,
  },
  { name: "waits", holds: waitsForApproval, words: () => "Approval: waits for one person." },
  { name: "not approved", holds: () => true, words: () => "Approval: not approved." },
];

/** How long it would run. */
export function aboutFact(plan: PlanView): string {
  const acting = willAct(plan);
  const seconds = planSeconds(acting);
  if (acting === 0) return "nothing to run";
  return seconds === 0 ? `${rowsWord(acting, plan.kind)} to run` : `at least ${formatAge(seconds * 1_000)}`;
}

export const endedFact = ({ acting, counts }: PlanView): string =>
  `${formatCount(acting - counts.waiting)} of ${formatCount(acting)} ended`;

export const RUN_CLAIMS: readonly PageClaim<PlanView>[] = [
  {
    name: "started",
    holds: ({ startedAt }) => startedAt !== undefined,
    words: (plan) => `Run: started at ${planClock(plan.startedAt ?? "")}, ${endedFact(plan)}.`,
  },
  {
    name: "not started",
    holds: ({ endedAt }) => endedAt === undefined,
    words: (plan) => `Run: not started, ${aboutFact(plan)}.`,
  },
  { name: "never ran", holds: () => true, words: () => "Run: it never ran." },
];

export function outcomeFacts({ counts, results, kind }: PlanView): readonly string[] {
  const parts = [
    [counts.done, "done"] as const,
    [results.unknown, "stayed unknown"] as const,
    [results.settled, "settled by others"] as const,
    [results.moved, "skipped"] as const,
    [counts.failed, "failed"] as const,
    [counts.waiting, "untouched"] as const,
  ].flatMap(([count, word]) => (count > 0 ? [`${formatCount(count)} ${word}`] : []));
  return parts.length === 0 ? [`no ${unitOf(kind)} acted`] : parts;
}

export const OUTCOME_CLAIMS: readonly PageClaim<PlanView>[] = [
  {
    name: "ended",
    holds: ({ endedAt, startedAt }) => endedAt !== undefined && startedAt !== undefined,
    words: (plan) => `Outcome at ${planClock(plan.endedAt ?? "")}: ${outcomeFacts(plan).join(", ")}.`,
  },
  { name: "not known", holds: () => true, words: () => "Outcome: not known yet." },
];
