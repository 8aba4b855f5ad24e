import {
  insertConflictMarks as writeMark,
  selectConflictMarks,
  unmarkConflicts,
} from "@/db/conflicts/select-conflicts";
import { selectConflictGroups } from "@/db/conflicts/select-conflict-groups";
import { resolveWindow } from "@/db/exports/window";
import { AppError } from "@/domain/errors";
import { changedOutcome, unchangedOutcome, type ActionOrigin, type ActionResult } from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import { operatorAction } from "@/engine/actions/operator-action";

/** How far back a group is known. */
const GROUP_RANGE = "7d";

export const CONFLICT_MARKS = ["client_fault", "ours", "none"] as const;

export interface ConflictMarkInput {
  /** As the page names it. */
  readonly client: string;
  readonly operation: string;
  /** `none` takes the mark back. */
  readonly mark: (typeof CONFLICT_MARKS)[number];
  /** Why; shown beside the mark and kept in the audit. */
  readonly note: string;
}

/**
 * Says whose fault the conflicts of a client and operation are, up to now: those that come later are new again. No request is
 * answered otherwise because of it.
 * @throws AppError `conflict.not_found` 404 when this client has none for this operation, and as of operatorAction
 */
export function markConflicts(
  ctx: EngineContext,
  origin: Omit<ActionOrigin, "reason">,
  { client, operation, mark, note }: ConflictMarkInput,
): Promise<ActionResult> {
  const subject = { type: "conflicts", id: `${client} ${operation}` };
  const input = { client, operation, mark };
  const request = { ...origin, action: "conflicts.mark", subject, input, reason: note } as const;
  return operatorAction(ctx, request, async (tx) => {
    const { tenantId } = ctx;
    const [was] = await selectConflictMarks(tx, tenantId, { client, operation });
    const { from, until } = await resolveWindow(tx, { range: GROUP_RANGE });
    const window = { from: from ?? until, until, open: true };
    const [group] = await selectConflictGroups(tx, tenantId, window, { client, operation });
    if (was === undefined && group === undefined) throw notFound();
    const before = { mark: was?.mark ?? null, note: was?.note ?? null };
    if (mark === "none") {
      const changed = await unmarkConflicts(tx, { tenantId, client, operation });
      return changed
        ? changedOutcome(before, { mark: null, note: null })
        : unchangedOutcome(subject.id, "It had no mark.", before);
    }
    await writeMark(tx, { tenantId, client, operation, mark, note, by: ctx.actor.name });
    return changedOutcome(before, { mark, note }, group?.count ?? 0);
  });
}

function notFound(): AppError {
  return new AppError("conflict.not_found", 404, "There are no such conflicts", {
    detail: "Nothing was marked. No conflict of this client and operation is on record for the last 7 days.",
  });
}
