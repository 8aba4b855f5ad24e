import { formatCount } from "../format/display-time";
import { firstWords, holding, type PageClaim } from "@/domain/page-claim";
import type { VerdictClause } from "../views/common";
import type { PlanView } from "../views/plans";
import { settledSince, settlerClause } from "./plan-advice";
import { resultParts } from "./plan-results";
import { canariesWord, canaryRows, failedCanaries, unansweredCanaries } from "./plan-canary";
import { countWord, doneWords, rowsWord } from "./plan-words";
import { EXPIRED_WORDS, unitOf } from "@/domain/plans/plan";
import { FORECAST_CLAIMS, type PlanClaim, type PlanForecast, was } from "./plan-forecast";

type Phase = "before" | "running" | "rejected" | "stopped before" | "stopped" | "expired" | "done";

function phaseOf({ state, startedAt, expired }: PlanView): Phase {
  if (expired) return "expired";
  if (state === "ready" || state === "awaiting_approval") return "before";
  if (state === "aborted") return startedAt === undefined ? "stopped before" : "stopped";
  return state;
}

const past = ({ acting, counts }: PlanView): number => acting - counts.waiting;
const claim = (
  name: string,
  phases: readonly Phase[],
  tone: VerdictClause["tone"],
  holds: (plan: PlanView) => boolean,
  words: (plan: PlanView) => string,
): PlanClaim<PlanView> => ({ name, tone, holds: (plan) => phases.includes(phaseOf(plan)) && holds(plan), words });
const always = (): boolean => true;
const RAN = ["running", "stopped", "done"] as const;
const NEVER = ["expired", "rejected", "stopped before"] as const;

/** Everything that the head of a plan's page may say. */
export const PLAN_CLAIMS: readonly PlanClaim<PlanView>[] = [
  claim("expired", ["expired"], "doubt", always, () => EXPIRED_WORDS),
  claim("rejected", ["rejected"], "doubt", always, () => "Rejected."),
  claim("stopped before it ran", ["stopped before"], "doubt", always, () => "Aborted before it ran."),
  claim("nothing acted", NEVER, "fine", always, () => "Nothing acted."),
  ...FORECAST_CLAIMS.map(({ name, tone, holds, words }) => claim(name, ["before"], tone, holds, words)),
  claim(
    "not started",
    ["before"],
    "fine",
    ({ state, acting }) => acting > 0 && state === "ready",
    () => "Nothing has acted yet.",
  ),
  claim(
    "waits for approval",
    ["before"],
    "doubt",
    ({ state, acting }) => acting > 0 && state === "awaiting_approval",
    () => "A second person must approve.",
  ),
  claim("progress", ["running"], "fine", always, (plan) => {
    const ended = past(plan);
    return `${ended === 0 ? "None" : formatCount(ended)} of ${countWord(plan.acting, plan.kind)} ${ended > 1 ? "have" : "has"} ended.`;
  }),
  claim(
    "stopped",
    ["stopped"],
    "doubt",
    always,
    (plan) => `Aborted after ${formatCount(past(plan))} of ${rowsWord(plan.acting, plan.kind)}.`,
  ),
  claim(
    "canary awaited",
    ["running"],
    "fine",
    (plan) => unansweredCanaries(plan) > 0,
    (plan) => {
      const count = unansweredCanaries(plan);
      return `${canariesWord(plan, count)} ${canaryRows(plan).length === 1 || count === 1 ? "has" : "have"} no answer yet.`;
    },
  ),
  claim(
    "canary came through",
    RAN,
    "fine",
    ({ canary }) => canary?.state === "true" && canary.rows.length > 0,
    (plan) => `${canariesWord(plan, canaryRows(plan).length)} came through.`,
  ),
  claim(
    "canary failed",
    ["stopped"],
    "broken",
    ({ canary }) => canary?.state === "failed",
    (plan) =>
      `${canariesWord(plan, failedCanaries(plan))} failed, nothing else ${plan.counts.done > canaryRows(plan).length ? "was requeued" : "ran"}.`,
  ),
  claim(
    "did",
    ["done"],
    "fine",
    // Of a decision that its service was asked to carry out, it is not known here whether it was.
    ({ results }) => results.asked === 0,
    (plan) =>
      `${doneWords(plan.kind, plan.counts.done - plan.results.closed, plan.acting)}${others(plan) ? " by this plan" : ""}.`,
  ),
  claim(
    "asked of its service",
    RAN,
    "fine",
    ({ results }) => results.asked > 0,
    () => "Its service was asked to settle it as was decided.",
  ),
  claim(
    "closed as delivered",
    RAN,
    "fine",
    ({ results }) => results.closed > 0,
    ({ results: { closed } }) => `${formatCount(closed)} ${was(closed)} closed as delivered, not sent.`,
  ),
  claim(
    "declined",
    ["done"],
    "fine",
    ({ results }) => results.declined > 0,
    ({ results: { declined } }) => `${formatCount(declined)} ${was(declined)} declined.`,
  ),
  claim(
    "settled by others",
    RAN,
    "fine",
    ({ results }) => results.settled > 0,
    (plan) => {
      const { settled } = plan.results;
      const turn = settled === 1 ? "its turn" : "their turn";
      const who = settlerClause(plan.rest, ({ result }) => result === "settled");
      return `${formatCount(settled)} ${was(settled)} settled before ${turn}${who}.`;
    },
  ),
  claim(
    "stayed unknown",
    RAN,
    "doubt",
    ({ results }) => results.unknown > 0,
    ({ results: { unknown } }) => `${formatCount(unknown)} ${was(unknown)} asked about and stayed unknown.`,
  ),
  claim(
    "answered otherwise",
    RAN,
    "doubt",
    (plan) => otherwise(plan) > 0,
    (plan) => `${formatCount(otherwise(plan))} answered otherwise than in the dry run.`,
  ),
  claim(
    "changed meanwhile",
    RAN,
    "doubt",
    ({ results }) => results.moved > 0,
    ({ results: { moved } }) => `${formatCount(moved)} changed meanwhile and ${was(moved)} skipped.`,
  ),
  claim(
    "failed",
    RAN,
    "broken",
    ({ counts }) => counts.failed > 0,
    ({ counts }) => `${formatCount(counts.failed)} failed.`,
  ),
  claim(
    "untouched",
    ["stopped"],
    "fine",
    ({ counts }) => counts.waiting > 0,
    ({ counts: { waiting }, kind }) => `${rowsWord(waiting, kind)} ${waiting === 1 ? "stays" : "stay"} untouched.`,
  ),
  claim(
    "settled since it ended",
    ["stopped", "done"],
    "fine",
    (plan) => settledSince(plan) > 0,
    (plan) => {
      const count = settledSince(plan);
      return `Of what it did not settle, ${formatCount(count)} ${was(count)} settled since${settlerClause(plan.rest, isSince)}.`;
    },
  ),
  claim(
    "left alone",
    ["done"],
    "doubt",
    ({ results }) => results.left > 0,
    ({ results: { left } }) => `${formatCount(left)} ${was(left)} left alone, as the dry run said.`,
  ),
  claim("may be stopped", ["running"], "fine", always, ({ kind }) => `It can be stopped after any ${unitOf(kind)}.`),
];

/** Rows whose provider said something else when the plan ran. */
const otherwise = ({ asking }: PlanView): number =>
  (asking?.answers ?? []).reduce((sum, row) => sum + row.otherwise, 0);

const isSince = ({ result, now }: NonNullable<PlanView["rest"]>[number]): boolean =>
  now === "settled" && result !== "settled" && result !== "left";

/** Some of its rows were settled by somebody else, before their turn or since. */
function others(plan: PlanView): boolean {
  return plan.results.settled > 0 || settledSince(plan) > 0;
}

const clauses = <Facts>(claims: readonly PlanClaim<Facts>[], facts: Facts): readonly VerdictClause[] =>
  holding(claims, facts).map(({ tone, words }) => ({ tone, text: words(facts) }));

/** The sentences that a plan's page opens with: what it would do, what it does, what it did. */
export function planSummary(plan: PlanView): readonly VerdictClause[] {
  return clauses(PLAN_CLAIMS, plan);
}

export function planForecast(plan: PlanForecast): readonly VerdictClause[] {
  return clauses(FORECAST_CLAIMS, plan);
}

/** Plan against outcome as one sum that adds up: every frozen row is counted once. */
export const SUM_CLAIMS: readonly PageClaim<PlanView>[] = [
  {
    name: "sum",
    holds: () => true,
    words: ({ total, kind, results }) => {
      const parts = resultParts(results, kind, true).map(({ count, word }) => `${formatCount(count)} ${word}`);
      return `${countWord(total, kind)} frozen = ${parts.join(" + ")}.`;
    },
  },
];

export function reconciliation(plan: PlanView): string {
  return firstWords(SUM_CLAIMS, plan);
}
