import { purgeAlerts } from "@/db/alerts/alerts";
import { expirePlans } from "@/console/plans/expire-plans";
import type { EngineContext } from "@/engine/context";
import { createPace, retainShare, type Pace } from "@/engine/retention/pace";
import { retain, retainDays, type RetainMemory, type RetainResult } from "@/engine/retention/retain";
import type { Loop, TenantDeps, TickResult } from "../deps";
import { eachTenant } from "../each-tenant";

/** Plans of one tenant that expire in one turn; more wait for the next. */
const PLANS_AT_ONCE = 200;
/** Ended alerts of one tenant that are deleted in one turn; more wait for the next. */
const ALERTS_AT_ONCE = 1_000;

/** A tick ends about then, so that its heart beats; whoever had no turn in it has one in the next. */
const TICK_MS = 60_000;

export interface RetainLoopOptions {
  readonly tickMs?: number;
  readonly now?: () => Date;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

interface RetainLoop extends Loop {
  tick(deps: TenantDeps): Promise<TickResult>;
}

/** Expires, purges, and drops days. Remembers where it walked; a new process walks once from the beginning. */
export function retainLoop(intervalMs: number, options: RetainLoopOptions = {}): RetainLoop {
  const { tickMs = TICK_MS, now = () => new Date(), clock = () => performance.now() } = options;
  const memory: RetainMemory = new Map();
  /** Tenants that had their turn, while others wait for theirs. */
  const served = new Set<string>();
  let behindSince: number | undefined;
  return {
    name: "retain",
    intervalMs,
    async tick(deps) {
      const left: string[] = [];
      let [turns, waiting] = [0, 0];
      const behindMs = behindSince === undefined ? 0 : clock() - behindSince;
      const pace = createPace({ signal: deps.signal, share: retainShare(behindMs), mostMs: tickMs });
      const sum = await eachTenant(deps, "retain", async (ctx) => {
        const { tenantId } = ctx;
        const had = served.has(tenantId);
        if (had || (turns > 0 && pace.over())) {
          if (!had) waiting += 1;
          left.push(tenantId);
          return {};
        }
        turns += 1;
        served.add(tenantId);
        const { done, ...counts } = await retainTenant(ctx, memory, pace, deps);
        if (!done) left.push(tenantId);
        return counts;
      });
      if (waiting === 0) served.clear();
      behindSince = left.length === 0 ? undefined : (behindSince ?? clock());
      const { db, config } = deps.engine;
      const stopped = deps.signal?.aborted === true;
      const days = await retainDays(db, config, { now: now(), emptied: left.length === 0 && !stopped });
      return { ...sum, made: days.made, dropped: days.dropped.length, left: left.length };
    },
    busy: (result) => (result["left"] ?? 0) > 0,
  };
}

async function retainTenant(
  ctx: EngineContext,
  memory: RetainMemory,
  pace: Pace,
  { engine: { config } }: TenantDeps,
): Promise<Pick<RetainResult, "expired" | "purgedBodies" | "purgedOperations" | "purgedMessages" | "done">> {
  const { expired, purgedBodies, purgedOperations, purgedMessages, done } = await retain(ctx, memory, pace);
  await purgeAlerts(ctx.db.pool, ctx.tenantId, config.metadataTtlDays, ALERTS_AT_ONCE);
  const plans = await expirePlans(ctx, PLANS_AT_ONCE);
  if (plans > 0) ctx.log.info({ rows: plans, tenantId: ctx.tenantId }, "plans expired");
  return { expired, purgedBodies, purgedOperations, purgedMessages, done: done && plans < PLANS_AT_ONCE };
}
