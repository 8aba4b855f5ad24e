import { readWithin } from "@/db/bounded-read";
import { fieldsOf, fieldValues } from "@/presentation/list/columns";
import { LISTS } from "@/presentation/list/lists";
import type { ExportFormat } from "@/presentation/list/export-writer";
import type { Action } from "@/domain/access/permission";
import type { ListPage } from "@/presentation/list/saved-view";
import type { EngineContext } from "@/engine/context";
import { requireConfirmation, requirePermission } from "@/engine/actions/require";
import { VIEW_READ } from "../saved-views/list-views";
import { EXPORT_LIMITS, exportFile, type ExportFile, type ExportLimits } from "./export-file";
import type { ListSource, SourceRow } from "./lists/list-source";
import type { Cursor } from "@/domain/lists/cursor";

export interface ListExportRequest<Page extends ListPage> {
  readonly list: Page;
  readonly format: ExportFormat;
  /** As the list understood them, for the audit. */
  readonly filters: object;
  /** Columns of the list that the file holds, of `exportableColumns`; without them, all that it may have. */
  readonly columns?: readonly string[] | undefined;
  readonly source: ListSource<Page>;
}

/** The whole audit in one file is more than a look at it. */
function permissionOf(list: ListPage): Action {
  return list === "audit" ? "audit.export" : VIEW_READ[list];
}

/**
 * A list with its present filters as a file of at most {@link EXPORT_LIMITS} rows. Lists carry keys and names of accounts, so the
 * audit keeps who takes one, with which filters and columns. Rows that come in while it is read may be in it or not; none is in it twice.
 *
 * @throws AppError `auth.forbidden` 403, of the audit `auth.step_up_required` 403
 */
export async function exportList<Page extends ListPage>(
  ctx: EngineContext,
  { list, format, filters, source, columns }: ListExportRequest<Page>,
  limits: ExportLimits = EXPORT_LIMITS,
): Promise<ExportFile> {
  const permission = permissionOf(list);
  requirePermission(ctx, permission);
  requireConfirmation(ctx, permission);
  const fields = fieldsOf(LISTS[list], columns);
  const wanted = new Set(fields);
  const { direction } = source;
  const kinds = await ctx.kinds.all();
  return exportFile<SourceRow<Page>>(
    ctx,
    {
      name: list,
      format,
      columns: fields,
      entry: {
        subject: { type: "tenant", id: ctx.tenantId },
        after: { format, atMost: limits.maxRows },
        evidence: { filters, columns: fields },
      },
      page(after, limit) {
        const cursor: Cursor | undefined = after && { sort: "export", direction: "next", ...after.place };
        return readWithin(ctx.db, "list", (q) => source.read(q, { limit, direction, cursor }, wanted, kinds));
      },
      cells: ({ record }) => fieldValues(LISTS[list], record, fields),
    },
    limits,
  );
}
