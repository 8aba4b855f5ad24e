import { retain, retainDays, type RetainMemory } from "@/engine/retain";
import type { Loop } from "../deps";
import { eachTenant } from "../each-tenant";

/** Expires, purges, and drops days. Remembers where it walked; a new process walks once from the beginning. */
export function retainLoop(intervalMs: number, now: () => Date = () => new Date()): Loop {
  const memory: RetainMemory = new Map();
  return {
    name: "retain",
    intervalMs,
    async tick(deps) {
      let emptied = true;
      const sum = await eachTenant(deps, "retain", async (ctx) => {
        const { expired, purgedBodies, purgedOperations, done } = await retain(ctx, memory);
        emptied &&= done;
        return { expired, purgedBodies, purgedOperations };
      });
      const { db, config } = deps.engine;
      const stopped = deps.signal?.aborted === true;
      const days = await retainDays(db, config, { now: now(), emptied: emptied && !stopped });
      return { ...sum, made: days.made, dropped: days.dropped.length, left: emptied ? 0 : 1 };
    },
    busy: (result) => (result["left"] ?? 0) > 0,
  };
}
