import { readWithin } from "@/db/bounded-read";
import { selectCountSnapshots, selectOpenCounts } from "@/db/metrics/counts";
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
  const { open, snapshots } = await readWithin(ctx.db, "list", async (q) => ({
    open: await selectOpenCounts(q, ctx.tenantId),
    snapshots: await selectCountSnapshots(q, ctx.tenantId),
  }));
  const exact = (value: number): CountView => ({ value, kind: "exact", ageMs: 0 });
  return {
    ...Object.fromEntries(snapshots.map(({ name, ...count }) => [name, count])),
    IN_PROGRESS: exact(open.inProgress),
    STALE: exact(open.stale),
    UNKNOWN_REQUIRES_RECOVERY: exact(open.unknown),
  };
}
