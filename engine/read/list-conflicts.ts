import { readWithin } from "@/db/queries/sql-text";
import { selectConflicts } from "@/db/queries/console/select-conflicts";
import type { ConflictsView } from "@/domain/views/conflicts";
import type { EngineContext } from "@/engine/context";
import { groupConflicts } from "./conflict-groups";
import { requirePermission } from "./require";

export interface ListConflictsInput {
  readonly hours: 24 | 168;
  readonly client?: string | undefined;
  readonly operation?: string | undefined;
}

/** Conflicts of a window grouped by client and operation. @throws AppError `auth.forbidden` 403, `dependency.timeout` 504 */
export async function listConflicts(ctx: EngineContext, input: ListConflictsInput): Promise<ConflictsView> {
  requirePermission(ctx, "conflicts.read");
  const rows = await readWithin(ctx.db, "list", (q) => selectConflicts(q, ctx.tenantId, input));
  return {
    at: new Date().toISOString(),
    hours: input.hours,
    total: rows.length,
    groups: groupConflicts(rows, input.hours, Date.now()),
  };
}
