import { formatCount } from "../format/display-time";
import { EXPIRED_WORDS } from "@/domain/plans/plan";
import { doneWords, kindEffect, rowsWord } from "./plan-words";
import type { PlanView } from "../views/plans";
import type { VerdictClause } from "../views/common";
import { resultParts } from "./plan-results";

type Would = Pick<PlanView, "acting" | "total" | "kind" | "amounts" | "results">;

const fine = (text: string): VerdictClause => ({ text, tone: "fine" });
const doubt = (text: string): VerdictClause => ({ text, tone: "doubt" });
const is = (count: number): string => (count === 1 ? "is" : "are");
const was = (count: number): string => (count === 1 ? "was" : "were");

/** The sentence that a plan's page opens with: what it would do, what it does, what it did. */
export function planSummary(plan: PlanView): readonly VerdictClause[] {
  const { counts, acting } = plan;
  const ended = acting - counts.waiting;
  const some = ended === 0 ? "None" : formatCount(ended);
  if (plan.expired) return [doubt(EXPIRED_WORDS), fine("Nothing acted.")];
  switch (plan.state) {
    case "ready":
    case "awaiting_approval":
      return before(plan);
    case "running":
      return [
        fine(`${some} of ${formatCount(acting)} ${ended > 1 ? "have" : "has"} ended.`),
        ...unknown(plan),
        ...failed(plan),
        fine("It can be stopped after any row."),
      ];
    case "rejected":
      return [doubt("Rejected."), fine("Nothing acted.")];
    case "aborted":
      return plan.startedAt === undefined
        ? [doubt("Aborted before it ran."), fine("Nothing acted.")]
        : [
            doubt(`Aborted after ${formatCount(ended)} of ${rowsWord(acting)}.`),
            ...unknown(plan),
            ...failed(plan),
            fine(`${rowsWord(counts.waiting)} ${counts.waiting === 1 ? "stays" : "stay"} untouched.`),
          ];
    case "done":
      return after(plan);
  }
}

function before(plan: PlanView): readonly VerdictClause[] {
  if (plan.acting === 0) return planForecast(plan);
  const next = plan.state === "ready" ? fine("Nothing has acted yet.") : doubt("A second person has to agree.");
  return [...planForecast(plan), next];
}

/** What would happen if it ran: how many rows, what becomes of them, what they are worth, and what is left alone. */
export function planForecast(plan: Would): readonly VerdictClause[] {
  const { acting, total, kind } = plan;
  if (acting === 0) {
    const none = total === 1 ? "It would not act" : "None of them would act";
    const its = total === 1 ? "its" : "each";
    return [fine(`${formatCount(total)} frozen.`), doubt(`${none}: ${its} reason stands below.`)];
  }
  return [
    fine(`${formatCount(total)} frozen. ${formatCount(acting)} would be ${kindEffect(kind, acting)}.`),
    ...worth(plan),
    ...left(plan),
    ...(kind === "reconcile_operations" ? [fine("No money is sent.")] : []),
  ];
}

function after(plan: PlanView): readonly VerdictClause[] {
  const { results, acting, kind, counts } = plan;
  const { moved, declined } = results;
  return [
    fine(`${doneWords(kind, counts.done, acting)}.`),
    ...(declined === 0 ? [] : [fine(`${formatCount(declined)} of them ${was(declined)} declined.`)]),
    ...unknown(plan),
    ...(moved === 0 ? [] : [doubt(`${formatCount(moved)} moved meanwhile and ${was(moved)} skipped.`)]),
    ...failed(plan),
    ...left(plan),
  ];
}

function left({ results }: Would): readonly VerdictClause[] {
  const count = results.left;
  return count === 0 ? [] : [doubt(`${formatCount(count)} ${is(count)} left alone.`)];
}

function unknown({ results }: PlanView): readonly VerdictClause[] {
  const count = results.unknown;
  if (count === 0) return [];
  return [doubt(`${formatCount(count)} ${was(count)} asked about and ${is(count)} still unknown.`)];
}

function failed({ counts }: PlanView): readonly VerdictClause[] {
  return counts.failed === 0 ? [] : [{ text: `${formatCount(counts.failed)} failed.`, tone: "broken" }];
}

/** A purge of bodies involves no money. */
function worth({ amounts, kind, acting }: Would): readonly VerdictClause[] {
  if (amounts.length === 0 || kind === "purge_bodies") return [];
  const money = amounts.map(({ display }) => display).join(" and ");
  const many = amounts.length > 1;
  if (kind === "reconcile_operations") return [fine(`${money} may become certain.`)];
  return [fine(`${money} ${many ? "stand" : "stands"} behind ${acting === 1 ? "it" : "them"}.`)];
}

/** Plan against outcome as one sum that adds up: every frozen row is counted once. */
export function reconciliation({ total, kind, results }: PlanView): string {
  const parts = resultParts(results, kind, true).map(({ count, word }) => `${formatCount(count)} ${word}`);
  return `${formatCount(total)} frozen = ${parts.join(" + ")}.`;
}
