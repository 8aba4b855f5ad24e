import { labelsOfTargets } from "@/db/plans/select-plan-items";
import type { ActionAnswer } from "@/engine/actions/action-answer";
import type { ItemOutcome, PlanKindAlone } from "../plan-kind";
import { actOnce, isNotKnown, SETTLED_AS_DONE, whyNothing } from "./attached-act";
import { freezeDead, judgeAgain } from "./attached-rows";

/** Rows of an attached database, each by the function that its owner installed, as an operation of its own (console/attachments). */
export function attachedPlan(act: "requeue" | "discard"): PlanKindAlone {
  return {
    name: `${act}_attached`,
    async freeze(q, ctx, scope, limit) {
      if (scope.by === "ids") {
        const labels = await labelsOfTargets(q, ctx.tenantId, scope.ids.slice(0, limit));
        const known = new Map(labels.map((item) => [item.targetId, item]));
        return judgeAgain(
          ctx,
          act,
          scope.ids.slice(0, limit).flatMap((id) => known.get(id) ?? []),
        );
      }
      return scope.by === "attached" ? (await freezeDead(ctx, act, scope.filter)).slice(0, limit) : [];
    },
    async actAlone(ctx, _registry, actor, targetId) {
      const [item] = await labelsOfTargets(ctx.db.pool, ctx.tenantId, [targetId]);
      const { attachment: attachmentId, row: target } = item?.label ?? {};
      if (attachmentId === undefined || target === undefined) return { state: "failed", outcome: "It names no row." };
      const on = { act, attachmentId, target, before: undefined, most: undefined };
      return outcomeOf(act, await actOnce(ctx, actor, targetId, on));
    },
  };
}

function outcomeOf(act: "requeue" | "discard", answer: ActionAnswer | undefined): ItemOutcome | undefined {
  if (answer === undefined) return undefined;
  if (isNotKnown(answer)) return { state: "done", outcome: SETTLED_AS_DONE };
  if (answer.affected === 0) return { state: "skipped", outcome: whyNothing(answer) };
  const { before, after } = answer;
  const states = [before["state"], after["state"]].filter((state) => typeof state === "string");
  const words = act === "requeue" ? "Requeued" : "Discarded";
  return { state: "done", outcome: states.length === 0 ? `${words}.` : `${words}: ${states.join(", now ")}.` };
}
