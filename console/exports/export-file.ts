import { inTransaction } from "@/db/transaction";
import { EXPORT_ROWS, exportWriter, type ExportCell, type ExportFormat } from "@/presentation/list/export-writer";
import { audit, type AuditEntry } from "@/engine/actions/audit";
import type { EngineContext } from "@/engine/context";

export interface ExportLimits {
  /** Rows that are read in one statement. */
  readonly pageRows: number;
  /** Rows of one file. */
  readonly maxRows: number;
}
export const EXPORT_LIMITS: ExportLimits = { pageRows: 1_000, maxRows: EXPORT_ROWS };

export interface ExportFile {
  readonly name: string;
  readonly extension: ExportFormat;
  readonly contentType: string;
  /** One page of lines at a time; nothing but that is in memory. */
  readonly chunks: AsyncIterable<string>;
}

export interface ExportRequest<Row> {
  readonly name: string;
  readonly format: ExportFormat;
  readonly columns: readonly string[];
  /** What the audit calls it, where the name says more than that. */
  readonly action?: `exports.${string}` | undefined;
  /** What the audit keeps about it. */
  readonly entry: Pick<AuditEntry, "subject" | "after" | "evidence">;
  /** @returns what comes after a row, from the first row on without one; more than `limit` rows where there are more */
  page(after: Row | undefined, limit: number): Promise<readonly Row[]>;
  /** @param index of the row in the file, 0 for the first. @returns as many as there are columns */
  cells(row: Row, index: number): readonly ExportCell[];
}

/**
 * Writes down who takes what, and only then gives the first line. It is a read that leaves an audit entry: asking twice changes
 * nothing but the number of entries. Rows are read by keyset in short statements.
 */
export async function exportFile<Row>(
  ctx: EngineContext,
  request: ExportRequest<Row>,
  limits: ExportLimits,
): Promise<ExportFile> {
  const { name, format, entry } = request;
  const action = request.action ?? (`exports.${name.replaceAll("-", "_")}` as const);
  await inTransaction(ctx.db, (tx) => audit(ctx, tx, { action, ...entry }));
  const writer = exportWriter(format, name, request.columns, new Date().toISOString());
  const chunks = chunksOf(request, writer, limits);
  return { name, extension: format, contentType: writer.contentType, chunks };
}

async function* chunksOf<Row>(
  request: ExportRequest<Row>,
  writer: ReturnType<typeof exportWriter>,
  { pageRows, maxRows }: ExportLimits,
): AsyncGenerator<string> {
  if (writer.head !== "") yield writer.head;
  let last: Row | undefined;
  let count = 0;
  for (let more = true; more;) {
    const limit = Math.min(pageRows, maxRows - count);
    const after = last;
    const found = await request.page(after, limit);
    const rows = found.slice(0, limit);
    const before = count;
    if (rows.length > 0) {
      yield rows.map((row, at) => writer.row(request.cells(row, before + at), before + at === 0)).join("");
    }
    count += rows.length;
    last = rows.at(-1);
    const cut = found.length > limit;
    more = cut && count < maxRows;
    const end = more ? "" : writer.end({ count, cut });
    if (end !== "") yield end;
  }
}
