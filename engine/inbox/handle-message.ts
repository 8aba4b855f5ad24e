import type { ClaimedInboxMessage } from "@/db/messages/claim-messages";
import { databaseErrorCode, isContention } from "@/db/errors";
import { postponeInbox } from "@/db/messages/end-attempt";
import { AppError } from "@/domain/errors";
import { withTimeout } from "@/domain/with-timeout";
import { DEFAULT_CONSUMER, PostponeError, type Consumer, type ConsumerRegistry, type InboxMessage } from "./consumer";
import { KeyStoreUnavailableError } from "../bodies/key-store";
import type { EngineContext } from "../context";
import { openArrival, PayloadLostError } from "./sealed-arrival";
import { failAttempt } from "../messages/fail-attempt";
import { inSpan, type SpanOptions } from "../telemetry/telemetry";

/** A message that met somebody else's lock comes back after this, or twice as long. */
const CONTENTION_WAIT_MS = 1_000;
/** So does one that cannot be opened while the key store is away. */
const KEY_STORE_WAIT_MS = 5_000;
/** Code of an attempt that did not end in time. */
export const HANDLER_TIMEOUT = "inbox.handler_timeout";
/** Result of a message that nobody subscribed to. */
export const IGNORED = "ignored";

/** What became of one claimed message; `slow`: it is to be handled alone. */
export type InboxFate = "processed" | "postponed" | "slow" | "failed" | "dead" | "fenced";

/** @throws AppError `inbox.no_consumer`: it was recorded for a consumer that this version does not have */
export function consumerOf(consumers: ConsumerRegistry, message: ClaimedInboxMessage): Consumer | undefined {
  const consumer = consumers.byName(message.consumer);
  if (consumer === undefined && message.consumer !== DEFAULT_CONSUMER) {
    throw new AppError("inbox.no_consumer", 500, "No consumer of this name runs here");
  }
  return consumer;
}

export function traceMessage<Result extends string>(
  message: ClaimedInboxMessage,
  work: () => Promise<Result>,
): Promise<Result> {
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
    const result = await work();
    if (result !== "processed" && result !== "postponed" && result !== "slow") span.fail(result);
    return result;
  });
}

/** Ends an attempt that did not work: postponed without a count when its handler asked for that, failed or dead otherwise. */
export async function endAttempt(
  ctx: EngineContext,
  message: ClaimedInboxMessage,
  error: unknown,
  random: () => number,
): Promise<Exclude<InboxFate, "processed" | "slow">> {
  const waitMs = waitOf(error, random);
  if (waitMs !== undefined) {
    const alone = !(error instanceof KeyStoreUnavailableError);
    const back = await postponeInbox(ctx.db.pool, ctx.tenantId, [message], { delayMs: waitMs, alone });
    return back === 1 ? "postponed" : "fenced";
  }
  const final = error instanceof PayloadLostError;
  const failure = { place: message.consumer, error, fallbackCode: "inbox.handler_failed", final, random };
  const { fate, code } = await failAttempt(ctx, "inbox", message, failure);
  ctx.log.warn(
    { inboxId: message.id, consumer: message.consumer, code, outcome: fate },
    "a message could not be handled",
  );
  return fate;
}

/**
 * @returns milliseconds after which it is tried again without an attempt: its handler asked for that, or somebody else held a
 *   lock that it needs, a process that stands still in its transaction for example, or the key store is away. Nobody knows anything against
 *   the message then.
 */
function waitOf(error: unknown, random: () => number): number | undefined {
  if (error instanceof PostponeError) return error.delayMs;
  if (error instanceof KeyStoreUnavailableError) return Math.round(KEY_STORE_WAIT_MS * (1 + random()));
  const held =
    (error instanceof AppError && error.code === "transient.contention") || isContention(databaseErrorCode(error));
  return held ? Math.round(CONTENTION_WAIT_MS * (1 + random())) : undefined;
}

/**
 * Opens what is sealed; before a transaction is begun, for a key that is read needs a connection of its own.
 *
 * @returns the message as a consumer sees it
 * @throws PayloadLostError when nothing opens it, now or later; KeyStoreUnavailableError
 */
export async function viewOf(ctx: EngineContext, message: ClaimedInboxMessage): Promise<InboxMessage> {
  return {
    id: message.id,
    source: message.source,
    messageId: message.message_id,
    type: message.type,
    operationId: message.operation_id ?? undefined,
    payload: await openArrival(ctx, message),
    attempt: message.attempts_started,
  };
}

/** Waits for a handler. The handler may go on after the limit, so what it holds must be taken from it. @throws AppError `inbox.handler_timeout` 504 */
export function handlerWithin<T>(work: Promise<T>, limitMs: number): Promise<T> {
  return withTimeout(work, limitMs, () => {
    throw new AppError(HANDLER_TIMEOUT, 504, "The handler did not end in time");
  });
}
