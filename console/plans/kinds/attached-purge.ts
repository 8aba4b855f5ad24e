import { v7 as uuidv7 } from "uuid";
import { countPurge } from "@/attach/act/count-purge";
import { rowsOfLabel, type NewPlanItem } from "@/db/plans/create-plan";
import { labelsOfTargets } from "@/db/plans/select-plan-items";
import { MAX_PURGE_BATCHES, MAX_PURGED_ROWS, PURGE_COUNT_MS } from "@/domain/attachments/acts";
import { PURGE_ATTACHED_KIND } from "@/domain/plans/plan";
import { SETTLED_MEANWHILE } from "@/domain/plans/plan-results";
import { writtenTime } from "@/domain/written-time";
import type { ActionAnswer } from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import type { AttachedScope, ItemOutcome, PlanKindAlone } from "../plan-kind";
import { actOnce, isNotKnown, SETTLED_AS_DONE } from "./attached-act";
import { withOffered } from "./attached-rows";

const LIMITS = { rows: MAX_PURGED_ROWS, batches: MAX_PURGE_BATCHES, withinMs: PURGE_COUNT_MS };

/**
 * Finished rows of an attached database, deleted by the guarded function in batches. Each is an operation of its own and takes at most as
 * many rows as it froze, so that a plan never deletes more than what was agreed to.
 */
export const purgeAttached: PlanKindAlone = {
  name: PURGE_ATTACHED_KIND,
  // Batches have no rows of their own that could be judged again: another purge is another plan.
  freeze: async (_q, ctx, scope, limit) =>
    scope.by === "attached" ? (await freezeBatches(ctx, scope.filter)).slice(0, limit) : [],
  async actAlone(ctx, _registry, actor, targetId) {
    const [item] = await labelsOfTargets(ctx.db.pool, ctx.tenantId, [targetId]);
    const { attachment: attachmentId, before } = item?.label ?? {};
    if (item === undefined || attachmentId === undefined || before === undefined)
      return { state: "failed", outcome: "It names no batch." };
    const most = rowsOfLabel(item.label);
    const on = { act: "purge" as const, attachmentId, target: undefined, before: new Date(before), most };
    return outcomeOf(most, await actOnce(ctx, actor, targetId, on));
  },
};

async function freezeBatches(ctx: EngineContext, scope: AttachedScope): Promise<readonly NewPlanItem[]> {
  const { attachment, before } = scope;
  if (before === undefined) return [];
  const { counted, name } = await withOffered(ctx, attachment, "purge", async ({ foreign, row }) => ({
    counted: await countPurge(foreign, row.installedAs, new Date(before), LIMITS),
    name: row.name,
  }));
  return counted.batches.map((rows, index): NewPlanItem => {
    const last = index === counted.batches.length - 1;
    return {
      targetId: uuidv7(),
      rows,
      label: {
        ...{ attachment, place: name, before, key: rowsText(rows), row: `batch ${String(index + 1)}` },
        type: `Batch ${String(index + 1)}`,
        ...(last && counted.more && { more: "yes" }),
      },
      verdict: "due_there",
      why: `The function would delete ${rowsText(rows)} from before ${writtenTime(before)}. It decides again when the batch runs, and takes no more than that.`,
      acts: true,
    };
  });
}

function outcomeOf(most: number, answer: ActionAnswer | undefined): ItemOutcome | undefined {
  if (answer === undefined) return undefined;
  const { affected } = answer;
  if (isNotKnown(answer)) return { state: "done", outcome: SETTLED_AS_DONE };
  if (affected === 0)
    return { state: "skipped", outcome: `${SETTLED_MEANWHILE}: the function found no row to delete any more.` };
  const fewer = affected < most ? ` of ${most.toLocaleString("en")}: the function found no more` : "";
  return { state: "done", outcome: `The function deleted ${rowsText(affected)}${fewer}.` };
}

const rowsText = (count: number): string => `${count.toLocaleString("en")} ${count === 1 ? "row" : "rows"}`;
