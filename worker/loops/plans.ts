import { askPlan } from "@/console/plans/ask-plan";
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

/** Looks the rows of plans up that wait for a decision; beside the loop that runs plans, so that a slow provider holds up none of them. */
export function planLookUpsLoop(): Loop {
  return tenantLoop("plan-look-ups", INTERVAL_MS, (ctx, { signal, registry }) => askPlan(ctx, { signal, registry }), {
    concurrency: TENANT_CONCURRENCY,
  });
}
