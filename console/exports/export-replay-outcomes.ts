import { resolveWindow } from "@/db/exports/window";
import { countAnswers, selectAnswerExport, type AnswerExportRow } from "@/db/exports/select-answers";
import { readWithin } from "@/db/sql-text";
import { replayOutcomeCells } from "@/presentation/list/export-rows";
import { originalKey } from "@/domain/idempotency/idempotency-key";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "@/engine/actions/require";
import { EXPORT_LIMITS, type ExportFile } from "./export-file";
import { exportPlaybook } from "./export-playbook";
import type { ReplayOutcomeFilters } from "@/domain/lists/filters";

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
  return exportPlaybook<AnswerExportRow>(
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
          key: row.key === null ? "" : originalKey(row.key, row.operation_id),
          payloadHash: row.payload_hash ?? "",
          resultId: row.resource_id,
        }),
    },
    limits,
  );
}
