import { type DayPlace, resolveWindow } from "@/db/exports/window";
import { countInboxArrivals, selectInboxArrivals, type ArrivalExportRow } from "@/db/exports/select-inbox-arrivals";
import { readWithin } from "@/db/sql-text";
import { inboxCells } from "@/presentation/list/export-rows";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "@/engine/actions/require";
import { csvExport, EXPORT_LIMITS, type CsvExport } from "./csv-export";
import type { InboxExportFilters } from "@/domain/lists/filters";

/**
 * Every arrival of a window at the inbox, also the ones that came again, for each consumer.
 *
 * @throws AppError `auth.forbidden` 403, `export.too_many_rows` 422
 */
export async function exportInbox(
  ctx: EngineContext,
  filters: InboxExportFilters,
  limits = EXPORT_LIMITS,
): Promise<CsvExport> {
  requirePermission(ctx, "inbox.read");
  const { consumer, source, messageId } = filters;
  const window = await readWithin(ctx.db, "list", (q) => resolveWindow(q, filters));
  return csvExport<ArrivalExportRow, DayPlace>(
    ctx,
    {
      name: "consumer-inbox",
      subject: { type: "tenant", id: ctx.tenantId },
      filters: { consumer, source, messageId, ...window },
      count: (q, limit) => countInboxArrivals(q, ctx.tenantId, filters, window, limit),
      page: (q, page) => selectInboxArrivals(q, ctx.tenantId, filters, window, page),
      placeOf: ({ day, id }) => ({ day, id }),
      cells: (row) => inboxCells({ ...row, messageId: row.message_id, processedAt: row.processed_at }),
    },
    limits,
  );
}
