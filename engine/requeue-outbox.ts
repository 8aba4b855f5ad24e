import { createHash } from "node:crypto";
import { inboxHolding, type InboxHolding } from "@/db/queries/inbox-holding";
import { outboxForRequeue, type OutboxForRequeue } from "@/db/queries/outbox-for-requeue";
import { closeOutboxRow } from "@/db/statements/close-outbox";
import { requeueOutboxRow } from "@/db/statements/requeue-outbox";
import { AppError } from "@/domain/errors";
import type { ActionOutcome, ActionRequest, ActionResult } from "./action-answer";
import type { EngineContext } from "./context";
import { OWN_SOURCE } from "./event-source";
import { operatorAction } from "./operator-action";
import { outboxBody, type EnvelopeSource } from "./envelope";

/** What may be done with a message now (C.5). `close`: the other side holds it, so sending again would do nothing. */
export type OutboxVerdict =
  | { readonly kind: "requeue"; readonly why: string }
  | { readonly kind: "close"; readonly why: string }
  | { readonly kind: "leave"; readonly why: string };

/**
 * Sends a dead message once more under its old id, or closes it as delivered when the consumer's inbox holds it already.
 * Whatever else it is, it is left alone and told why.
 *
 * @throws AppError `outbox.not_found` 404
 */
export async function requeueOutbox(ctx: EngineContext, request: ActionRequest, id: string): Promise<ActionResult> {
  return operatorAction(ctx, request, async (tx): Promise<ActionOutcome> => {
    const message = await outboxForRequeue(tx, ctx.tenantId, id);
    if (message === undefined)
      throw new AppError("outbox.not_found", 404, "There is no such message", { detail: "Nothing was changed." });
    const holding = await inboxHolding(tx, ctx.tenantId, OWN_SOURCE, id);
    const verdict = judgeOutbox(message, holding, hashOf(ctx.tenantId, message));
    const before = {
      state: message.state,
      attempts: message.attempts_started,
      errorCode: message.last_error_code,
      topic: message.topic,
    };
    const skip = (why: string): ActionOutcome => ({
      changed: false,
      affected: 0,
      skipped: [{ id, why }],
      before,
      after: before,
    });
    if (verdict.kind === "leave") return skip(verdict.why);
    const actor = ctx.actor.name;
    const done = await (verdict.kind === "close" ? closeOutboxRow : requeueOutboxRow)(
      tx,
      ctx.tenantId,
      id,
      actor,
      verdict.why,
    );
    if (!done) return skip("It moved meanwhile.");
    const after =
      verdict.kind === "close"
        ? { state: "published", sent: false, why: verdict.why }
        : { state: "pending", attempts: 0, why: verdict.why };
    return {
      changed: true,
      affected: 1,
      skipped: [],
      before,
      after,
      evidence: holding.map(({ id: inboxId, consumer, state }) => ({ inboxId, consumer, state })),
    };
  });
}

/** @param payloadHash SHA-256 of what would be sent */
export function judgeOutbox(
  message: OutboxForRequeue,
  holding: readonly InboxHolding[],
  payloadHash: Buffer,
): OutboxVerdict {
  if (message.state === "published")
    return { kind: "leave", why: `It was published at ${message.published_at?.toISOString() ?? "an earlier time"}.` };
  if (message.state === "discarded") return { kind: "leave", why: "It was discarded: it is never sent." };
  if (message.state === "pending") {
    return message.leased
      ? { kind: "leave", why: `A relay holds it until ${message.locked_until?.toISOString() ?? "its lease ends"}.` }
      : { kind: "leave", why: "It waits for its turn: the relay sends it by itself." };
  }
  if (message.operation_state === "UNKNOWN_REQUIRES_RECOVERY")
    return { kind: "leave", why: "The outcome of its operation is unknown: settle that first." };
  const other = holding.find((held) => !held.payload_hash.equals(payloadHash));
  if (other !== undefined) return { kind: "leave", why: `${other.consumer} holds another payload under this id.` };
  const held = holding.find((row) => row.state === "processed") ?? holding[0];
  if (held === undefined) return { kind: "requeue", why: "No consumer has seen this id." };
  const verb = held.state === "processed" ? "processed" : "recorded";
  return {
    kind: "close",
    why: `${held.consumer} ${verb} it at ${held.at.toISOString()}. Sending it again does nothing.`,
  };
}

function hashOf(tenantId: string, message: EnvelopeSource): Buffer {
  return createHash("sha256").update(outboxBody(tenantId, message)).digest();
}
