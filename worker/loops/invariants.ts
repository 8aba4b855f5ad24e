import { lastCheckAge, runInvariants } from "@/console/invariants/run-invariants";
import type { Loop } from "../deps";
import { tenantLoop } from "../each-tenant";

/** Checking takes at the most one part in so many of the time: a tenant whose checks are slow is checked less often. */
const PAUSE_FACTOR = 10;
/** Another process checked so short a time ago: half of the loop's own pace. */
const SHARE = 0.5;

/** Checks what must hold, tenant by tenant. @param clock monotonic milliseconds */
export function invariantsLoop(intervalMs: number, clock: () => number = () => performance.now()): Loop {
  const rests = new Map<string, number>();
  return tenantLoop("invariants", intervalMs, async (ctx) => {
    const age = await lastCheckAge(ctx);
    const begun = clock();
    const resting = begun < (rests.get(ctx.tenantId) ?? 0);
    // Counted all the same: a loop that finds nothing to do would pause longer and longer.
    if (resting || (age !== undefined && age < intervalMs * SHARE)) return { checked: 0, violated: 0, resting: 1 };
    const { runs } = await runInvariants(ctx);
    rests.set(ctx.tenantId, clock() + (clock() - begun) * PAUSE_FACTOR);
    return {
      checked: runs.length,
      violated: runs.filter(({ violations }) => (violations ?? 0) > 0).length,
      resting: 0,
    };
  });
}
