import { CONFLICTS_READ, selectConflictGroups } from "@/db/conflicts/select-conflict-groups";
import { resolveWindow } from "@/db/exports/window";
import { readWithin } from "@/db/bounded-read";
import type { ConflictGroup, ConflictsView } from "@/presentation/views/conflicts";
import type { EngineContext } from "@/engine/context";
import { groupView } from "./conflict-groups";
import { requirePermission } from "@/engine/actions/require";
import { type ConflictSearch, conflictWindow } from "@/domain/lists/filters";

/**
 * Conflicts of a window grouped by client and operation; the last 24 hours where none is named.
 * @throws AppError `auth.forbidden` 403, `dependency.timeout` 504
 */
export async function listConflicts(ctx: EngineContext, search: ConflictSearch): Promise<ConflictsView> {
  requirePermission(ctx, "conflicts.read");
  const kinds = await ctx.kinds.all();
  return readWithin(ctx.db, "list", async (q): Promise<ConflictsView> => {
    const { from, until, at } = await resolveWindow(q, conflictWindow(search));
    if (from === undefined) throw new Error("a window of conflicts begins somewhere");
    const window = { from, until, open: search.to === undefined };
    const groups = (await selectConflictGroups(q, ctx.tenantId, window, search)).map((group) =>
      groupView(group, kinds),
    );
    const total = groups.reduce((sum, group) => sum + group.count, 0);
    return {
      at,
      from,
      to: until,
      total,
      more: total >= CONFLICTS_READ,
      // What nobody judged yet, or what came after the judgement, stands first.
      groups: [...groups.filter((group) => !judged(group)), ...groups.filter(judged)],
    };
  });
}

function judged({ mark }: ConflictGroup): boolean {
  return mark?.newer === 0;
}
