import {
  countOperationAnswers,
  type OperationAnswerRow,
  type OperationOfKeyRow,
  selectOperationAnswers,
  selectOperationsOfKey,
  type TimePlace,
} from "@/db/exports/select-operation-answers";
import { readWithin } from "@/db/sql-text";
import { AppError } from "@/domain/errors";
import { retryLogCells } from "@/presentation/list/export-rows";
import type { RetryLogFilters } from "@/presentation/filters/exports";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "@/engine/actions/require";
import { csvExport, EXPORT_LIMITS, type CsvExport } from "./csv-export";

/**
 * The retry log of one operation as the server saw it: each request of its key that arrived. An attempt that was lost on
 * its way, and a proxy's answer, only the client's own log knows.
 *
 * @throws AppError `auth.forbidden` 403, `operation.not_found` 404, `validation.filter` 400 when the key stands for several
 *   operations, `export.too_many_rows` 422
 */
export async function exportRetryLog(
  ctx: EngineContext,
  filters: RetryLogFilters,
  limits = EXPORT_LIMITS,
): Promise<CsvExport> {
  requirePermission(ctx, "operations.read");
  await ctx.answers.flush();
  const { operation_id: operationId, created_at: since } = await oneOperation(ctx, filters);
  const operation = { operationId, since };
  return csvExport<OperationAnswerRow, TimePlace>(
    ctx,
    {
      name: "retry-log",
      subject: { type: "operation", id: operationId },
      filters: { operationId },
      count: (q, limit) => countOperationAnswers(q, ctx.tenantId, operation, limit),
      page: (q, page) => selectOperationAnswers(q, ctx.tenantId, operation, page),
      placeOf: ({ at, id }) => ({ at, id }),
      cells: (row, index) => retryLogCells({ ...row, delayMs: row.delay_ms }, index + 1),
    },
    limits,
  );
}

async function oneOperation(ctx: EngineContext, filters: RetryLogFilters): Promise<OperationOfKeyRow> {
  const [first, ...others] = await readWithin(ctx.db, "list", (q) => selectOperationsOfKey(q, ctx.tenantId, filters));
  if (first === undefined) throw new AppError("operation.not_found", 404, "There is no such operation");
  if (others.length === 0) return first;
  const names = [first, ...others].map(({ operation }) => operation).join(", ");
  throw new AppError("validation.filter", 400, "This key stands for several operations", {
    detail: `operation: name one of ${names}.`,
    extensions: { filters: ["operation"] },
  });
}
