import { formatCount } from "../format/display-time";
import { holding, type PageClaim } from "@/domain/page-claim";
import type { VerdictClause } from "../views/common";
import type { PlanView } from "../views/plans";
import type { LookUpAnswer } from "@/domain/plans/look-ups";
import { restCount, settledSince, settlerClause, willAct } from "./plan-advice";
import { ANSWER_FACES, answerTotal, askedOf, moneyToRun, moneyWords } from "./plan-answers";
import { resultParts } from "./plan-results";
import { canariesWord, canaryRows, failedCanaries, unansweredCanaries } from "./plan-canary";
import { doneWords, kindEffect, rowsWord } from "./plan-words";
import { EXPIRED_WORDS } from "@/domain/plans/plan";

/** What a plan would do is said on its own page and in the list of approvals, which judges no row again. */
export type PlanForecast = Pick<PlanView, "acting" | "total" | "kind" | "amounts" | "results" | "counts"> &
  Partial<Pick<PlanView, "rest" | "asking" | "canary" | "outlooks">>;

/** A sentence about a plan and how it is underlined. */
interface PlanClaim<Facts> extends PageClaim<Facts> {
  readonly tone: VerdictClause["tone"];
}

const was = (count: number): string => (count === 1 ? "was" : "were");
const forecast = (
  name: string,
  tone: VerdictClause["tone"],
  holds: (plan: PlanForecast) => boolean,
  words: (plan: PlanForecast) => string,
): PlanClaim<PlanForecast> => ({ name, tone, holds, words });

/** The provider has been asked, so that its answers are said instead of what would be asked. */
const asked = ({ asking }: PlanForecast): boolean => asking !== undefined && asking.state !== "asking";
const answerCount = ({ asking }: PlanForecast, answer: LookUpAnswer): number =>
  asking === undefined || asking.state === "asking" ? 0 : answerTotal(asking, (each) => each === answer);
const are = (count: number): string => (count === 1 ? "is" : "are");

/** The provider has been asked, and not all that would act is left to run. */
function isPart(plan: PlanForecast): boolean {
  return asked(plan) && plan.acting > 0 && willAct(plan) < plan.acting;
}

/** What the look-ups of a dry run learned, each answer by its count. */
const ANSWER_CLAIMS: readonly PlanClaim<PlanForecast>[] = [
  forecast(
    "looked up so far",
    "fine",
    ({ asking }) => asking?.state === "asking",
    ({ asking }) => {
      const { asked: done, all } = asking === undefined ? { asked: 0, all: 0 } : askedOf(asking);
      return `${formatCount(done)} of ${formatCount(all)} looked up so far.`;
    },
  ),
  ...(["completes", "fails", "frees"] as const).map((answer) =>
    forecast(
      ANSWER_FACES[answer].counted,
      "fine",
      (plan) => answerCount(plan, answer) > 0,
      (plan) => `${formatCount(answerCount(plan, answer))} ${ANSWER_FACES[answer].counted}.`,
    ),
  ),
  forecast(
    "still unknown",
    "doubt",
    (plan) => answerCount(plan, "unknown") > 0,
    (plan) => `${formatCount(answerCount(plan, "unknown"))} ${are(answerCount(plan, "unknown"))} still unknown.`,
  ),
  forecast(
    "not asked",
    "doubt",
    (plan) => answerCount(plan, "not_asked") > 0,
    (plan) => `${formatCount(answerCount(plan, "not_asked"))} could not be asked.`,
  ),
  forecast("left to run", "fine", isPart, (plan) => {
    const [count, money] = [willAct(plan), moneyWords(moneyToRun(plan) ?? [])];
    if (count === 0) return "Nothing is left to run.";
    return `${formatCount(count)} ${are(count)} left to run${money === "" ? "" : `: ${money}`}.`;
  }),
];

/** Of the rows that would act: settled by somebody else since the dry run. */
const overBefore = ({ rest }: PlanForecast) =>
  restCount(rest, (row) => row.result === "waiting" && row.now === "settled");

/** What would happen if it ran: how many rows, what becomes of them, what they concern, and what is left alone. */
export const FORECAST_CLAIMS: readonly PlanClaim<PlanForecast>[] = [
  forecast(
    "frozen",
    "fine",
    () => true,
    ({ total }) => `${formatCount(total)} frozen.`,
  ),
  forecast(
    "none would act",
    "doubt",
    ({ acting }) => acting === 0,
    ({ total }) =>
      `${total === 1 ? "It" : "None of them"} would ${total === 1 ? "not " : ""}act: the reason is beside each row.`,
  ),
  forecast(
    "would act",
    "fine",
    (plan) => plan.acting > 0 && !asked(plan),
    ({ acting, kind }) => `${formatCount(acting)} would be ${kindEffect(kind, acting)}.`,
  ),
  ...ANSWER_CLAIMS,
  forecast(
    "settled since the dry run",
    "doubt",
    (plan) => overBefore(plan) > 0,
    (plan) => {
      const count = overBefore(plan);
      const who = settlerClause(plan.rest, (row) => row.result === "waiting" && row.now === "settled");
      return `${formatCount(count)} of them ${was(count)} settled since then${who}, and will be skipped.`;
    },
  ),
  forecast(
    "concerns money",
    "fine",
    // A purge of bodies concerns no money; what is left to run of a larger plan says its own.
    (plan) => plan.acting > 0 && plan.amounts.length > 0 && plan.kind !== "purge_bodies" && !isPart(plan),
    ({ amounts, acting }) =>
      `${acting === 1 ? "It concerns" : "They concern"} ${amounts.map(({ display }) => display).join(" and ")}.`,
  ),
  forecast(
    "would be left alone",
    "doubt",
    ({ results, acting }) => acting > 0 && results.left > 0,
    ({ results }) => `${formatCount(results.left)} would be left alone.`,
  ),
  forecast(
    "likely to die again",
    "doubt",
    ({ acting, outlooks }) => acting > 0 && (outlooks?.dies ?? 0) > 0,
    ({ outlooks }) => `${formatCount(outlooks?.dies ?? 0)} ${are(outlooks?.dies ?? 0)} likely to die again.`,
  ),
  forecast(
    "a canary goes first",
    "fine",
    ({ acting, canary }) => acting > 0 && canary?.state === "due",
    () => "A canary goes first.",
  ),
  forecast(
    "sends no money",
    "fine",
    ({ kind, acting }) => acting > 0 && kind === "reconcile_operations",
    () => "No money is sent.",
  ),
];

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
    return `${ended === 0 ? "None" : formatCount(ended)} of ${formatCount(plan.acting)} ${ended > 1 ? "have" : "has"} ended.`;
  }),
  claim(
    "stopped",
    ["stopped"],
    "doubt",
    always,
    (plan) => `Aborted after ${formatCount(past(plan))} of ${rowsWord(plan.acting)}.`,
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
    always,
    (plan) => `${doneWords(plan.kind, plan.counts.done, plan.acting)}${others(plan) ? " by this plan" : ""}.`,
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
    ({ counts: { waiting } }) => `${rowsWord(waiting)} ${waiting === 1 ? "stays" : "stay"} untouched.`,
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
  claim("may be stopped", ["running"], "fine", always, () => "It can be stopped after any row."),
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
export function reconciliation({ total, kind, results }: PlanView): string {
  const parts = resultParts(results, kind, true).map(({ count, word }) => `${formatCount(count)} ${word}`);
  return `${formatCount(total)} frozen = ${parts.join(" + ")}.`;
}
