import { abortPlanRow, expiredPlans } from "@/db/plans/decide-plan";
import { inTransaction } from "@/db/transaction";
import { EXPIRED_WORDS, PLAN_EXPIRED_BY, PLAN_EXPIRES_DAYS } from "@/domain/plans/plan";
import { audit } from "@/engine/actions/audit";
import type { EngineContext } from "@/engine/context";
import { planWithOpenItems } from "./open-items";

/**
 * Aborts plans that nobody agreed to or started for PLAN_EXPIRES_DAYS, each with its audit entry in one transaction. Retention
 * deletes them later as any that ended.
 * @param limit plans of one call
 * @returns how many expired; fewer than `limit`: nothing is left
 */
export async function expirePlans(ctx: EngineContext, limit: number): Promise<number> {
  const ids = await expiredPlans(ctx.db.pool, ctx.tenantId, limit);
  let expired = 0;
  for (const id of ids) {
    expired += await inTransaction(ctx.db, async (tx) => {
      const { plan, waiting } = await planWithOpenItems(tx, ctx, id);
      const result = await abortPlanRow(tx, ctx.tenantId, id, PLAN_EXPIRED_BY, PLAN_EXPIRES_DAYS);
      // Somebody decided about it, or ended it, since it was looked for.
      if (result !== "stopped") return 0;
      await audit(ctx, tx, {
        action: "plans.abort",
        subject: { type: "plan", id },
        reason: EXPIRED_WORDS,
        before: { state: plan.state },
        after: { state: "aborted", untouched: waiting },
      });
      return 1;
    });
  }
  return expired;
}
