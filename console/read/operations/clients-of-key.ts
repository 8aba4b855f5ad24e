import { readWithin } from "@/db/bounded-read";
import { selectKeyCallers, selectKeyWindow } from "@/db/conflicts/select-key-callers";
import type { KeyCallersView } from "@/presentation/views/clients";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "@/engine/actions/require";

/**
 * Who used the key of one operation within its last window, and when last: they may still retry when its answer is gone.
 * @returns undefined when the tenant has no such operation
 * @throws AppError `auth.forbidden` 403, `dependency.timeout` 504
 */
export async function clientsOfKey(
  ctx: EngineContext,
  input: { readonly operationId: string },
): Promise<KeyCallersView | undefined> {
  requirePermission(ctx, "operations.read");
  const { operationId } = input;
  return readWithin(ctx.db, "detail", async (q) => {
    const window = await selectKeyWindow(q, ctx.tenantId, operationId);
    if (window === undefined) return undefined;
    const callers = await selectKeyCallers(q, ctx.tenantId, operationId, window.windowHours);
    return { ...window, operationId, callers };
  });
}
