import { resolveWindow } from "@/db/exports/window";
import { countInboxArrivals, selectInboxArrivals, type ArrivalExportRow } from "@/db/exports/select-inbox-arrivals";
import { readWithin } from "@/db/sql-text";
import { inboxCells } from "@/presentation/list/export-rows";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "@/engine/actions/require";
import { EXPORT_LIMITS, type ExportFile } from "./export-file";
import { exportPlaybook } from "./export-playbook";
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
): Promise<ExportFile> {
  requirePermission(ctx, "inbox.read");
  const { consumer, source, messageId } = filters;
  const window = await readWithin(ctx.db, "list", (q) => resolveWindow(q, filters));
  return exportPlaybook<ArrivalExportRow>(
    ctx,
    {
      name: "consumer-inbox",
      subject: { type: "tenant", id: ctx.tenantId },
      filters: { consumer, source, messageId, ...window },
      count: (q, limit) => countInboxArrivals(q, ctx.tenantId, filters, window, limit),
      page: (q, after, limit) => selectInboxArrivals(q, ctx.tenantId, filters, window, { after, limit: limit + 1 }),
      cells: (row) => inboxCells({ ...row, messageId: row.message_id, processedAt: row.processed_at }),
    },
    limits,
  );
}
