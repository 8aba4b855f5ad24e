import { v7 as uuidv7 } from "uuid";
import { claimOutbox, type ClaimedOutboxMessage } from "@/db/statements/claim-outbox";
import { failOutbox } from "@/db/statements/fail-outbox";
import { publishOutbox } from "@/db/statements/publish-outbox";
import { releaseOutbox } from "@/db/statements/release-outbox";
import { backoffMs, type Backoff } from "@/domain/backoff";
import { AppError } from "@/domain/errors";
import type { EngineContext } from "./context";
import { describeError } from "./describe-error";
import { meters } from "./meters";
import { currentTraceparent, inSpan, type SpanOptions } from "./telemetry";

/** Messages that one relay holds at once. */
export const RELAY_BATCH = 50;
/** Deliveries of one relay under way at once. */
export const RELAY_CONCURRENCY = 8;
/** A destination that has not answered by then has not acknowledged. */
export const DELIVERY_TIMEOUT_MS = 5_000;
/** Outlasts a whole batch of deliveries that all time out, so that nobody else sends them meanwhile. */
export const RELAY_LEASE_MS = Math.ceil(RELAY_BATCH / RELAY_CONCURRENCY) * DELIVERY_TIMEOUT_MS + 15_000;
/** Failed attempts after which a message is dead. */
export const OUTBOX_MAX_ATTEMPTS = 12;
export const OUTBOX_BACKOFF: Backoff = { baseMs: 1_000, capMs: 300_000 };

export interface OutboxDelivery {
  /** The message's id on every resend: consumers dedupe by it. */
  readonly id: string;
  readonly topic: string;
  readonly type: string;
  /** The same bytes on every resend. */
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** What a destination said. `rejected`: it will never take it, so it is dead at once. */
export type DeliveryResult =
  | { readonly kind: "acknowledged" }
  | { readonly kind: "failed"; readonly code: string; readonly reason: string }
  | { readonly kind: "rejected"; readonly code: string; readonly reason: string };

/** Carries one message to the destination of its topic. Never throws for trouble on the way. */
export type Transport = (
  ctx: EngineContext,
  delivery: OutboxDelivery,
  options: { readonly timeoutMs: number },
) => Promise<DeliveryResult>;

export interface RelayResult {
  readonly claimed: number;
  readonly published: number;
  readonly failed: number;
  readonly dead: number;
  /** Another relay had taken it over; what we did is not marked. */
  readonly fenced: number;
  /** Given back unsent because the process ends. */
  readonly released: number;
}

/**
 * One tick: takes a batch, delivers, and marks. A crash between delivery and mark only means that the same message id is
 * delivered again after the lease (C23).
 *
 * @param options.signal aborted: what is not under way yet is given back, what is under way is finished and marked
 */
export async function relay(
  ctx: EngineContext,
  transport: Transport,
  options: { readonly limit?: number; readonly random?: () => number; readonly signal?: AbortSignal } = {},
): Promise<RelayResult> {
  const messages = await claimOutbox(ctx.db.pool, {
    tenantId: ctx.tenantId,
    owner: ctx.instance,
    leaseMs: RELAY_LEASE_MS,
    limit: options.limit ?? RELAY_BATCH,
  });
  const result = { claimed: messages.length, published: 0, failed: 0, dead: 0, fenced: 0, released: 0 };
  const acknowledged: ClaimedOutboxMessage[] = [];
  const queue = [...messages];
  const work = async (): Promise<void> => {
    while (options.signal?.aborted !== true) {
      const message = queue.shift();
      if (message === undefined) return;
      const fate = await traced(message, () => deliver(ctx, transport, message, options.random ?? Math.random));
      if (fate === "acknowledged") acknowledged.push(message);
      else result[fate] += 1;
    }
  };
  const workers = Array.from({ length: Math.min(RELAY_CONCURRENCY, messages.length) }, work);
  const ended = await Promise.allSettled(workers);
  // What was acknowledged is marked even when something else went wrong: fewer resends.
  result.published = (await publishOutbox(ctx.db.pool, ctx.tenantId, acknowledged)).length;
  result.fenced += acknowledged.length - result.published;
  if (result.fenced > 0) meters.leaseFenced.inc(result.fenced);
  result.released = await releaseOutbox(ctx.db.pool, ctx.tenantId, queue);
  const broken = ended.find((end) => end.status === "rejected");
  if (broken !== undefined) throw broken.reason;
  return result;
}

/** Goes on with the trace of the request that wrote the message, so that one trace reaches the consumer. */
function traced<Fate extends string>(message: ClaimedOutboxMessage, work: () => Promise<Fate>): Promise<Fate> {
  const { traceparent } = message.headers;
  const options: SpanOptions = {
    kind: "producer",
    parent: typeof traceparent === "string" ? traceparent : undefined,
    facts: () => ({
      "messaging.operation.name": "send",
      "messaging.operation.type": "send",
      "messaging.destination.name": message.topic,
      "messaging.message.id": message.id,
      "idempotency.operation_id": message.operation_id ?? undefined,
      "http.request.resend_count": message.attempts_started > 1 ? message.attempts_started - 1 : undefined,
    }),
  };
  return inSpan(`send ${message.topic}`, options, async (span) => {
    const end = meters.sending.startTimer();
    const fate = await work();
    end();
    meters.sent.inc({ outcome: fate });
    if (fate !== "acknowledged") span.fail(fate);
    return fate;
  });
}

async function deliver(
  ctx: EngineContext,
  transport: Transport,
  message: ClaimedOutboxMessage,
  random: () => number,
): Promise<"acknowledged" | "failed" | "dead" | "fenced"> {
  if (message.attempts_started > OUTBOX_MAX_ATTEMPTS) {
    return fail(ctx, message, { code: "outbox.unfinished", reason: "Started too often without ever ending" }, 0, 0);
  }
  const said = await transport(
    ctx,
    {
      id: message.id,
      topic: message.topic,
      type: message.type,
      body: outboxBody(message.payload),
      headers: { ...message.headers, traceparent: currentTraceparent() ?? message.headers["traceparent"] },
    },
    { timeoutMs: DELIVERY_TIMEOUT_MS },
  );
  if (said.kind === "acknowledged") return "acknowledged";
  if (said.kind === "rejected") return fail(ctx, message, said, 0, 0);
  return fail(ctx, message, said, backoffMs(message.attempts_started, OUTBOX_BACKOFF, random()), OUTBOX_MAX_ATTEMPTS);
}

/** @returns the body that is delivered for a stored payload: the same bytes for every attempt, everywhere. */
export function outboxBody(payload: unknown): string {
  return JSON.stringify(payload);
}

async function fail(
  ctx: EngineContext,
  message: ClaimedOutboxMessage,
  said: { readonly code: string; readonly reason: string },
  delayMs: number,
  maxAttempts: number,
): Promise<"failed" | "dead" | "fenced"> {
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
    deadLetterId: uuidv7(),
  });
  if (now === "dead")
    ctx.log.error({ outboxId: message.id, topic: message.topic, code: said.code }, "a message is dead");
  return now === "pending" ? "failed" : now;
}
