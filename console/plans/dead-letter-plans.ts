import { type DeadLetterDbRow, deadLettersById, deadLettersInScope } from "@/db/messages/dead-letters";
import { operationAmounts } from "@/db/plans/operation-plan-facts";
import { CLOSED_AS_DELIVERED, SETTLED_MEANWHILE } from "@/domain/plans/plan-results";
import type { NewPlanItem } from "@/db/plans/create-plan";
import type { JudgedOutlook } from "@/domain/messages/requeue-outlook";
import type { Judged } from "@/domain/messages/requeue-verdict";
import { actOnMessage, type MessageAction } from "../actions/message-actions";
import { endpointLabels } from "@/console/read/messages/endpoint-labels";
import { judgeDeadLetters, outlooksOfDeadLetters, settledVerdict } from "./judge-dead-letters";
import type { ItemOutcome, PlanKind } from "./plan-kind";

const ACTED: Readonly<Record<Judged["act"], string>> = {
  requeue: "Requeued.",
  close: `${CLOSED_AS_DELIVERED}, nothing was sent.`,
  discard: "Discarded.",
  leave: "Left alone.",
};

/** Dead letters set going again, or closed where they were delivered. */
export const requeueDeadLetters = deadLetterPlan("requeue_dead_letters", "requeue");
/** Dead letters dropped for good. */
export const discardDeadLetters = deadLetterPlan("discard_dead_letters", "discard");

function deadLetterPlan(name: PlanKind["name"], action: MessageAction): PlanKind {
  return {
    name,
    async freeze(q, ctx, scope, limit) {
      if (scope.by === "operations" || scope.by === "published") return [];
      const deadLetters =
        scope.by === "ids"
          ? await deadLettersById(q, ctx.tenantId, scope.ids.slice(0, limit))
          : await deadLettersInScope(q, ctx.tenantId, scope.filter, limit);
      const operationIds = deadLetters.flatMap(({ operationId: id }) => id ?? []);
      const amounts = await operationAmounts(q, ctx.tenantId, operationIds);
      const judged = await judgeDeadLetters(q, ctx, action, deadLetters);
      const again = deadLetters.filter(({ id }) => judged.get(id)?.act === "requeue");
      const outlooks = await outlooksOfDeadLetters(q, ctx.tenantId, again);
      const labelOf = await endpointLabels(q, ctx.tenantId);
      return deadLetters.map((deadLetter) => ({
        ...frozen(deadLetter, judged.get(deadLetter.id), outlooks.get(deadLetter.id), labelOf(deadLetter.place)),
        amount: deadLetter.operationId === undefined ? undefined : amounts.get(deadLetter.operationId),
      }));
    },
    async act(tx, ctx, actor, targetId): Promise<ItemOutcome> {
      const [letter] = await deadLettersById(tx, ctx.tenantId, [targetId]);
      if (letter === undefined) return { state: "skipped", outcome: "There is no such dead letter any more." };
      const settled = settledVerdict(letter);
      if (settled !== undefined) return { state: "skipped", outcome: `${SETTLED_MEANWHILE}: ${settled.why}` };
      const { side, messageId: id } = letter;
      const by = { name: actor.startedBy, reason: actor.reason };
      const done = await actOnMessage(tx, ctx, { side, id }, action, by);
      if (done === undefined) return { state: "skipped", outcome: "There is no such message any more." };
      const { judged, outcome } = done;
      if (!outcome.changed) return { state: "skipped", outcome: judged.why };
      return {
        state: "done",
        sent: judged.act === "requeue",
        outcome: judged.act === "close" ? `${ACTED.close} ${judged.why}` : ACTED[judged.act],
        audit: {
          action: `${side}.${action}`,
          subject: { type: side, id },
          reason: actor.reason,
          before: outcome.before,
          after: { ...outcome.after, changed: true, affected: 1, skipped: [] },
          evidence: {
            planId: actor.planId,
            startedBy: actor.startedBy,
            deadLetterId: targetId,
            holding: outcome.evidence,
          },
        },
      };
    },
  };
}

function frozen(
  deadLetter: DeadLetterDbRow,
  judged: Judged | undefined,
  outlook: JudgedOutlook | undefined,
  placeName: string,
): NewPlanItem {
  return {
    targetId: deadLetter.id,
    label: {
      side: deadLetter.side,
      place: deadLetter.place,
      ...(placeName !== deadLetter.place && { placeName }),
      type: deadLetter.type,
      messageId: deadLetter.messageId,
      error: deadLetter.errorCode,
      deadAt: deadLetter.deadAt,
      ...(deadLetter.operationId !== undefined && { operationId: deadLetter.operationId }),
      ...(outlook !== undefined && { outlook: outlook.outlook }),
    },
    verdict: judged?.verdict ?? "moved",
    why: [judged?.why ?? "There is no such message any more.", ...(outlook === undefined ? [] : [outlook.why])].join(
      " ",
    ),
    acts: judged !== undefined && judged.act !== "leave",
  };
}
