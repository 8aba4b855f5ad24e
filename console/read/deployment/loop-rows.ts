import type { HeartbeatRow } from "@/db/metrics/heartbeats";
import { loopState } from "@/presentation/metrics/heartbeat";
import type { LoopRow } from "@/domain/checks/rows";
import { seesAllTenants, type Asking } from "@/engine/actions/require";

/** A loop works for all tenants, and its error may name something of any of them: it is told to those who may see all. */
export function loopRows(asking: Pick<Asking, "actor">, rows: readonly HeartbeatRow[]): LoopRow[] {
  const told = seesAllTenants(asking);
  return rows.map(({ error, ...row }) => ({
    ...row,
    ...(told && { error }),
    state: loopState(row.ageMs, row.intervalMs),
  }));
}
