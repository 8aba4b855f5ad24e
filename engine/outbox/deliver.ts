import { v7 as uuidv7 } from "uuid";
import type { ClaimedOutboxMessage } from "@/db/outbox/claim-outbox";
import { mapDatabaseError } from "@/db/errors";
import { failOutbox } from "@/db/outbox/end-outbox";
import { backoffMs, type Backoff } from "@/domain/messages/backoff";
import { AppError } from "@/domain/errors";
import type { EngineContext } from "../context";
import { describeError } from "../telemetry/describe-error";
import { outboxBody } from "./envelope";
import { meters } from "../telemetry/meters";
import { currentTraceparent, inSpan, type SpanOptions } from "../telemetry/telemetry";
import type { DeliveryResult, Transport } from "./transport";

/** A destination that has not answered by then has not acknowledged. */
export const DELIVERY_TIMEOUT_MS = 5_000;
/** Failed attempts after which a message is dead. */
export const OUTBOX_MAX_ATTEMPTS = 12;
export const OUTBOX_BACKOFF: Backoff = { baseMs: 1_000, capMs: 300_000 };

/** What became of one claimed message. */
export type Fate =
  | { readonly kind: "acknowledged" | "failed" | "dead" | "fenced" }
  | { readonly kind: "unavailable"; readonly code: string; readonly reason: string };

interface How {
  readonly destination: string | undefined;
  readonly random: () => number;
}

/** Delivers one claimed message, in the trace of the request that wrote it, so that one trace reaches the consumer. */
export function deliver(
  ctx: EngineContext,
  transport: Transport,
  message: ClaimedOutboxMessage,
  how: How,
): Promise<Fate> {
  const { traceparent } = message.headers;
  const options: SpanOptions = {
    kind: "producer",
    parent: typeof traceparent === "string" ? traceparent : undefined,
    facts: () => ({
      "messaging.system": transport.name,
      "messaging.operation.name": "send",
      "messaging.operation.type": "send",
      "messaging.destination.name": message.topic,
      "messaging.message.id": message.id,
      "idempotency.operation_id": message.operation_id ?? undefined,
      "http.request.resend_count": message.attempts_started > 1 ? message.attempts_started - 1 : undefined,
    }),
  };
  return inSpan(`send ${topicOf(message.topic)}`, options, async (span) => {
    const end = meters.sending.startTimer();
    const fate = await attempt(ctx, transport, message, how);
    end();
    meters.sent.inc({ outcome: fate.kind });
    if (fate.kind !== "acknowledged") span.fail(fate.kind);
    return fate;
  });
}

/** A span's name is one of few: what follows the colon of a topic is an id. */
function topicOf(topic: string): string {
  return topic.split(":", 1)[0] ?? topic;
}

async function attempt(
  ctx: EngineContext,
  transport: Transport,
  message: ClaimedOutboxMessage,
  how: How,
): Promise<Fate> {
  if (message.attempts_started > OUTBOX_MAX_ATTEMPTS) {
    return fail(ctx, message, { code: "outbox.unfinished", reason: "Started too often without ever ending" }, 0, 0);
  }
  const said = await send(ctx, transport, message, how.destination);
  switch (said.kind) {
    case "acknowledged":
      return { kind: "acknowledged" };
    case "unavailable":
      return { kind: "unavailable", code: said.code, reason: said.reason };
    case "rejected":
      return fail(ctx, message, said, 0, 0);
    case "failed": {
      const delayMs = backoffMs(message.attempts_started, OUTBOX_BACKOFF, how.random());
      return fail(ctx, message, said, delayMs, OUTBOX_MAX_ATTEMPTS);
    }
  }
}

/** A transport that throws, against its promise, has met something about this message or its endpoint, or the database is away. */
async function send(
  ctx: EngineContext,
  transport: Transport,
  message: ClaimedOutboxMessage,
  destination: string | undefined,
): Promise<DeliveryResult> {
  try {
    return await transport.deliver(
      ctx,
      {
        id: message.id,
        topic: message.topic,
        type: message.type,
        body: outboxBody(ctx.tenantId, message),
        headers: { ...message.headers, traceparent: currentTraceparent() ?? message.headers["traceparent"] },
      },
      { timeoutMs: DELIVERY_TIMEOUT_MS, destination },
    );
  } catch (error) {
    const known = mapDatabaseError(error);
    if (known instanceof AppError && known.retryable)
      return { kind: "unavailable", code: known.code, reason: known.message };
    ctx.log.warn({ err: error, outboxId: message.id, topic: message.topic }, "a transport broke over a message");
    const reason = error instanceof Error ? error.message : "unknown";
    return { kind: "failed", code: "delivery.broken", reason: `The transport broke: ${reason}` };
  }
}

async function fail(
  ctx: EngineContext,
  message: ClaimedOutboxMessage,
  said: { readonly code: string; readonly reason: string },
  delayMs: number,
  maxAttempts: number,
): Promise<Fate> {
  const described = describeError(message.topic, new AppError(said.code, 502, said.reason), said.code);
  const now = await failOutbox(ctx.db.pool, {
    tenantId: ctx.tenantId,
    id: message.id,
    fence: message.fence,
    errorCode: described.code,
    error: described.text,
    errorFingerprint: described.fingerprint,
    delayMs,
    maxAttempts,
    attemptId: uuidv7(),
  });
  if (now === "dead")
    ctx.log.error({ outboxId: message.id, topic: message.topic, code: said.code }, "a message is dead");
  return { kind: now === "pending" ? "failed" : now };
}
