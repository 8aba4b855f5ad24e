import { runPlan } from "@/console/plans/run-plan";
import type { Loop } from "../deps";
import { eachTenant } from "../each-tenant";

/** Shorter than the rest of a plan, so that its next turn comes soon after that. */
const INTERVAL_MS = 100;
/** Tenants whose plans run at once. */
const TENANT_CONCURRENCY = 2;

/** Runs plans, some rows a turn; the pace of a plan is kept in the database, so more workers do not make it faster. */
export function plansLoop(): Loop {
  return {
    name: "plans",
    intervalMs: INTERVAL_MS,
    tick: (deps) =>
      eachTenant(
        deps,
        "plans",
        (ctx) => runPlan(ctx, { signal: deps.signal, registry: deps.registry }),
        TENANT_CONCURRENCY,
      ),
    busy: () => false,
  };
}
