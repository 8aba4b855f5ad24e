import type { ClaimedInboxMessage } from "@/db/messages/claim-messages";
import { finishInbox } from "@/db/messages/end-attempt";
import { inTransaction } from "@/db/transaction";
import { AppError } from "@/domain/errors";
import { SIDES } from "@/domain/messages/side";
import type { Consumer, ConsumerRegistry, InboxMessage, TransactionalConsumer } from "./consumer";
import type { EngineContext } from "../context";
import { crashPoint } from "../crash-point";
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
import { TOGETHER_LIMIT_MAX_MS, type HandlerPace } from "./handler-pace";
import { meters } from "../telemetry/meters";
import { shareTransaction, type SharedPart } from "@/db/share-transaction";

/** Handling of one message ends by then; its lease outlasts it. */
export const HANDLER_TIMEOUT_MS = 10_000;
export const ALONE_LEASE_MS = 30_000;

/**
 * Handles one claimed message in a transaction of its own, so that it can break, block or end nothing but itself.
 *
 * @param random for the jitter, 0 ≤ random < 1
 */
export async function handleAlone(
  ctx: EngineContext,
  consumers: ConsumerRegistry,
  message: ClaimedInboxMessage,
  random: () => number,
  pace: HandlerPace,
): Promise<InboxFate> {
  const end = meters.consuming.startTimer();
  const fate = await traceMessage(message, async () => {
    const from = performance.now();
    try {
      if (message.attempts_started > SIDES.inbox.maxAttempts) {
        // Started again and again and never finished: it ends the process that handles it. It is not handled once more.
        throw new AppError("inbox.poisonous", 500, "Started too often without ever ending");
      }
      const done = await run(ctx, consumerOf(consumers, message), message);
      const tookMs = performance.now() - from;
      if (tookMs <= TOGETHER_LIMIT_MAX_MS) pace.noteEnded(message, tookMs);
      return done ? "processed" : "fenced";
    } catch (error) {
      if (error instanceof AppError && error.code === HANDLER_TIMEOUT) pace.noteSlow(message);
      crashPoint(message.attempts_started < SIDES.inbox.maxAttempts ? "I5" : "I6");
      return endAttempt(ctx, message, error, random);
    }
  });
  end();
  meters.consumed.inc({ outcome: fate });
  if (fate === "fenced") meters.leaseFenced.inc();
  return fate;
}

/** @returns false when the lease was lost: the effect is undone with the transaction. */
async function run(ctx: EngineContext, consumer: Consumer | undefined, message: ClaimedInboxMessage): Promise<boolean> {
  // What nobody subscribed to is not opened.
  if (consumer === undefined) return finish(ctx, message, () => Promise.resolve(IGNORED));
  const view = await viewOf(ctx, message);
  if (consumer.path === "idempotent") {
    const result = await handlerWithin(consumer.handle(ctx, view), HANDLER_TIMEOUT_MS);
    return (await finishInbox(ctx.db.pool, ctx.tenantId, [{ ...message, result }])).length === 1;
  }
  return finish(ctx, message, (tx) => handlePart(ctx, consumer, shareTransaction(tx).part(true), view));
}

/** Effect and mark in one transaction. @returns as {@link run} */
async function finish(
  ctx: EngineContext,
  message: ClaimedInboxMessage,
  work: (tx: Parameters<typeof shareTransaction>[0]) => Promise<string>,
): Promise<boolean> {
  try {
    await inTransaction(
      ctx.db,
      async (tx) => {
        const result = await work(tx);
        crashPoint("I2");
        const finished = await finishInbox(tx, ctx.tenantId, [{ ...message, result }]);
        if (finished.length === 0) throw new LeaseLostError();
      },
      { statementTimeoutMs: HANDLER_TIMEOUT_MS },
    );
    return true;
  } catch (error) {
    if (error instanceof LeaseLostError) return false;
    throw error;
  }
}

/** Ends the part however the handler ends: one that goes on after its time must not write on a connection that is somebody else's by then. */
async function handlePart(
  ctx: EngineContext,
  consumer: TransactionalConsumer,
  part: SharedPart,
  view: InboxMessage,
): Promise<string> {
  try {
    const result = await handlerWithin(handleVersioned(ctx, consumer, part.tx, view), HANDLER_TIMEOUT_MS);
    await part.keep();
    return result;
  } catch (error) {
    // Fails only with the connection, and then the transaction is undone anyway.
    await part.undo().catch(() => undefined);
    throw error;
  }
}

class LeaseLostError extends Error {}
