import { newId } from "@/domain/new-id";
import { listTenants, TENANTS_PAGE } from "@/db/tenants";
import { withConcurrency } from "@/domain/with-concurrency";
import { engineContext, type EngineContext } from "@/engine/context";
import type { Loop, LoopDeps, TenantDeps, TickResult } from "./deps";

/**
 * Runs one piece of work for every tenant that is at home in this region and adds the numbers up. A tenant whose work fails does not
 * stop the others; the first failure is thrown at the end, so that the heartbeat shows it.
 *
 * @param loop names the actor: `relay` …
 * @param concurrency tenants under way at once, so that one with a slow destination does not hold up the others
 */
export async function eachTenant(
  deps: TenantDeps,
  loop: string,
  work: (ctx: EngineContext) => Promise<TickResult>,
  concurrency = 1,
): Promise<TickResult> {
  const sum: Record<string, number> = {};
  let failure: { readonly error: unknown } | undefined;
  const { region } = deps.engine.config;
  for (let page = await listTenants(deps.engine.db.pool, region); page.length > 0;) {
    await withConcurrency(concurrency, page, async (tenantId) => {
      if (deps.signal?.aborted === true) return;
      const ctx = engineContext(deps.engine, {
        tenantId,
        actor: { kind: "system", id: loop, name: loop },
        requestId: newId(),
      });
      try {
        for (const [name, value] of Object.entries(await work(ctx))) sum[name] = (sum[name] ?? 0) + value;
      } catch (error) {
        ctx.log.error({ err: error, loop, tenantId }, "a tick failed for one tenant");
        failure ??= { error };
      }
    });
    if (deps.signal?.aborted === true) return sum;
    page = page.length < TENANTS_PAGE ? [] : await listTenants(deps.engine.db.pool, region, page.at(-1));
  }
  if (failure !== undefined) throw failure.error;
  return sum;
}

/**
 * A loop that does one piece of work for every tenant.
 *
 * @param more.busy without it the loop never goes on at once
 */
export function tenantLoop(
  name: string,
  intervalMs: number,
  work: (ctx: EngineContext, deps: LoopDeps) => Promise<TickResult>,
  { concurrency, ...more }: { readonly concurrency?: number } & Partial<Pick<Loop, "busy" | "end">> = {},
): Loop {
  const tick = (deps: LoopDeps) => eachTenant(deps, name, (ctx) => work(ctx, deps), concurrency);
  return { name, intervalMs, busy: () => false, ...more, tick };
}
