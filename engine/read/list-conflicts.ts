import { readWithin } from "@/db/queries/sql-text";
import { selectConflictMarks } from "@/db/queries/console/select-conflict-marks";
import { CONFLICTS_READ, selectConflicts } from "@/db/queries/console/select-conflicts";
import type { ConflictGroup, ConflictsView } from "@/domain/views/conflicts";
import type { EngineContext } from "@/engine/context";
import { groupConflicts, markOf } from "./conflict-groups";
import { requirePermission } from "./require";

export interface ListConflictsInput {
  readonly hours: 24 | 168;
  readonly client?: string | undefined;
  readonly operation?: string | undefined;
}

/** Conflicts of a window grouped by client and operation. @throws AppError `auth.forbidden` 403, `dependency.timeout` 504 */
export async function listConflicts(ctx: EngineContext, input: ListConflictsInput): Promise<ConflictsView> {
  requirePermission(ctx, "conflicts.read");
  const { rows, marks } = await readWithin(ctx.db, "list", async (q) => ({
    rows: await selectConflicts(q, ctx.tenantId, input),
    marks: await selectConflictMarks(q, ctx.tenantId),
  }));
  const groups = groupConflicts(rows, input.hours, Date.now()).map((group) => ({
    ...group,
    mark: markOf(marks, group, rows),
  }));
  return {
    at: new Date().toISOString(),
    hours: input.hours,
    total: rows.length,
    more: rows.length >= CONFLICTS_READ,
    // What nobody judged yet, or what came after the judgement, stands first.
    groups: [...groups.filter((group) => !judged(group)), ...groups.filter(judged)],
  };
}

function judged({ mark }: ConflictGroup): boolean {
  return mark?.newer === 0;
}
