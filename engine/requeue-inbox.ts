import { inboxForRequeue, type InboxForRequeue } from "@/db/queries/inbox-for-requeue";
import { requeueInboxRow } from "@/db/statements/requeue-inbox";
import { AppError } from "@/domain/errors";
import type { ActionOutcome, ActionRequest, ActionResult } from "./action-answer";
import type { EngineContext } from "./context";
import { operatorAction } from "./operator-action";

/**
 * Hands a dead message to its consumer once more; unique constraints keep a half-done effect from happening twice.
 *
 * @throws AppError `inbox.not_found` 404
 */
export async function requeueInbox(ctx: EngineContext, request: ActionRequest, id: string): Promise<ActionResult> {
  return operatorAction(ctx, request, async (tx): Promise<ActionOutcome> => {
    const message = await inboxForRequeue(tx, ctx.tenantId, id);
    if (message === undefined)
      throw new AppError("inbox.not_found", 404, "There is no such message", { detail: "Nothing was changed." });
    const before = {
      state: message.state,
      consumer: message.consumer,
      attemptsStarted: message.attempts_started,
      attemptsFinished: message.attempts_finished,
      errorCode: message.last_error_code,
    };
    const skip = (why: string): ActionOutcome => ({
      changed: false,
      affected: 0,
      skipped: [{ id, why }],
      before,
      after: before,
    });
    const why = leaveInbox(message);
    if (why !== undefined) return skip(why);
    if (!(await requeueInboxRow(tx, ctx.tenantId, id, ctx.actor.name, request.reason)))
      return skip("It moved meanwhile.");
    return { changed: true, affected: 1, skipped: [], before, after: { state: "recorded", attemptsStarted: 0 } };
  });
}

/** @returns why a message is better left alone; undefined: it may be handled again (C.5). */
export function leaveInbox(message: InboxForRequeue): string | undefined {
  if (message.state === "processed") {
    return `${message.consumer} processed it at ${message.processed_at?.toISOString() ?? "an earlier time"}. Handling it again does nothing.`;
  }
  if (message.state === "discarded") return "It was discarded: it is never handled.";
  if (message.state === "recorded") {
    return message.leased
      ? `A consumer holds it until ${message.locked_until?.toISOString() ?? "its lease ends"}.`
      : "It waits for its turn: the consumer takes it by itself.";
  }
  // A provider's webhook is about an unknown operation by nature; everybody else waits until that is settled.
  if (message.operation_state === "UNKNOWN_REQUIRES_RECOVERY" && message.consumer !== "provider-webhook") {
    return "The outcome of its operation is unknown: settle that first.";
  }
  return undefined;
}
