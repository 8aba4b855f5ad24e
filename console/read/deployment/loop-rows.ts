import type { HeartbeatRow } from "@/db/metrics/heartbeats";
import { loopState } from "@/presentation/metrics/heartbeat";
import type { LoopRow } from "@/domain/checks/rows";

export function loopRows(rows: readonly HeartbeatRow[]): LoopRow[] {
  return rows.map((row) => ({
    loop: row.loop,
    instance: row.instance,
    ageMs: row.age_ms,
    intervalMs: row.interval_ms,
    state: loopState(row.age_ms, row.interval_ms),
    error: row.error ?? undefined,
  }));
}
