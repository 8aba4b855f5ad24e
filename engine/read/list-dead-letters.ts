import { readWithin } from "@/db/queries/sql-text";
import {
  DEAD_LETTER_GROUPS,
  selectDeadLetterGroups,
  selectDeadLetters,
  type DeadLetterDbRow,
} from "@/db/queries/console/select-dead-letters";
import { selectOpenCounts } from "@/db/queries/console/select-open-counts";
import { actionView } from "@/domain/allowed-actions";
import type { DeadLetterFilters } from "@/domain/filters/dead-letters";
import type { DeadLetterRow, DeadLettersView } from "@/domain/views/dead-letters";
import type { EngineContext } from "@/engine/context";
import { requirePermission, roleOf } from "./require";

/** Dead letters grouped by error and place. @throws AppError `auth.forbidden` 403, `dependency.timeout` 504 */
export async function listDeadLetters(
  ctx: EngineContext,
  input: { filters: DeadLetterFilters },
): Promise<DeadLettersView> {
  requirePermission(ctx, "dead_letters.read");
  const { counts, groups, rows } = await readWithin(ctx.db, "list", async (q) => ({
    counts: await selectOpenCounts(q, ctx.tenantId),
    groups: await selectDeadLetterGroups(q, ctx.tenantId, input.filters),
    rows: await selectDeadLetters(q, ctx.tenantId, input.filters),
  }));
  return {
    at: counts.at,
    open: counts.dead_letters,
    more: groups.length > DEAD_LETTER_GROUPS,
    requeue: actionView("requeue", roleOf(ctx.actor), "outbox.requeue", undefined),
    groups: groups.slice(0, DEAD_LETTER_GROUPS).map((group) => ({
      fingerprint: group.error_fingerprint,
      side: group.side,
      place: group.place,
      errorCode: group.error_code,
      error: group.error,
      count: group.count,
      firstAt: group.first_at,
      lastAt: group.last_at,
      types: group.types,
      rows: rows
        .filter(
          (row) =>
            row.error_fingerprint === group.error_fingerprint && row.side === group.side && row.place === group.place,
        )
        .map(deadLetterRow),
    })),
  };
}

export function deadLetterRow(row: DeadLetterDbRow): DeadLetterRow {
  return {
    id: row.id,
    side: row.side,
    messageId: row.message_row_id,
    place: row.place,
    type: row.type,
    operationId: row.operation_id ?? undefined,
    errorCode: row.error_code,
    error: row.error,
    attempts: row.attempts,
    deadAt: row.dead_at,
    requeuedAt: row.settled_at ?? undefined,
    requeuedBy: row.settled_by ?? undefined,
  };
}
