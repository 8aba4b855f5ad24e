import { readWithin } from "@/db/bounded-read";
import type { Queryable } from "@/db/client";
import { selectCountSnapshots, selectOpenOperations } from "@/db/metrics/counts";
import type { CountView } from "@/presentation/views/common";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "@/engine/actions/require";
import type { ShownState } from "@/domain/lists/filters";

export type OperationCounts = Readonly<Partial<Record<ShownState | "all", CountView>>>;

/** Counts for the tabs of the operations list: exact now for what is open, from the last snapshot with its age for the rest. */
export async function readCounts(
  ctx: EngineContext,
  _input: Readonly<Record<string, never>> = {},
): Promise<OperationCounts> {
  requirePermission(ctx, "operations.read");
  return readWithin(ctx.db, "list", (q) => countsOf(q, ctx.tenantId));
}

/** @param q of the moment that the counts are of */
export async function countsOf(q: Queryable, tenantId: string): Promise<OperationCounts> {
  const open = await selectOpenOperations(q, tenantId);
  const snapshots = await selectCountSnapshots(q, tenantId);
  const exact = (value: number): CountView => ({ value, kind: "exact", ageMs: 0 });
  return {
    ...Object.fromEntries(snapshots.map(({ name, ...count }) => [name, count])),
    IN_PROGRESS: exact(open.inProgress),
    STALE: exact(open.stale),
    UNKNOWN_REQUIRES_RECOVERY: exact(open.unknown),
  };
}
