import {
  countOperationAnswers,
  type OperationAnswerRow,
  type OperationOfKeyRow,
  selectOperationAnswers,
  selectOperationsOfKey,
} from "@/db/exports/select-operation-answers";
import { readWithin } from "@/db/sql-text";
import { AppError } from "@/domain/errors";
import { retryLogCells } from "@/presentation/list/export-rows";
import type { RetryLogFilters } from "@/presentation/filters/exports";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "@/engine/actions/require";
import { EXPORT_LIMITS, type ExportFile } from "./export-file";
import { exportPlaybook } from "./export-playbook";

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
): Promise<ExportFile> {
  requirePermission(ctx, "operations.read");
  await ctx.answers.flush();
  const { operation_id: operationId, created_at: since } = await oneOperation(ctx, filters);
  const operation = { operationId, since };
  return exportPlaybook<OperationAnswerRow>(
    ctx,
    {
      name: "retry-log",
      subject: { type: "operation", id: operationId },
      filters: { operationId },
      count: (q, limit) => countOperationAnswers(q, ctx.tenantId, operation, limit),
      page: (q, after, limit) => selectOperationAnswers(q, ctx.tenantId, operation, { after, limit: limit + 1 }),
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
