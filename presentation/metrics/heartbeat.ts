import type { LoopRow } from "@/domain/checks/rows";

/** A beat may come this many intervals late before it is called late, and this many before the loop counts as stopped. */
const LATE_AFTER = 3;
const STOPPED_AFTER = 10;
/** Short loops may pause for a garbage collection or a busy database. */
const SLACK_MS = 5_000;

/** One row a loop, the one that beat last: a process that ended leaves its old row behind. */
export function freshestLoops(rows: readonly LoopRow[]): readonly LoopRow[] {
  const freshest = new Map<string, LoopRow>();
  for (const row of rows) {
    const kept = freshest.get(row.loop);
    if (kept === undefined || row.ageMs < kept.ageMs) freshest.set(row.loop, row);
  }
  return [...freshest.values()];
}

/** @param ageMs since the last beat @param intervalMs the loop's own pace */
export function loopState(ageMs: number, intervalMs: number): LoopRow["state"] {
  if (ageMs > intervalMs * STOPPED_AFTER + SLACK_MS) return "stopped";
  return ageMs > intervalMs * LATE_AFTER + SLACK_MS ? "late" : "beating";
}
