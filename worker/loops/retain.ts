import { purgeAlerts } from "@/db/alerts/alerts";
import { expirePlans } from "@/console/plans/expire-plans";
import { retain, retainDays, type RetainMemory } from "@/engine/retention/retain";
import type { Loop } from "../deps";
import { eachTenant } from "../each-tenant";

/** Plans of one tenant that expire in one turn; more wait for the next. */
const PLANS_AT_ONCE = 200;
/** Ended alerts of one tenant that are deleted in one turn; more wait for the next. */
const ALERTS_AT_ONCE = 1_000;

/** Expires, purges, and drops days. Remembers where it walked; a new process walks once from the beginning. */
export function retainLoop(intervalMs: number, now: () => Date = () => new Date()): Loop {
  const memory: RetainMemory = new Map();
  return {
    name: "retain",
    intervalMs,
    async tick(deps) {
      const left: string[] = [];
      const sum = await eachTenant(deps, "retain", async (ctx) => {
        const { expired, purgedBodies, purgedOperations, purgedMessages, done } = await retain(ctx, memory);
        await purgeAlerts(ctx.db.pool, ctx.tenantId, deps.engine.config.metadataTtlDays, ALERTS_AT_ONCE);
        const plans = await expirePlans(ctx, PLANS_AT_ONCE);
        if (plans > 0) ctx.log.info({ rows: plans, tenantId: ctx.tenantId }, "plans expired");
        if (!done || plans === PLANS_AT_ONCE) left.push(ctx.tenantId);
        return { expired, purgedBodies, purgedOperations, purgedMessages };
      });
      const { db, config } = deps.engine;
      const stopped = deps.signal?.aborted === true;
      const days = await retainDays(db, config, { now: now(), emptied: left.length === 0 && !stopped });
      return { ...sum, made: days.made, dropped: days.dropped.length, left: left.length };
    },
    busy: (result) => (result["left"] ?? 0) > 0,
  };
}
