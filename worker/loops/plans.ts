import { runPlan } from "@/console/plans/run-plan";
import type { Loop } from "../deps";
import { tenantLoop } from "../each-tenant";

/** Shorter than the rest of a plan, so that its next turn comes soon after that. */
const INTERVAL_MS = 100;
/** Tenants whose plans run at once. */
const TENANT_CONCURRENCY = 2;

/** Runs plans, some rows a turn; the pace of a plan is kept in the database, so more workers do not make it faster. */
export function plansLoop(): Loop {
  return tenantLoop("plans", INTERVAL_MS, (ctx, { signal, registry }) => runPlan(ctx, { signal, registry }), {
    concurrency: TENANT_CONCURRENCY,
  });
}
