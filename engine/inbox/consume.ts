import { claimInbox, type ClaimedInboxMessage } from "@/db/messages/claim-messages";
import { postponeInbox } from "@/db/messages/end-attempt";
import { withConcurrency } from "@/domain/with-concurrency";
import { createWorkerSlots, type WorkerSlots } from "./worker-slots";
import type { ConsumerRegistry } from "./consumer";
import type { EngineContext } from "../context";
import { crashPoint } from "../crash-point";
import { ALONE_LEASE_MS, handleAlone, HANDLER_TIMEOUT_MS } from "./handle-alone";
import type { InboxFate } from "./handle-message";
import { handleTogether } from "./handle-together";
import { createHandlerPace, type HandlerPace } from "./handler-pace";

export { HANDLER_TIMEOUT_MS };

/** Messages that one transaction handles together. */
export const CONSUME_BATCH = 50;
/** Such transactions of one tick under way at once, and messages of the tick over all of them. */
export const CONSUME_CONCURRENCY = 3;
export const CONSUME_LIMIT = 1_000;
/** Outlasts a batch whose handlers all run into their limit. */
export const TOGETHER_LEASE_MS = 15_000;
/** Messages that one tick handles alone. */
export const ALONE_LIMIT = 200;
/** A tick waits no longer for a slot. */
const TICK_TIMEOUT_MS = 200;
/** So long a message that may end its process waits for what is under way, and has the process for itself. */
const APART_MS = { before: TICK_TIMEOUT_MS, after: 2_000 } as const;
/** How long a message waits whose kind mostly hangs and has all the slots it may have. */
const SLOW_WAIT_MS = 1_000;

export interface ConsumeResult extends Readonly<Record<InboxFate, number>> {
  readonly claimed: number;
  /** Given back untouched because the process ends. */
  readonly released: number;
}

export interface ConsumeOptions {
  /** Messages of this tick at the most. */
  readonly limit?: number;
  /** For the jitter, 0 ≤ random < 1. */
  readonly random?: () => number;
  readonly signal?: AbortSignal | undefined;
  /** Kept over ticks by whoever ticks again and again. */
  readonly pace?: HandlerPace;
  readonly slots?: WorkerSlots;
}

type Sum = { -readonly [Name in keyof ConsumeResult]: number };

/** One tick over both kinds: what was never tried, then what has to be handled alone. */
export async function consume(
  ctx: EngineContext,
  consumers: ConsumerRegistry,
  options: ConsumeOptions = {},
): Promise<ConsumeResult> {
  const together = await consumeTogether(ctx, consumers, options);
  const alone = await consumeAlone(ctx, consumers, options);
  const names = Object.keys(together) as (keyof ConsumeResult)[];
  return Object.fromEntries(names.map((name) => [name, together[name] + alone[name]])) as unknown as ConsumeResult;
}

/**
 * One tick: takes messages that were never tried and handles them in batches, each message once. Should one of them end
 * the process, all of its batch count one attempt, and each is handled alone from then on.
 */
export async function consumeTogether(
  ctx: EngineContext,
  consumers: ConsumerRegistry,
  options: ConsumeOptions = {},
): Promise<ConsumeResult> {
  const sum = nothing();
  const { signal, random = Math.random, pace = createHandlerPace() } = options;
  const limit = options.limit ?? CONSUME_LIMIT;
  const slots = Array.from({ length: CONSUME_CONCURRENCY });
  rethrow(
    await withConcurrency(CONSUME_CONCURRENCY, slots, async () => {
      // A slot goes on by itself: one that waits for a slow handler holds up no other.
      while (sum.claimed < limit && signal?.aborted !== true) {
        const size = Math.min(CONSUME_BATCH, limit - sum.claimed);
        sum.claimed += size;
        const batch = await claim(ctx, consumers, { leaseMs: TOGETHER_LEASE_MS, limit: size, alone: false });
        sum.claimed += batch.length - size;
        if (batch.length === 0) return;
        const result = await handleTogether(ctx, consumers, batch, { random, pace, signal });
        for (const [fate, count] of Object.entries(result)) sum[fate as InboxFate] += count;
      }
    }),
  );
  crashPoint("I4");
  return sum;
}

/**
 * One tick: takes what failed before, was slow or ended its process, and what crosses to somewhere else, one at a time per
 * slot; what was lost before has all slots for itself, so that a message which ends the process burns no attempt of the others. With slots that are kept over ticks, a handler
 * that hangs is left to its slot after a while, and counted by the tick in which it ends.
 */
export async function consumeAlone(
  ctx: EngineContext,
  consumers: ConsumerRegistry,
  options: ConsumeOptions = {},
): Promise<ConsumeResult> {
  const sum = nothing();
  const { signal, random = Math.random, pace = createHandlerPace(), slots = createWorkerSlots() } = options;
  const limit = options.limit ?? ALONE_LIMIT;
  while (sum.claimed < limit && signal?.aborted !== true && (await slots.oneFree(TICK_TIMEOUT_MS))) {
    const [message] = await claim(ctx, consumers, { leaseMs: ALONE_LEASE_MS, limit: 1, alone: true });
    if (message === undefined) break;
    sum.claimed += 1;
    if (slots.isHanging(message, pace)) {
      const wait = { delayMs: SLOW_WAIT_MS, alone: true };
      sum.postponed += await postponeInbox(ctx.db.pool, ctx.tenantId, [message], wait);
    } else if (mayEndProcess(message)) {
      await slots.takeApart(message, () => handleAlone(ctx, consumers, message, random, pace), APART_MS);
    } else slots.take(message, handleAlone(ctx, consumers, message, random, pace));
  }
  await slots.allFree(options.slots === undefined || signal?.aborted === true ? ALONE_LEASE_MS : TICK_TIMEOUT_MS);
  for (const [fate, count] of Object.entries(slots.collect())) sum[fate as InboxFate] += count;
  return sum;
}

/** An attempt of it was lost: whoever had it never came back, and it may have been why. */
function mayEndProcess({ attempts_started: started, attempts_finished: finished }: ClaimedInboxMessage): boolean {
  return started > finished + 1;
}

function claim(
  ctx: EngineContext,
  { names: consumers }: ConsumerRegistry,
  which: { readonly leaseMs: number; readonly limit: number; readonly alone: boolean },
): Promise<ClaimedInboxMessage[]> {
  return claimInbox(ctx.db.pool, { tenantId: ctx.tenantId, owner: ctx.instance, consumers, ...which });
}

function nothing(): Sum {
  return { claimed: 0, processed: 0, postponed: 0, slow: 0, failed: 0, dead: 0, fenced: 0, released: 0 };
}

function rethrow(ended: readonly PromiseSettledResult<void>[]): void {
  const broken = ended.find((end) => end.status === "rejected");
  if (broken !== undefined) throw broken.reason;
}
