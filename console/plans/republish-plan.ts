import { publishedIds } from "@/db/outbox/republish";
import { operationAmounts } from "@/db/plans/operation-plan-facts";
import type { NewPlanItem } from "@/db/plans/create-plan";
import { SETTLED_MEANWHILE } from "@/domain/plans/plan-results";
import { judgeRepublish } from "@/domain/messages/republish-verdict";
import { endpointLabels } from "@/console/read/messages/endpoint-labels";
import { readRepublishFacts, type RepublishFactsOf } from "../actions/republish-facts";
import { republishOne } from "../actions/republish";
import type { ItemOutcome, PlanKind } from "./plan-kind";

/** Messages that a transport acknowledged and that never arrived: published again under their ids, but for those that an inbox of ours has. */
export const republishMessages: PlanKind = {
  name: "republish_messages",
  async freeze(q, ctx, scope, limit) {
    if (scope.by !== "ids" && scope.by !== "published") return [];
    const ids =
      scope.by === "ids" ? scope.ids.slice(0, limit) : await publishedIds(q, ctx.tenantId, scope.filter, limit);
    const found = await readRepublishFacts(q, ctx, ids);
    const operations = [...found.values()].flatMap(({ row }) => row?.operationId ?? []);
    const amounts = await operationAmounts(q, ctx.tenantId, operations);
    const labelOf = await endpointLabels(q, ctx.tenantId);
    return ids.flatMap((id) => {
      const of = found.get(id);
      if (of === undefined) return [];
      const operationId = of.row?.operationId;
      return { ...frozen(id, of, labelOf), amount: operationId === undefined ? undefined : amounts.get(operationId) };
    });
  },
  async act(tx, ctx, actor, targetId): Promise<ItemOutcome> {
    const done = await republishOne(tx, ctx, targetId, { name: actor.startedBy, reason: actor.reason });
    if (done === undefined) return { state: "skipped", outcome: "There is no such message any more." };
    const { judged, outcome } = done;
    if (outcome === undefined) {
      const meanwhile = judged.verdict === "arrived" ? `${SETTLED_MEANWHILE}: ` : "";
      return { state: "skipped", outcome: `${meanwhile}${judged.why}` };
    }
    return {
      state: "done",
      sent: true,
      outcome: "Queued to be published again.",
      audit: {
        action: "outbox.republish",
        subject: { type: "outbox", id: targetId },
        reason: actor.reason,
        before: outcome.before,
        after: { ...outcome.after, changed: true, affected: 1, skipped: [] },
        evidence: { planId: actor.planId, startedBy: actor.startedBy, holding: outcome.evidence },
      },
    };
  },
};

function frozen(
  id: string,
  { facts, row }: RepublishFactsOf,
  labelOf: (topic: string) => string,
): Omit<NewPlanItem, "amount"> {
  const { verdict, acts, why } = judgeRepublish(facts);
  const place = facts.place;
  return {
    targetId: id,
    label: {
      side: "outbox",
      place,
      ...(labelOf(place) !== place && { placeName: labelOf(place) }),
      messageId: id,
      ...(row !== undefined && { type: row.type, publishedAt: row.publishedAt, transport: row.transport ?? "" }),
      ...(row?.operationId !== undefined && { operationId: row.operationId }),
    },
    verdict,
    why,
    acts,
  };
}
