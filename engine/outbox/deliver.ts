import type { ClaimedOutboxMessage } from "@/db/messages/claim-messages";
import { mapDatabaseError } from "@/db/errors";
import { AppError } from "@/domain/errors";
import { DELIVERY_TIMEOUT_MS } from "@/domain/messages/delivery";
import { SIDES } from "@/domain/messages/side";
import type { EngineContext } from "../context";
import { failAttempt } from "../messages/fail-attempt";
import { LOST } from "../messages/sealed-message";
import { outboxBody } from "./envelope";
import { openPayload } from "./sealed-payload";
import { meters } from "../telemetry/meters";
import { currentTraceparent, inSpan, type SpanOptions } from "../telemetry/telemetry";
import type { DeliveryResult, Transport } from "./transport";
import { deliveryFailed, hasCircuit } from "./webhooks/endpoint-circuit";

/** Why no message of a topic is sent now. */
export interface Unavailable {
  readonly code: string;
  readonly reason: string;
  /** Its circuit is open, and says itself when it is tried again. */
  readonly circuit?: boolean;
}

/** What became of one claimed message. */
export type Fate =
  | {
      readonly kind: "acknowledged" | "failed" | "dead" | "fenced";
      /** Its failure was one too many: the rest of the topic waits. */
      readonly opened?: Unavailable;
    }
  | ({ readonly kind: "unavailable" } & Unavailable);

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
  if (message.attempts_started > SIDES.outbox.maxAttempts) {
    return fail(
      ctx,
      message,
      { code: "outbox.unfinished", reason: "Started too often without ever ending" },
      how,
      true,
    );
  }
  const result = await send(ctx, transport, message, how.destination);
  switch (result.kind) {
    case "acknowledged":
      return { kind: "acknowledged" };
    case "unavailable":
      return { kind: "unavailable", code: result.code, reason: result.reason };
    case "rejected":
      return fail(ctx, message, result, how, true);
    case "failed":
      return hasCircuit(message.topic)
        ? failAtEndpoint(ctx, message, result, how)
        : fail(ctx, message, result, how, false);
  }
}

/** A failure of a canary, or of what was under way when the circuit opened, is no attempt of the message: its endpoint is down. */
async function failAtEndpoint(
  ctx: EngineContext,
  message: ClaimedOutboxMessage,
  { code, reason }: { readonly code: string; readonly reason: string },
  how: How,
): Promise<Fate> {
  const circuit = await deliveryFailed(ctx, { topic: message.topic, code, reason, random: how.random });
  const down = { code: "webhook.endpoint_down", reason: `The endpoint is down: ${reason}`, circuit: true };
  if (circuit.wasOpen) return { kind: "unavailable", ...down };
  const fate = await fail(ctx, message, { code, reason }, how, false);
  return circuit.isOpen && fate.kind !== "unavailable" ? { ...fate, opened: down } : fate;
}

/** A transport that throws, against its promise, has met something about this message or its endpoint, or the database is away. */
async function send(
  ctx: EngineContext,
  transport: Transport,
  message: ClaimedOutboxMessage,
  destination: string | undefined,
): Promise<DeliveryResult> {
  try {
    const opened = await openPayload(ctx, message.id, message.payload);
    if ("lost" in opened) return { kind: "rejected", code: `outbox.payload_${opened.lost}`, reason: LOST[opened.lost] };
    return await transport.deliver(
      ctx,
      {
        id: message.id,
        topic: message.topic,
        type: message.type,
        aggregate: `${message.aggregate_type}/${message.aggregate_id}`,
        body: outboxBody(ctx.tenantId, { ...message, payload: opened.payload }),
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
  { code, reason }: { readonly code: string; readonly reason: string },
  { random }: How,
  final: boolean,
): Promise<Fate> {
  const { id, topic } = message;
  const failure = { place: topic, error: new AppError(code, 502, reason), fallbackCode: code, final, random };
  const { fate } = await failAttempt(ctx, "outbox", message, failure);
  if (fate === "dead") ctx.log.error({ outboxId: id, topic, code }, "a message is dead");
  return { kind: fate };
}
