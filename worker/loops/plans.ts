import { PLAN_REST_MS } from "@/domain/plan";
import { runPlan } from "@/engine/plan/run-plan";
import type { Loop } from "../deps";
import { eachTenant } from "../each-tenant";

/** Tenants whose plans run at once. */
const TENANT_LANES = 2;

/** Runs plans, some rows a turn; the pace of a plan is kept in the database, so more workers do not make it faster. */
export function plansLoop(): Loop {
  return {
    name: "plans",
    intervalMs: PLAN_REST_MS,
    tick: (deps) => eachTenant(deps, "plans", (ctx) => runPlan(ctx, { signal: deps.signal }), TENANT_LANES),
    busy: () => false,
  };
}
