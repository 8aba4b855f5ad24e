import { type DeadLetterDbRow, deadLettersById } from "@/db/messages/dead-letters";
import type { NewPlanItem } from "@/db/plans/create-plan";
import { operationAmounts } from "@/db/plans/operation-plan-facts";
import type { Queryable } from "@/db/client";
import type { CorrectionFacts } from "@/domain/messages/correction-verdict";
import { judgeCorrection } from "@/domain/messages/correction-verdict";
import { CORRECTION_KIND } from "@/domain/plans/plan";
import type { EngineContext } from "@/engine/context";
import { readCorrectionFacts } from "../actions/correction-facts";
import { endpointLabels } from "../read/messages/endpoint-labels";
import { settledVerdict } from "./judge-dead-letters";
import type { PlanKind } from "./plan-kind";

/** Why such a plan waits for a second person. */
export const CORRECTION_APPROVAL = "A corrected message is sent only after a second person approves it.";

/** One dead message that is to be sent again with another body. It acts when it is approved, so the worker never has a row of it. */
export const correctDeadLetter: PlanKind = {
  name: CORRECTION_KIND,
  async freeze(q, ctx, scope, limit) {
    if (scope.by !== "ids") return [];
    return correctionItems(q, ctx, await deadLettersById(q, ctx.tenantId, scope.ids.slice(0, limit)), true);
  },
  act: () => Promise.resolve({ state: "skipped", outcome: "A correction is queued when it is approved." }),
};

/** @param proposed they are about proposals that wait already */
export async function correctionItems(
  q: Queryable,
  ctx: EngineContext,
  letters: readonly DeadLetterDbRow[],
  proposed: boolean,
): Promise<readonly NewPlanItem[]> {
  const ids = letters.flatMap(({ side, messageId }) => (side === "outbox" ? [messageId] : []));
  const facts = await readCorrectionFacts(q, ctx, ids, proposed);
  const operations = letters.flatMap(({ operationId }) => operationId ?? []);
  const amounts = await operationAmounts(q, ctx.tenantId, operations);
  const labelOf = await endpointLabels(q, ctx.tenantId);
  return letters.map((letter) => ({
    ...itemOf(letter, facts.get(letter.messageId)),
    label: {
      side: letter.side,
      place: letter.place,
      ...(labelOf(letter.place) !== letter.place && { placeName: labelOf(letter.place) }),
      type: letter.type,
      messageId: letter.messageId,
      error: letter.errorCode,
      deadAt: letter.deadAt,
      ...(letter.operationId !== undefined && { operationId: letter.operationId }),
    },
    amount: letter.operationId === undefined ? undefined : amounts.get(letter.operationId),
  }));
}

function itemOf(letter: DeadLetterDbRow, facts: CorrectionFacts | undefined) {
  const settled = settledVerdict(letter);
  const { offered, why } = settled === undefined ? judgeCorrection(facts) : { offered: false, why: settled.why };
  const verdict = offered ? "refused" : facts?.state === "dead" && settled === undefined ? "doubtful" : "moved";
  return { targetId: letter.id, verdict, why, acts: offered } as const;
}
