import { countSnapshots } from "@/engine/count-snapshots";
import { measure } from "@/engine/measure";
import { rollUp } from "@/engine/roll-up";
import type { Loop } from "../deps";
import { eachTenant } from "../each-tenant";

/** The counts of the huge states are renewed this often. */
export const SNAPSHOT_EVERY_MS = 30_000;

/** Charts, gauges and counts. @param clock monotonic milliseconds */
export function rollUpLoop(intervalMs: number, clock: () => number = () => performance.now()): Loop {
  const counted = new Map<string, number>();
  return {
    name: "roll-up",
    intervalMs,
    tick: (deps) =>
      eachTenant(deps, "roll-up", async (ctx) => {
        const { minutes, behind } = await rollUp(ctx);
        const gauges = await measure(ctx);
        const last = counted.get(ctx.tenantId);
        const due = last === undefined || clock() - last >= SNAPSHOT_EVERY_MS;
        if (due) {
          await countSnapshots(ctx);
          counted.set(ctx.tenantId, clock());
        }
        return { minutes, behind, gauges, counted: due ? 1 : 0 };
      }),
    busy: (result) => (result["behind"] ?? 0) > 0,
  };
}
