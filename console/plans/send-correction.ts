import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "@/db/client";
import { actorNames } from "@/db/access/actor-names";
import { correctOutbox, type CorrectionRow, selectCorrection } from "@/db/messages/corrections";
import type { PlanDbRow } from "@/db/plans/select-plans";
import { AppError } from "@/domain/errors";
import { formatExact, parseExact } from "@/domain/idempotency/exact-json";
import { judgeCorrection } from "@/domain/messages/correction-verdict";
import { audit } from "@/engine/actions/audit";
import { KeyDestroyedError } from "@/engine/bodies/data-keys";
import type { EngineContext } from "@/engine/context";
import { sealPayloadText, storedBodyText } from "@/engine/outbox/sealed-payload";
import { readCorrectionFacts } from "../actions/correction-facts";
import { planNotFound, stepRefused } from "./open-items";
import { tieDaysOf } from "../second-person/own-plan";
import { correctionSubject, noMessage, notPossible } from "./propose-correction";

/**
 * Sends a corrected message in place of the dead one, inside the transaction of its approval. All is judged again.
 * @param plan that was just approved, as it was before
 * @returns ids for the audit of the approval
 * @throws AppError `correction.not_possible` 409, `correction.body_purged` 409, `plan.state` 409; the approval is undone with it
 */
export async function sendCorrection(
  tx: Queryable,
  ctx: EngineContext,
  plan: PlanDbRow,
): Promise<{ readonly messageId: string; readonly newMessageId: string }> {
  const correction = await selectCorrection(tx, ctx.tenantId, plan.id);
  if (correction === undefined) throw planNotFound();
  const { messageId } = correction;
  const facts = (await readCorrectionFacts(tx, ctx, [messageId], true)).get(messageId);
  if (facts === undefined) throw noMessage();
  const judged = judgeCorrection(facts);
  if (!judged.offered) throw notPossible(judged.why);
  const newMessageId = uuidv7();
  const names = await actorNames(tx, ctx.tenantId, [plan.createdBy]);
  const proposedBy = names.get(plan.createdBy) ?? plan.createdBy;
  const text = withOwnId(await openCorrection(ctx, correction), messageId, newMessageId);
  const payload = await sealPayloadText(ctx, newMessageId, text);
  const sent = {
    planId: plan.id,
    newId: newMessageId,
    payload,
    actor: proposedBy,
    reason: plan.reason,
    tieDays: tieDaysOf(ctx),
  };
  const result = await correctOutbox(tx, ctx.tenantId, { ...sent, outcome: `Replaced by ${newMessageId}.` });
  if (result === "moved") throw notPossible("It is not dead any more.");
  if (result !== "corrected") throw stepRefused("decide", result ?? plan.state);
  await audit(ctx, tx, {
    action: "outbox.correct",
    subject: { type: "outbox", id: messageId },
    reason: plan.reason,
    before: { state: facts.state, topic: facts.place },
    after: { state: "discarded", correctedBy: newMessageId, changed: true, affected: 1, skipped: [] },
    evidence: { planId: plan.id, proposedBy, deadLetterId: correction.deadLetterId, changes: correction.changes },
  });
  return { messageId, newMessageId };
}

/** @throws AppError `correction.body_purged` 409 when retention destroyed the key of its day, or its plan has ended */
export async function openCorrection(ctx: EngineContext, { planId, body }: CorrectionRow): Promise<string> {
  if (body === undefined) throw purged();
  try {
    const subject = correctionSubject(ctx.tenantId, planId);
    return (await ctx.keyring.open(body, subject, "command")).toString("utf8");
  } catch (error) {
    if (error instanceof KeyDestroyedError) throw purged();
    throw error;
  }
}

function purged(): AppError {
  return new AppError("correction.body_purged", 409, "The corrected body is gone", {
    detail: "It was deleted by retention or when its plan ended. Nothing was sent.",
  });
}

/** An event names itself: its id is that of the message that carries it. */
function withOwnId(text: string, oldId: string, newId: string): string {
  const body = parseExact(text);
  const names = typeof body === "object" && body !== null && "id" in body && body.id === oldId;
  return names ? formatExact({ ...body, id: newId }) : text;
}

/** Both bodies as JSON: the stored one, and the proposed one or what was sent. */
export async function bothBodies(
  q: Queryable,
  ctx: EngineContext,
  correction: CorrectionRow,
): Promise<{ readonly before: string; readonly after: string } | undefined> {
  const { messageId, newMessageId } = correction;
  const before = await storedBodyText(q, ctx, messageId);
  const after =
    newMessageId === undefined ? await openCorrection(ctx, correction) : await storedBodyText(q, ctx, newMessageId);
  return before === undefined || after === undefined ? undefined : { before, after };
}
