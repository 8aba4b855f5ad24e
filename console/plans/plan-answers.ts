import type { PlanAnswerDbRow } from "@/db/plans/select-plan-items";
import type { PlanDbRow } from "@/db/plans/select-plans";
import { LOOK_UP_ANSWERS } from "@/domain/plans/look-ups";
import { moneyView } from "@/presentation/operation/money-view";
import { sumViews } from "@/presentation/plan/plan-answers";
import { NO_RESULTS } from "@/presentation/plan/plan-results";
import type { PlanAsking } from "@/presentation/views/plans";

/** How far the look-ups of a plan came, and what they learned. @returns undefined for a plan that asks nobody */
export function askingOf(plan: PlanDbRow, counted: readonly PlanAnswerDbRow[]): PlanAsking | undefined {
  if (plan.lookUps === undefined) return undefined;
  const mine = counted.filter((row) => row.planId === plan.id);
  return {
    state: plan.lookUps,
    beganAt: plan.lookUpsBeganAt,
    endedAt: plan.lookUpsEndedAt,
    answers: LOOK_UP_ANSWERS.flatMap((answer) => {
      const rows = mine.filter(({ lookUp }) => lookUp === answer);
      if (rows.length === 0) return [];
      const results = { ...NO_RESULTS };
      for (const { result, count } of rows) Object.assign(results, { [result]: results[result] + count });
      const sum = (of: readonly PlanAnswerDbRow[]) => of.reduce((total, { count }) => total + count, 0);
      return [
        {
          answer,
          count: sum(rows),
          amounts: sumViews(
            rows.flatMap(({ minor, currency }) =>
              minor === undefined ? [] : (moneyView(BigInt(minor), currency) ?? []),
            ),
          ),
          results,
          otherwise: sum(rows.filter((row) => row.otherwise)),
        },
      ];
    }),
  };
}
