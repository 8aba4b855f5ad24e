import type { HeartbeatRow } from "@/db/metrics/heartbeats";
import { loopState } from "@/presentation/metrics/heartbeat";
import type { LoopRow } from "@/domain/checks/rows";

export function loopRows(rows: readonly HeartbeatRow[]): LoopRow[] {
  return rows.map((row) => ({
    ...row,
    state: loopState(row.ageMs, row.intervalMs),
  }));
}
