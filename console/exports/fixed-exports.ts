import {
  type AnswerExportRow,
  countAnswers,
  countOperationAnswers,
  type OperationAnswerRow,
  selectAnswerExport,
  selectOperationAnswers,
  selectOperationsOfKey,
} from "@/db/exports/select-answers";
import { type ArrivalExportRow, countInboxArrivals, selectInboxArrivals } from "@/db/exports/select-inbox-arrivals";
import { resolveWindow } from "@/db/exports/window";
import type { Queryable } from "@/db/client";
import { readWithin } from "@/db/bounded-read";
import { AppError } from "@/domain/errors";
import { originalKey } from "@/domain/idempotency/idempotency-key";
import type { InboxExportFilters, ReplayOutcomeFilters, RetryLogFilters } from "@/domain/lists/filters";
import type { AuditEntry } from "@/engine/actions/audit";
import { requirePermission } from "@/engine/actions/require";
import type { EngineContext } from "@/engine/context";
import {
  EXPORT_COLUMNS,
  type ExportName,
  inboxCells,
  replayOutcomeCells,
  retryLogCells,
} from "@/presentation/list/export-rows";
import { EXPORT_LIMITS, exportFile, type ExportFile, type ExportLimits, type ExportRequest } from "./export-file";

interface FixedExport<Row> extends Pick<ExportRequest<Row>, "cells"> {
  readonly name: ExportName;
  readonly subject: AuditEntry["subject"];
  /** What was asked for, for the audit. */
  readonly filters: Readonly<Record<string, unknown>>;
  /** @returns rows, counted no further than the limit */
  count(q: Queryable, limit: number): Promise<number>;
  /** @returns what comes after a row, as `ExportRequest` says */
  page(q: Queryable, after: Row | undefined, limit: number): Promise<readonly Row[]>;
}

/**
 * One CSV file with fixed columns. More rows than a file holds are refused before its first byte, for half a file looks like a whole one.
 *
 * @throws AppError `export.too_many_rows` 422, `dependency.timeout` 504
 */
async function exportFixed<Row>(
  ctx: EngineContext,
  source: FixedExport<Row>,
  limits: ExportLimits,
): Promise<ExportFile> {
  const { name, subject, filters } = source;
  const { maxRows } = limits;
  const rows = await readWithin(ctx.db, "search", (q) => source.count(q, maxRows + 1));
  if (rows > maxRows) {
    throw new AppError("export.too_many_rows", 422, "This is more than one export holds", {
      detail: `An export holds up to ${String(maxRows)} rows. Ask for less: a shorter window, one operation, one consumer.`,
      extensions: { maxRows },
    });
  }
  const entry = { subject, after: { rows }, evidence: { filters } };
  const page = (after: Row | undefined, limit: number): Promise<readonly Row[]> =>
    readWithin(ctx.db, "list", (q) => source.page(q, after, limit));
  return exportFile<Row>(ctx, { ...source, page, format: "csv", columns: EXPORT_COLUMNS[name], entry }, limits);
}

/**
 * Every arrival of a window at the inbox, also the ones that came again, for each consumer.
 *
 * @throws AppError `auth.forbidden` 403, `export.too_many_rows` 422
 */
export async function exportInbox(
  ctx: EngineContext,
  filters: InboxExportFilters,
  limits = EXPORT_LIMITS,
): Promise<ExportFile> {
  requirePermission(ctx, "inbox.read");
  const { consumer, source, messageId } = filters;
  const window = await readWithin(ctx.db, "list", (q) => resolveWindow(q, filters));
  return exportFixed<ArrivalExportRow>(
    ctx,
    {
      name: "consumer-inbox",
      subject: { type: "tenant", id: ctx.tenantId },
      filters: { consumer, source, messageId, ...window },
      count: (q, limit) => countInboxArrivals(q, ctx.tenantId, filters, window, limit),
      page: (q, after, limit) => selectInboxArrivals(q, ctx.tenantId, filters, window, { after, limit: limit + 1 }),
      cells: inboxCells,
    },
    limits,
  );
}

/**
 * What every request of a window was answered, with its key and the keyed hash of its command.
 *
 * @throws AppError `auth.forbidden` 403, `export.too_many_rows` 422
 */
export async function exportReplayOutcomes(
  ctx: EngineContext,
  filters: ReplayOutcomeFilters,
  limits = EXPORT_LIMITS,
): Promise<ExportFile> {
  requirePermission(ctx, "operations.read");
  // A replay is written a moment after it was answered; what this process answered is to be in it.
  await ctx.answers.flush();
  const { operation, client } = filters;
  const window = await readWithin(ctx.db, "list", (q) => resolveWindow(q, filters));
  return exportFixed<AnswerExportRow>(
    ctx,
    {
      name: "replay-outcomes",
      subject: { type: "tenant", id: ctx.tenantId },
      filters: { operation, client, ...window },
      count: (q, limit) => countAnswers(q, ctx.tenantId, filters, window, limit),
      page: (q, after, limit) => selectAnswerExport(q, ctx.tenantId, filters, window, { after, limit: limit + 1 }),
      cells: (row) =>
        replayOutcomeCells({
          ...row,
          key: row.key === undefined ? "" : originalKey(row.key, row.operationId),
          payloadHash: row.payloadHash ?? "",
        }),
    },
    limits,
  );
}

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
  const { operationId, createdAt: since } = await oneOperation(ctx, filters);
  const operation = { operationId, since };
  return exportFixed<OperationAnswerRow>(
    ctx,
    {
      name: "retry-log",
      subject: { type: "operation", id: operationId },
      filters: { operationId },
      count: (q, limit) => countOperationAnswers(q, ctx.tenantId, operation, limit),
      page: (q, after, limit) => selectOperationAnswers(q, ctx.tenantId, operation, { after, limit: limit + 1 }),
      cells: (row, index) => retryLogCells(row, index + 1),
    },
    limits,
  );
}

async function oneOperation(ctx: EngineContext, filters: RetryLogFilters) {
  const [first, ...others] = await readWithin(ctx.db, "list", (q) => selectOperationsOfKey(q, ctx.tenantId, filters));
  if (first === undefined) throw new AppError("operation.not_found", 404, "There is no such operation");
  if (others.length === 0) return first;
  const names = [first, ...others].map(({ operation }) => operation).join(", ");
  throw new AppError("validation.filter", 400, "This key stands for several operations", {
    detail: `operation: name one of ${names}.`,
    extensions: { filters: ["operation"] },
  });
}
