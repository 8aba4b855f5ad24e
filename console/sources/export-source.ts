import { VIEW_COLUMNS, type AttachView } from "@/attach/contract/columns";
import { listRows, whyNotListed, type AttachedRow } from "@/attach/read/list-rows";
import { exportFile, type ExportFile, type ExportLimits } from "@/console/exports/export-file";
import { AppError } from "@/domain/errors";
import type { EngineContext } from "@/engine/context";
import type { ExportCell, ExportFormat } from "@/presentation/list/export-writer";
import { fileColumns, fileCells } from "@/presentation/sources/source-file";
import { SOURCE_PAGES } from "@/presentation/sources/source-words";
import { EXPORTED_AT_ONCE, EXPORTED_ROWS } from "./limits";
import { shownRow, viewFacts } from "./shown-row";
import { withSource, type SourceBy } from "./with-source";

export interface SourceExportAsk {
  readonly view: AttachView;
  /** Default CSV. */
  readonly format?: ExportFormat | undefined;
  /** Rows in this state alone. */
  readonly state?: string | undefined;
}

const LIMITS: ExportLimits = { pageRows: EXPORTED_AT_ONCE, maxRows: EXPORTED_ROWS };

/**
 * A list of an attached database as a file, in its order, the newest first. It has every column of the list; one that is not stored
 * says so in its name and in each row. Each page is judged before it is read, as on the screen. The audit keeps who takes it.
 *
 * @returns undefined when the tenant has no such attachment, or its tables have nothing for this list
 * @throws AppError `attach.too_dear` 422 before anything is read, and those of `withSource`
 */
export async function exportSource(
  ctx: EngineContext,
  by: SourceBy,
  { view, state, format = "csv" }: SourceExportAsk,
  limits: ExportLimits = LIMITS,
): Promise<ExportFile | undefined> {
  const judged = await withSource(ctx, by, async ({ row: { id, name, installedAs }, manifest, foreign }) => {
    const types = manifest.views[view]?.order;
    if (types === undefined) return undefined;
    const because = await whyNotListed(foreign, installedAs, view, types, { state, limit: limits.pageRows + 1 });
    if (because !== undefined) throw tooDearToRead(because);
    return { id, name, columns: viewFacts(manifest, view).columns };
  });
  if (judged === undefined) return undefined;
  const { id, name, columns } = judged;
  const names = ["id", "state", ...Object.keys(VIEW_COLUMNS[view]).filter((each) => each !== "id")];
  return exportFile<AttachedRow>(
    ctx,
    {
      name: `${name}-${SOURCE_PAGES[view].path}`,
      action: "exports.attached_rows",
      format,
      columns: fileColumns(names, columns),
      entry: {
        subject: { type: "attachment", id },
        after: { format, atMost: limits.maxRows },
        evidence: { source: name, list: SOURCE_PAGES[view].path, filters: { state } },
      },
      page: (after, limit) => readPage(ctx, { id }, { view, state, after: after?.place, limit: limit + 1 }),
      cells: (row): readonly ExportCell[] => fileCells(names, shownRow(view, row), columns),
    },
    limits,
  );
}

interface PageAsk extends Omit<SourceExportAsk, "format"> {
  readonly after: readonly string[] | undefined;
  readonly limit: number;
}

async function readPage(ctx: EngineContext, by: SourceBy, { view, ...ask }: PageAsk): Promise<readonly AttachedRow[]> {
  const page = await withSource(ctx, by, ({ foreign, row, manifest }) =>
    listRows(foreign, row.installedAs, manifest, view, ask),
  );
  if (page === undefined) throw new AppError("attachment.not_found", 404, "It was removed while it was read");
  if (!page.shown) throw tooDearToRead(page.because);
  return page.rows;
}

function tooDearToRead(because: string): AppError {
  return new AppError("attach.too_dear", 422, "The list would be too dear to read", { detail: because });
}
