import type { Queryable } from "@/db/client";
import type { PageRequest } from "@/db/paging";
import { readWithin } from "@/db/sql-text";
import { inTransaction } from "@/db/transaction";
import { fieldsOf } from "@/presentation/list/list-columns";
import { exportWriter, LIST_EXPORT_ROWS, type ExportFormat } from "@/presentation/list/list-export";
import type { Action } from "@/domain/access/permission";
import type { ViewPage } from "@/presentation/list/saved-view";
import { audit } from "@/engine/actions/audit";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "@/engine/actions/require";
import { VIEW_READ } from "../saved-views/list-views";
import type { ExportLimits } from "./csv-export";
import type { ListSource } from "./lists/list-source";
import type { Cursor } from "@/domain/lists/cursor";

export const LIST_EXPORT_LIMITS: ExportLimits = { pageRows: 1_000, maxRows: LIST_EXPORT_ROWS };

export interface ListExport {
  readonly contentType: string;
  /** One page of lines at a time; nothing but that is in memory. */
  readonly chunks: AsyncIterable<string>;
}

export interface ListExportRequest<Row> {
  readonly list: ViewPage;
  readonly format: ExportFormat;
  /** As the list understood them, for the audit. */
  readonly filters: object;
  /** Columns of the list that the file holds, of `exportableColumns`; without them, all that it may have. */
  readonly columns?: readonly string[] | undefined;
  readonly source: ListSource<Row>;
}

/** The whole audit in one file is more than a look at it. */
function permissionOf(list: ViewPage): Action {
  return list === "audit" ? "audit.export" : VIEW_READ[list];
}

/**
 * A list with its present filters as a file, read by keyset in short statements, at most LIST_EXPORT_ROWS rows. Lists carry keys
 * and names of accounts, so who takes one with which filters and columns is written down before its first byte.
 *
 * Rows that come in while it is read may be in it or not; none is in it twice.
 *
 * @throws AppError `auth.forbidden` 403
 */
export async function exportList<Row>(
  ctx: EngineContext,
  request: ListExportRequest<Row>,
  limits: ExportLimits = LIST_EXPORT_LIMITS,
): Promise<ListExport> {
  requirePermission(ctx, permissionOf(request.list));
  const { list, format, filters, source, columns } = request;
  const fields = columns === undefined ? source.columns : fieldsOf(list, columns);
  await inTransaction(ctx.db, (tx) =>
    audit(ctx, tx, {
      action: `exports.${list.replaceAll("-", "_")}`,
      subject: { type: "tenant", id: ctx.tenantId },
      after: { format, atMost: limits.maxRows },
      evidence: { filters, columns: fields },
    }),
  );
  const writer = exportWriter(format, list, fields, new Date().toISOString());
  return { contentType: writer.contentType, chunks: chunksOf(ctx, picking(source, fields), writer, limits) };
}

/** A list as one file reads it: only what its columns need, in their order. */
interface Picked<Row> extends Pick<ListSource<Row>, "direction" | "place" | "cells"> {
  read(q: Queryable, page: PageRequest): Promise<readonly Row[]>;
}

function picking<Row>(source: ListSource<Row>, fields: readonly string[]): Picked<Row> {
  const wanted = new Set(fields);
  const at = fields.map((field) => {
    const index = source.columns.indexOf(field);
    if (index < 0) throw new Error(`no export has a column ${field}`);
    return index;
  });
  return {
    direction: source.direction,
    read: (q, page) => source.read(q, page, wanted),
    place: (row) => source.place(row),
    cells(row) {
      const all = source.cells(row);
      return at.map((index) => all[index] ?? null);
    },
  };
}

async function* chunksOf<Row>(
  ctx: EngineContext,
  source: Picked<Row>,
  writer: ReturnType<typeof exportWriter>,
  { pageRows, maxRows }: ExportLimits,
): AsyncGenerator<string> {
  if (writer.head !== "") yield writer.head;
  let cursor: Cursor | undefined;
  let count = 0;
  for (;;) {
    const limit = Math.min(pageRows, maxRows - count);
    const page = { limit, direction: source.direction, cursor };
    const found = await readWithin(ctx.db, "list", (q) => source.read(q, page));
    const rows = found.slice(0, limit);
    const before = count;
    if (rows.length > 0) yield rows.map((row, at) => writer.row(source.cells(row), before + at === 0)).join("");
    count += rows.length;
    const last = rows.at(-1);
    const more = found.length > limit;
    if (!more || last === undefined || count >= maxRows) {
      const end = writer.end({ count, cut: more });
      if (end !== "") yield end;
      return;
    }
    cursor = { sort: "export", direction: "next", ...source.place(last) };
  }
}
