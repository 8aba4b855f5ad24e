import type { Queryable } from "@/db/client";
import { selectCorrection } from "@/db/messages/corrections";
import type { PlanDbRow } from "@/db/plans/select-plans";
import { judgeCorrection } from "@/domain/messages/correction-verdict";
import { CORRECTION_KIND } from "@/domain/plans/plan";
import { roleOf } from "@/engine/actions/require";
import type { EngineContext } from "@/engine/context";
import { actionView } from "@/presentation/operation/allowed-actions";
import type { PlanCorrection } from "@/presentation/views/plans";
import { readCorrectionFacts } from "../actions/correction-facts";

/** What a page shows of a correction without a reveal: where the bodies differ, and whether it could be sent now. */
export async function readCorrection(
  q: Queryable,
  ctx: EngineContext,
  plan: PlanDbRow,
): Promise<PlanCorrection | undefined> {
  if (plan.kind !== CORRECTION_KIND) return undefined;
  const correction = await selectCorrection(q, ctx.tenantId, plan.id);
  if (correction === undefined) return undefined;
  const { messageId, newMessageId, changes, bytes, body } = correction;
  const waits = plan.state === "awaiting_approval";
  const judged = waits
    ? judgeCorrection((await readCorrectionFacts(q, ctx, [messageId], true)).get(messageId))
    : undefined;
  const gone =
    body === undefined && newMessageId === undefined
      ? "The corrected body was deleted when its plan ended."
      : undefined;
  return {
    messageId,
    newMessageId,
    changes,
    bytes,
    whyNot: judged?.offered === false ? judged.why : undefined,
    note: judged?.offered === true ? judged.why : undefined,
    reveal: actionView("reveal_difference", roleOf(ctx), "bodies.reveal", gone),
  };
}
