import { readWithin } from "@/db/sql-text";
import { inTransaction } from "@/db/transaction";
import type { Queryable } from "@/db/client";
import { csvLine } from "@/presentation/list/csv";
import { AppError } from "@/domain/errors";
import { EXPORT_COLUMNS, type ExportName } from "@/presentation/list/export-rows";
import { audit, type AuditEntry } from "@/engine/actions/audit";
import type { EngineContext } from "@/engine/context";

export interface ExportLimits {
  /** Rows that are read in one statement. */
  readonly pageRows: number;
  /** Rows of one export; a broader one is refused before its first byte, for half a file looks like a whole one. */
  readonly maxRows: number;
}
export const EXPORT_LIMITS: ExportLimits = { pageRows: 1_000, maxRows: 100_000 };

/** A CSV, a page of lines at a time; nothing but one page is in memory. */
export interface CsvExport {
  readonly name: ExportName;
  readonly chunks: AsyncIterable<string>;
}

export interface ExportPlan<Row, Place> {
  readonly name: ExportName;
  readonly subject: AuditEntry["subject"];
  /** What was asked for, for the audit. */
  readonly filters: Readonly<Record<string, unknown>>;
  /** @returns rows, counted no further than the limit */
  count(q: Queryable, limit: number): Promise<number>;
  page(q: Queryable, page: { readonly after: Place | undefined; readonly limit: number }): Promise<Row[]>;
  placeOf(row: Row): Place;
  /** @param index of the row in the export, 0 for the first */
  cells(row: Row, index: number): readonly (string | number)[];
}

/**
 * Counts, writes down who takes what with them, and only then gives the first line. It is a read that leaves an audit
 * entry: asking twice changes nothing but the number of entries.
 *
 * @throws AppError `export.too_many_rows` 422, `dependency.timeout` 504
 */
export async function csvExport<Row, Place>(
  ctx: EngineContext,
  plan: ExportPlan<Row, Place>,
  limits: ExportLimits,
): Promise<CsvExport> {
  const rows = await readWithin(ctx.db, "search", (q) => plan.count(q, limits.maxRows + 1));
  if (rows > limits.maxRows) throw tooMany(limits.maxRows);
  const { name, subject, filters } = plan;
  const action = `exports.${name.replaceAll("-", "_")}`;
  await inTransaction(ctx.db, (tx) => audit(ctx, tx, { action, subject, after: { rows }, evidence: { filters } }));
  return { name, chunks: chunksOf(ctx, plan, limits) };
}

async function* chunksOf<Row, Place>(
  ctx: EngineContext,
  plan: ExportPlan<Row, Place>,
  { pageRows, maxRows }: ExportLimits,
): AsyncGenerator<string> {
  yield csvLine(EXPORT_COLUMNS[plan.name]);
  let after: Place | undefined;
  for (let done = 0; done < maxRows;) {
    const limit = Math.min(pageRows, maxRows - done);
    const place = after;
    const rows = await readWithin(ctx.db, "list", (q) => plan.page(q, { after: place, limit }));
    const first = done;
    if (rows.length > 0) yield rows.map((row, index) => csvLine(plan.cells(row, first + index))).join("");
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    after = plan.placeOf(last);
    done += rows.length;
  }
}

function tooMany(maxRows: number): AppError {
  return new AppError("export.too_many_rows", 422, "Too many rows for one export", {
    detail: `An export holds up to ${String(maxRows)} rows. Ask for less: a shorter window, one operation, one consumer.`,
    extensions: { maxRows },
  });
}
