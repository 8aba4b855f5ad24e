import { createHash } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "@/db/client";
import { keepCorrection } from "@/db/messages/corrections";
import { selectDeadLettersOfMessage } from "@/db/messages/select-dead-letters";
import { createPlanRow } from "@/db/plans/create-plan";
import { AppError } from "@/domain/errors";
import { checkCorrection, type BodyProblem } from "@/domain/messages/correction";
import { judgeCorrection } from "@/domain/messages/correction-verdict";
import { CORRECTION_KIND } from "@/domain/plans/plan";
import { changedOutcome, type ActionRequest, type ActionResult } from "@/engine/actions/action-answer";
import { actorRef, operatorAction } from "@/engine/actions/operator-action";
import type { EngineContext } from "@/engine/context";
import { storedBodyText } from "@/engine/outbox/sealed-payload";
import { readCorrectionFacts } from "../actions/correction-facts";
import { CORRECTION_APPROVAL, correctionItems } from "./correction-plan";

/** What tells one proposal from another under the same key: the body itself is kept once, sealed. */
export function correctionInput(body: string): ActionRequest["input"] {
  return { body: createHash("sha256").update(body).digest("hex") };
}

/**
 * Asks a second person to send a dead message again with another body: as a plan of one row, which waits for approval.
 * @param text the whole corrected body, JSON
 * @throws AppError `outbox.not_found` 404, `correction.not_possible` 409, `validation.correction` 422
 */
export async function proposeCorrection(
  ctx: EngineContext,
  request: ActionRequest,
  messageId: string,
  text: string,
): Promise<ActionResult> {
  return operatorAction(ctx, request, async (tx) => {
    const facts = (await readCorrectionFacts(tx, ctx, [messageId])).get(messageId);
    if (facts === undefined) throw noMessage();
    const judged = judgeCorrection(facts);
    if (!judged.offered) throw notPossible(judged.why);
    const { letter, body } = await deadMessage(tx, ctx, messageId);
    const { problem, changes } = checkCorrection({ body, operationId: letter.operationId }, text);
    if (problem !== undefined) throw badBody(problem);
    const planId = uuidv7();
    const sealed = await ctx.keyring.seal(Buffer.from(text), correctionSubject(ctx.tenantId, planId), "command");
    await createPlanRow(tx, {
      tenantId: ctx.tenantId,
      id: planId,
      kind: CORRECTION_KIND,
      filter: { corrects: messageId },
      reason: request.reason ?? "",
      actor: actorRef(ctx.actor),
      approvalNeeded: CORRECTION_APPROVAL,
      items: await correctionItems(tx, ctx, [letter], false),
    });
    const paths = changes.map(({ path, kind }) => ({ path, kind }));
    const bytes = Buffer.byteLength(text);
    const proposal = { planId, messageId, deadLetterId: letter.id, body: sealed, bytes, changes: paths };
    if (!(await keepCorrection(tx, ctx.tenantId, proposal)))
      throw notPossible("A correction of it waits for approval, or it is not dead any more.");
    const before = { state: facts.state, topic: facts.place, errorCode: letter.errorCode };
    return changedOutcome(before, { state: facts.state, planId, planState: "awaiting_approval", changes: paths });
  });
}

/** Its open death and its stored body. @throws AppError `correction.not_possible` 409 where somebody was faster */
async function deadMessage(tx: Queryable, ctx: EngineContext, id: string) {
  const deaths = await selectDeadLettersOfMessage(tx, ctx.tenantId, "outbox", id);
  const letter = deaths.find(({ settledAt }) => settledAt === undefined);
  const body = await storedBodyText(tx, ctx, id);
  if (letter === undefined) throw notPossible("It is not dead any more.");
  if (body === undefined) throw notPossible("Nothing can open its payload.");
  return { letter, body };
}

/** What the sealed body of a proposal belongs to. */
export function correctionSubject(tenantId: string, planId: string) {
  return { tenantId, operation: CORRECTION_KIND, key: planId, operationId: planId };
}

export function noMessage(): AppError {
  return new AppError("outbox.not_found", 404, "There is no such message", { detail: "Nothing was changed." });
}

/** @param why as a sentence */
export function notPossible(why: string): AppError {
  return new AppError("correction.not_possible", 409, "The message cannot be corrected", {
    detail: `Nothing was sent. ${why}`,
  });
}

function badBody({ code, text, paths = [] }: BodyProblem): AppError {
  return new AppError("validation.correction", 422, "The corrected body cannot be sent", {
    detail: `${text} Nothing was recorded.`,
    extensions: {
      problem: code,
      errors: (paths.length === 0 ? ["body"] : paths).map((path) => ({ path, message: text })),
    },
  });
}
