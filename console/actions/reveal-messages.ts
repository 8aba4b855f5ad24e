import { selectCorrection } from "@/db/messages/corrections";
import { parseExact } from "@/domain/idempotency/exact-json";
import { bodyChanges, type BodyChange } from "@/domain/messages/correction";
import type { ActionOutcome, ActionRequest, ActionResult } from "@/engine/actions/action-answer";
import { auditRepeatedLook, operatorAction } from "@/engine/actions/operator-action";
import type { EngineContext } from "@/engine/context";
import { storedBodyText } from "@/engine/outbox/sealed-payload";
import { planNotFound } from "../plans/open-items";
import { noMessage } from "../plans/propose-correction";
import { bothBodies } from "../plans/send-correction";

/**
 * The stored body of a message of the outbox, for a person with a reason. What is kept of it is that somebody looked, never what was
 * seen.
 * @throws AppError `outbox.not_found` 404: there is none of this id, or it has left
 */
export async function revealMessage(
  ctx: EngineContext,
  request: ActionRequest,
  id: string,
): Promise<ActionResult & { readonly body: string | undefined }> {
  const result = await operatorAction(ctx, request, async (tx) => {
    const body = await storedBodyText(tx, ctx, id);
    if (body === undefined) throw noMessage();
    return looked({ revealed: "body", bytes: Buffer.byteLength(body) });
  });
  await auditRepeatedLook(ctx, request, result);
  return { ...result, body: await storedBodyText(ctx.db.pool, ctx, id) };
}

/**
 * Where a correction differs from what it corrects, with values, for a person with a reason.
 * @returns no changes once the proposed body is gone
 * @throws AppError `plan.not_found` 404 also for a plan of another kind, `correction.body_purged` 409
 */
export async function revealCorrection(
  ctx: EngineContext,
  request: ActionRequest,
  planId: string,
): Promise<ActionResult & { readonly changes: readonly BodyChange[] | undefined }> {
  const result = await operatorAction(ctx, request, async (tx) => {
    const correction = await selectCorrection(tx, ctx.tenantId, planId);
    if (correction === undefined) throw planNotFound();
    await bothBodies(tx, ctx, correction);
    return looked({ revealed: "difference", messageId: correction.messageId });
  });
  await auditRepeatedLook(ctx, request, result);
  const correction = await selectCorrection(ctx.db.pool, ctx.tenantId, planId);
  const bodies = correction && (await bothBodies(ctx.db.pool, ctx, correction));
  return { ...result, changes: bodies && bodyChanges(parseExact(bodies.before), parseExact(bodies.after)) };
}

function looked(after: ActionOutcome["after"]): ActionOutcome {
  return { changed: false, affected: 1, skipped: [], before: {}, after };
}
