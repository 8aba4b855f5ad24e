import { readWithin } from "@/db/sql-text";
import type { Queryable } from "@/db/client";
import { AppError } from "@/domain/errors";
import { EXPORT_COLUMNS, type ExportName } from "@/presentation/list/export-rows";
import type { AuditEntry } from "@/engine/actions/audit";
import type { EngineContext } from "@/engine/context";
import { exportFile, type ExportFile, type ExportLimits, type ExportRequest } from "./export-file";

export interface PlaybookExport<Row> extends Pick<ExportRequest<Row>, "page" | "cells"> {
  readonly name: ExportName;
  readonly subject: AuditEntry["subject"];
  /** What was asked for, for the audit. */
  readonly filters: Readonly<Record<string, unknown>>;
  /** @returns rows, counted no further than the limit */
  count(q: Queryable, limit: number): Promise<number>;
}

/**
 * One of the playbook's CSV files. More rows than a file holds are refused before its first byte, for half a file looks like a whole one.
 *
 * @throws AppError `export.too_many_rows` 422, `dependency.timeout` 504
 */
export async function exportPlaybook<Row>(
  ctx: EngineContext,
  source: PlaybookExport<Row>,
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
  return exportFile<Row>(ctx, { ...source, format: "csv", columns: EXPORT_COLUMNS[name], entry }, limits);
}
