import { alertTurnAge } from "@/db/alerts/alerts";
import { judgeAlerts } from "@/console/alerts/judge-alerts";
import type { Loop } from "../deps";
import { tenantLoop } from "../each-tenant";

/** Another process judged so short a time ago: half of the loop's own pace. */
const SHARE = 0.5;

/** Tells a tenant what it watches. Counted also where nothing is new: a loop that finds nothing pauses longer and longer. */
export function alertsLoop(intervalMs: number): Loop {
  return tenantLoop("alerts", intervalMs, async (ctx) => {
    const age = await alertTurnAge(ctx.db.pool, ctx.tenantId);
    if (age !== undefined && age < intervalMs * SHARE)
      return { judged: 0, opened: 0, worse: 0, ended: 0, told: 0, resting: 1 };
    return { ...(await judgeAlerts(ctx)), resting: 0 };
  });
}
