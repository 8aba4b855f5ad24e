import { analyzeGrown } from "@/db/health/analyze-grown";
import type { Loop } from "../deps";

/**
 * Gives the planner new statistics of tables that grow fast: in the first minute of an installation, or after a day's partition was made.
 * Looking counts too: a loop that finds nothing pauses longer and longer.
 */
export function statisticsLoop(intervalMs: number): Loop {
  return {
    name: "statistics",
    intervalMs,
    tick: async ({ engine }) => ({ analyzed: await analyzeGrown(engine.db.pool), looked: 1 }),
    busy: () => false,
  };
}
