import { PAGE_ROWS } from "@/db/paging";
import { boundedRead } from "@/db/bounded-read";
import { OPERATION_SORT_COLUMNS, selectOperations, selectOperationsHorizon } from "@/db/operations/select-operations";
import type { Listed } from "@/presentation/views/common";
import type { OperationRow } from "@/presentation/views/operations";
import type { EngineContext } from "@/engine/context";
import { withScanLimit, scanPage } from "../scan-page";
import { operationRow, sparklinesOf } from "./operation-row";
import { requirePermission } from "@/engine/actions/require";
import { windowHours } from "@/domain/lists/window";
import type { OperationFilters } from "@/domain/lists/filters";
import { cutPage, readCursor } from "@/domain/lists/cursor";

/**
 * One page of operations with their answers and chains: two statements, whatever the page's size. A third, where rare filters
 * left it unfilled after SCAN_LIMIT, says how far it came.
 * @returns `too_broad` when the filters made PostgreSQL look at too much
 * @throws AppError `auth.forbidden` 403
 */
export async function listOperations(
  ctx: EngineContext,
  input: { filters: OperationFilters; cursor?: string | undefined },
): Promise<Listed<OperationRow>> {
  requirePermission(ctx, "operations.read");
  const { filters } = input;
  const sort = `${filters.sort}:${filters.direction}`;
  const cursor = readCursor(input.cursor, sort, OPERATION_SORT_COLUMNS[filters.sort]);
  const kinds = await ctx.kinds.all();
  const read = await boundedRead(ctx.db, "list", async (q) => {
    const { rows: found, horizon } = await scanPage(
      { limit: PAGE_ROWS, direction: filters.direction, cursor },
      (page) => selectOperations(q, ctx.tenantId, filters, page),
      (page) => selectOperationsHorizon(q, ctx.tenantId, filters, page),
    );
    const page = cutPage(found, PAGE_ROWS, cursor, sort, (row) => ({ value: row.sortValue, id: row.operationId }));
    return {
      page: withScanLimit(page, cursor, sort, horizon),
      sparklines: await sparklinesOf(q, ctx.tenantId, page.rows),
    };
  });
  if (read.kind === "too_broad") return { ...read, hours: windowHours(filters) };
  const { page, sparklines } = read.value;
  return {
    kind: "page",
    ...page,
    rows: page.rows.map((row) => operationRow(row, sparklines.get(row.operationId), kinds)),
    at: page.rows[0]?.at ?? new Date().toISOString(),
  };
}
