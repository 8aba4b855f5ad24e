import { boundedPart, readWithin } from "@/db/bounded-read";
import type { EngineContext } from "@/engine/context";
import type { Listed } from "@/presentation/views/common";
import type { OperationRow } from "@/presentation/views/operations";
import { countsOf, type OperationCounts } from "../deployment/read-counts";
import { listOperations } from "./list-operations";

export interface OperationsPage {
  readonly list: Listed<OperationRow>;
  /** Empty where they were not counted in time. */
  readonly counts: OperationCounts;
}

/**
 * A page of operations and the counts of its tabs, of one moment. Where one of them takes too long, the other is there without it.
 * @throws AppError `auth.forbidden` 403
 */
export async function readOperationsPage(
  ctx: EngineContext,
  input: Parameters<typeof listOperations>[1],
): Promise<OperationsPage> {
  return readWithin(ctx.db, "list", async (q) => {
    const list = await listOperations(ctx, input);
    const counted = await boundedPart(q, "list", () => countsOf(q, ctx.tenantId));
    return { list, counts: counted.kind === "done" ? counted.value : {} };
  });
}
