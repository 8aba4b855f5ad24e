import { formatCount } from "../format/display-time";
import type { PageClaim } from "@/domain/page-claim";
import type { LookUpAnswer } from "@/domain/plans/look-ups";
import type { VerdictClause } from "../views/common";
import type { PlanView } from "../views/plans";
import { restCount, settlerClause, willAct } from "./plan-advice";
import { ANSWER_FACES, answerTotal, askedOf, moneyToRun, moneyWords } from "./plan-answers";
import { unitOf } from "@/domain/plans/plan";
import { askedRows, closingRows, countWord, kindEffect } from "./plan-words";

/** What a plan would do is said on its own page and in the list of approvals, which judges no row again. */
export type PlanForecast = Pick<PlanView, "acting" | "total" | "kind" | "amounts" | "results" | "counts"> &
  Partial<Pick<PlanView, "rest" | "asking" | "canary" | "outlooks" | "verdicts">>;

/** A sentence about a plan and how it is underlined. */
export interface PlanClaim<Facts> extends PageClaim<Facts> {
  readonly tone: VerdictClause["tone"];
}

export const was = (count: number): string => (count === 1 ? "was" : "were");
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

/** Rows that its kind's own effect is about; a requeue closes the others, and a service is asked about its own. */
const actingOn = ({ acting, verdicts }: PlanForecast): number => acting - closingRows(verdicts) - askedRows(verdicts);

/** Of the rows that would act: settled by somebody else since the dry run. */
const overBefore = ({ rest }: PlanForecast) =>
  restCount(rest, (row) => row.result === "waiting" && row.now === "settled");

/** What would happen if it ran: how many rows, what becomes of them, what they concern, and what is left alone. */
export const FORECAST_CLAIMS: readonly PlanClaim<PlanForecast>[] = [
  forecast(
    "frozen",
    "fine",
    () => true,
    ({ total, kind }) => `${countWord(total, kind)} frozen.`,
  ),
  forecast(
    "none would act",
    "doubt",
    ({ acting }) => acting === 0,
    ({ total, kind }) =>
      `${total === 1 ? "It" : "None of them"} would ${total === 1 ? "not " : ""}act: the reason is beside each ${unitOf(kind)}.`,
  ),
  forecast(
    "would act",
    "fine",
    (plan) => !asked(plan) && actingOn(plan) > 0,
    (plan) => `${formatCount(actingOn(plan))} would be ${kindEffect(plan.kind, actingOn(plan))}.`,
  ),
  forecast(
    "would be closed",
    "fine",
    ({ verdicts }) => closingRows(verdicts) > 0,
    ({ verdicts }) =>
      `${formatCount(closingRows(verdicts))} would be closed as delivered, not sent: a consumer has ${closingRows(verdicts) === 1 ? "it" : "them"}.`,
  ),
  forecast(
    "its service would be asked",
    "fine",
    ({ verdicts }) => askedRows(verdicts) > 0,
    () => "Its service would be asked to settle it as was decided.",
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
    () => "A canary of each destination goes first.",
  ),
  forecast(
    "sends no money",
    "fine",
    ({ kind, acting }) => acting > 0 && kind === "reconcile_operations",
    () => "No money is sent.",
  ),
];
