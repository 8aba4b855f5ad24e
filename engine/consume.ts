import { v7 as uuidv7 } from "uuid";
import type { Queryable } from "@/db/client";
import { claimInbox, type ClaimedInboxMessage } from "@/db/statements/claim-inbox";
import { failInbox } from "@/db/statements/fail-inbox";
import { finishInbox } from "@/db/statements/finish-inbox";
import { postponeInbox } from "@/db/statements/postpone-inbox";
import { inTransaction } from "@/db/transaction";
import { backoffMs, type Backoff } from "@/domain/backoff";
import { AppError } from "@/domain/errors";
import { DEFAULT_CONSUMER, PostponeError, type Consumer, type ConsumerRegistry, type InboxMessage } from "./consumer";
import type { EngineContext } from "./context";
import { describeError } from "./describe-error";
import { meters } from "./meters";
import { inSpan, type SpanOptions } from "./telemetry";

/** Messages that one tick takes for one tenant. */
export const CONSUME_BATCH = 20;
/** Handling of one message ends by then; the lease outlasts a whole batch of such. */
export const HANDLER_TIMEOUT_MS = 10_000;
export const CONSUME_LEASE_MS = 30_000;
/** Failed attempts after which a message is dead. */
export const INBOX_MAX_ATTEMPTS = 5;
export const INBOX_BACKOFF: Backoff = { baseMs: 1_000, capMs: 60_000 };
const IGNORED = "ignored";

export interface ConsumeResult {
  readonly claimed: number;
  readonly processed: number;
  readonly postponed: number;
  readonly failed: number;
  readonly dead: number;
  readonly fenced: number;
}

type Fate = Exclude<keyof ConsumeResult, "claimed">;

/**
 * One tick: takes recorded messages one after the other and handles each once (S3.4). Taken singly, so that a message which
 * ends the process burns no attempt of the others.
 *
 * @param options.random for the jitter, 0 ≤ random < 1
 */
export async function consume(
  ctx: EngineContext,
  consumers: ConsumerRegistry,
  options: { readonly limit?: number; readonly random?: () => number; readonly signal?: AbortSignal } = {},
): Promise<ConsumeResult> {
  const result = { claimed: 0, processed: 0, postponed: 0, failed: 0, dead: 0, fenced: 0 };
  const limit = options.limit ?? CONSUME_BATCH;
  while (result.claimed < limit && options.signal?.aborted !== true) {
    const [message] = await claimInbox(ctx.db.pool, {
      tenantId: ctx.tenantId,
      owner: ctx.instance,
      leaseMs: CONSUME_LEASE_MS,
      limit: 1,
    });
    if (message === undefined) break;
    result.claimed += 1;
    result[await traced(message, () => handle(ctx, consumers, message, options.random ?? Math.random))] += 1;
  }
  return result;
}

/** Goes on with the trace that the message came with. */
function traced(message: ClaimedInboxMessage, work: () => Promise<Fate>): Promise<Fate> {
  const { traceparent } = message.headers;
  const options: SpanOptions = {
    kind: "consumer",
    parent: typeof traceparent === "string" ? traceparent : undefined,
    facts: () => ({
      "messaging.operation.name": "process",
      "messaging.operation.type": "process",
      "messaging.consumer.group.name": message.consumer,
      "messaging.destination.name": message.source,
      "idempotency.operation_id": message.operation_id ?? undefined,
      "idempotency.attempt": message.attempts_started,
    }),
  };
  return inSpan(`process ${message.consumer}`, options, async (span) => {
    const end = meters.consuming.startTimer();
    const fate = await work();
    end();
    meters.consumed.inc({ outcome: fate });
    if (fate === "fenced") meters.leaseFenced.inc();
    if (fate !== "processed" && fate !== "postponed") span.fail(fate);
    return fate;
  });
}

async function handle(
  ctx: EngineContext,
  consumers: ConsumerRegistry,
  message: ClaimedInboxMessage,
  random: () => number,
): Promise<Fate> {
  if (message.attempts_started > INBOX_MAX_ATTEMPTS) {
    // Started again and again and never finished: it ends the process that handles it. It is not handled once more.
    return fail(ctx, message, new AppError("inbox.poisonous", 500, "Started too often without ever ending"), 0);
  }
  try {
    const consumer = consumers.byName(message.consumer);
    if (consumer === undefined && message.consumer !== DEFAULT_CONSUMER) {
      throw new AppError("inbox.no_consumer", 500, "No consumer of this name runs here");
    }
    return (await runConsumer(ctx, consumer, message)) ? "processed" : "fenced";
  } catch (error) {
    if (error instanceof PostponeError) {
      return (await postponeInbox(ctx.db.pool, ctx.tenantId, message.id, message.fence, error.delayMs))
        ? "postponed"
        : "fenced";
    }
    return fail(ctx, message, error, backoffMs(message.attempts_started, INBOX_BACKOFF, random()));
  }
}

/** @returns false when the lease was lost: the effect is undone with the transaction. */
async function runConsumer(
  ctx: EngineContext,
  consumer: Consumer | undefined,
  message: ClaimedInboxMessage,
): Promise<boolean> {
  const view = viewOf(message);
  if (consumer?.path === "idempotent") {
    const result = await withTimeout(() => consumer.handle(ctx, view), HANDLER_TIMEOUT_MS);
    return finishInbox(ctx.db.pool, ctx.tenantId, message.id, message.fence, result);
  }
  try {
    await inTransaction(
      ctx.db,
      async (tx) => {
        const { guarded, end } = untilEnded(tx);
        const result =
          consumer === undefined
            ? IGNORED
            : await withTimeout(() => consumer.handle(ctx, guarded, view), HANDLER_TIMEOUT_MS).finally(end);
        if (!(await finishInbox(tx, ctx.tenantId, message.id, message.fence, result))) throw new LeaseLostError();
      },
      { statementTimeoutMs: HANDLER_TIMEOUT_MS },
    );
    return true;
  } catch (error) {
    if (error instanceof LeaseLostError) return false;
    throw error;
  }
}

async function fail(ctx: EngineContext, message: ClaimedInboxMessage, error: unknown, delayMs: number): Promise<Fate> {
  const described = describeError(message.consumer, error, "inbox.handler_failed");
  const said = await failInbox(ctx.db.pool, {
    tenantId: ctx.tenantId,
    id: message.id,
    fence: message.fence,
    errorCode: described.code,
    error: described.text,
    errorFingerprint: described.fingerprint,
    delayMs,
    maxAttempts: INBOX_MAX_ATTEMPTS,
    deadLetterId: uuidv7(),
  });
  ctx.log.warn(
    { inboxId: message.id, consumer: message.consumer, code: described.code, said },
    "a message could not be handled",
  );
  return said === "recorded" ? "failed" : said;
}

class LeaseLostError extends Error {}

function viewOf(message: ClaimedInboxMessage): InboxMessage {
  return {
    id: message.id,
    source: message.source,
    messageId: message.message_id,
    type: message.type,
    operationId: message.operation_id ?? undefined,
    payload: message.payload,
    attempt: message.attempts_started,
  };
}

/** A handler that goes on after its time must not reach the connection, which belongs to somebody else by then. */
function untilEnded(tx: Queryable): { readonly guarded: Queryable; readonly end: () => void } {
  let ended = false;
  return {
    guarded: {
      query: (config) => (ended ? Promise.reject(new LeaseLostError("the handler's time is over")) : tx.query(config)),
    },
    end: () => void (ended = true),
  };
}

async function withTimeout<T>(work: () => Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new AppError("inbox.handler_timeout", 504, "The handler did not end in time")),
      limitMs,
    );
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
