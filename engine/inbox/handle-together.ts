import { databaseErrorCode, QUERY_CANCELED } from "@/db/errors";
import type { ClaimedInboxMessage } from "@/db/messages/claim-messages";
import { finishInbox, type HandledMessage, postponeInbox } from "@/db/messages/end-attempt";
import { inTransaction, limitStatements } from "@/db/transaction";
import { AppError } from "@/domain/errors";
import type { ConsumerRegistry, InboxMessage } from "./consumer";
import type { EngineContext } from "../context";
import { crashPoint } from "../crash-point";
import { TOGETHER_LIMIT_MAX_MS, type HandlerPace } from "./handler-pace";
import {
  consumerOf,
  endAttempt,
  HANDLER_TIMEOUT,
  handlerWithin,
  IGNORED,
  traceMessage,
  viewOf,
  type InboxFate,
} from "./handle-message";
import { handleVersioned } from "./handle-versioned";
import { meters } from "../telemetry/meters";
import { shareTransaction, type SharedPart } from "@/db/share-transaction";

/** For the mark of a whole batch. */
const FINISH_TIMEOUT_MS = 10_000;

export interface TogetherOptions {
  /** For the jitter, 0 ≤ random < 1. */
  readonly random: () => number;
  readonly pace: HandlerPace;
  readonly signal?: AbortSignal | undefined;
}

interface Broken {
  readonly message: ClaimedInboxMessage;
  readonly error: unknown;
}

/**
 * Handles claimed messages one after the other in one transaction: their effects and their marks `processed` are committed
 * together. Of a handler that throws nothing stays; one that is slow is handled alone later, uncounted. Where one fails, those
 * before it may run twice.
 *
 * @returns what became of them, by fate
 */
export async function handleTogether(
  ctx: EngineContext,
  consumers: ConsumerRegistry,
  messages: readonly ClaimedInboxMessage[],
  options: TogetherOptions,
): Promise<Partial<Record<InboxFate | "released", number>>> {
  const end = meters.consuming.startTimer();
  try {
    const opened = await Promise.allSettled(messages.map((message) => openOne(ctx, consumers, message)));
    const ended = await inTransaction(ctx.db, (tx) => handleInOne(ctx, consumers, { messages, opened }, tx, options), {
      // A handler that waits in the database is ended there.
      statementTimeoutMs: TOGETHER_LIMIT_MAX_MS,
    });
    end();
    meters.consumed.inc({ outcome: "processed" }, ended.handled.length);
    return { processed: ended.handled.length, ...(await endRemaining(ctx, ended, options.random)) };
  } catch (error) {
    // Everything is undone. Some may have lost their lease, or their messages get in each other's way: each by itself then.
    await postponeMessages(ctx, messages, true);
    if (!(error instanceof LeaseLostError)) throw error;
    return { slow: messages.length };
  }
}

interface Batch {
  readonly messages: readonly ClaimedInboxMessage[];
  /** Of each, as its consumer sees it. */
  readonly opened: readonly PromiseSettledResult<InboxMessage | undefined>[];
}

/** @returns undefined for what is not handled here */
async function openOne(
  ctx: EngineContext,
  consumers: ConsumerRegistry,
  message: ClaimedInboxMessage,
): Promise<InboxMessage | undefined> {
  const consumer = consumers.byName(message.consumer);
  return consumer === undefined || consumer.path === "idempotent" ? undefined : viewOf(ctx, message);
}

interface Waiting {
  readonly message: ClaimedInboxMessage;
  readonly view: Batch["opened"][number] | undefined;
}

type Handled = Waiting & { readonly result: string };

interface Ended {
  readonly handled: readonly HandledMessage[];
  readonly broken: readonly Broken[];
  readonly slow: readonly ClaimedInboxMessage[];
  readonly left: readonly ClaimedInboxMessage[];
}

/**
 * As long as none fails, their work stands or falls together. One that fails takes the work of those before it back: they are handled once
 * more, and from then on each has a savepoint of its own.
 */
async function handleInOne(
  ctx: EngineContext,
  consumers: ConsumerRegistry,
  { messages, opened }: Batch,
  tx: Parameters<typeof shareTransaction>[0],
  { pace, signal }: TogetherOptions,
): Promise<Ended> {
  let handled: Handled[] = [];
  const broken: Broken[] = [];
  const slow: ClaimedInboxMessage[] = [];
  const shared = shareTransaction(tx);
  let apart = false;
  let waiting = messages.map((message, index): Waiting => ({ message, view: opened[index] }));
  while (signal?.aborted !== true) {
    const one = waiting.shift();
    if (one === undefined) break;
    const { message } = one;
    const part = shared.part(apart);
    await traceMessage(message, async () => {
      try {
        const from = performance.now();
        const result = await handleOne(ctx, consumers, one, part, pace);
        await part.keep();
        pace.noteEnded(message, performance.now() - from);
        handled.push({ ...one, result });
        return "processed";
      } catch (error) {
        if (await part.undo()) {
          apart = true;
          waiting = [...handled, ...waiting];
          handled = [];
        }
        if (isTooSlow(error)) {
          if (!(error instanceof NotTogetherError)) pace.noteSlow(message);
          slow.push(message);
          return "slow";
        }
        broken.push({ message, error });
        return "failed";
      }
    });
  }
  crashPoint("I2");
  // The limit of before was for the handlers.
  await limitStatements(tx, FINISH_TIMEOUT_MS);
  const marks = handled.map(({ message: { id, fence }, result }): HandledMessage => ({ id, fence, result }));
  if ((await finishInbox(tx, ctx.tenantId, marks)).length < marks.length) throw new LeaseLostError();
  return { handled: marks, broken, slow, left: waiting.map(({ message }) => message) };
}

async function handleOne(
  ctx: EngineContext,
  consumers: ConsumerRegistry,
  { message, view }: Waiting,
  part: SharedPart,
  pace: HandlerPace,
): Promise<string> {
  const consumer = consumerOf(consumers, message);
  if (consumer === undefined) return IGNORED;
  const limitMs = pace.limitMs(message);
  // It crosses to somewhere else and takes its time, or its kind mostly does.
  if (consumer.path === "idempotent" || limitMs === 0) throw new NotTogetherError();
  if (view?.status === "rejected") throw view.reason;
  if (view?.value === undefined) throw new Error("a message was not opened");
  return handlerWithin(handleVersioned(ctx, consumer, part.tx, view.value), limitMs);
}

function isTooSlow(error: unknown): boolean {
  if (error instanceof NotTogetherError) return true;
  if (error instanceof AppError) return error.code === HANDLER_TIMEOUT;
  return databaseErrorCode(error) === QUERY_CANCELED;
}

async function endRemaining(
  ctx: EngineContext,
  ended: Ended,
  random: () => number,
): Promise<Partial<Record<InboxFate | "released", number>>> {
  const counts: Partial<Record<InboxFate | "released", number>> = {};
  const count = (fate: InboxFate | "released", by: number): void => {
    if (by > 0) counts[fate] = (counts[fate] ?? 0) + by;
  };
  for (const { message, error } of ended.broken) {
    const fate = await endAttempt(ctx, message, error, random);
    meters.consumed.inc({ outcome: fate });
    if (fate === "fenced") meters.leaseFenced.inc();
    count(fate, 1);
  }
  count("slow", await postponeMessages(ctx, ended.slow, true));
  count("released", await postponeMessages(ctx, ended.left, false));
  return counts;
}

function postponeMessages(
  ctx: EngineContext,
  messages: readonly ClaimedInboxMessage[],
  alone: boolean,
): Promise<number> {
  return postponeInbox(ctx.db.pool, ctx.tenantId, messages, { delayMs: 0, alone });
}

/** Not a fault of anybody: the next one in line shall not wait. */
class NotTogetherError extends Error {}
class LeaseLostError extends Error {}
