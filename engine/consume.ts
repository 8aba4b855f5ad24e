import { claimInbox, type ClaimedInboxMessage } from "@/db/statements/claim-inbox";
import { inLanes } from "@/domain/in-lanes";
import type { ConsumerRegistry } from "./consumer";
import type { EngineContext } from "./context";
import { crashPoint } from "./crash-point";
import { ALONE_LEASE_MS, handleAlone, HANDLER_TIMEOUT_MS } from "./handle-alone";
import type { InboxFate } from "./handle-message";
import { handleTogether } from "./handle-together";

export { HANDLER_TIMEOUT_MS };

/** Messages that one transaction handles together. */
export const CONSUME_BATCH = 50;
/** Such transactions of one tick under way at once. */
export const CONSUME_LANES = 2;
/** Outlasts a batch whose handlers all run into their limit. */
export const TOGETHER_LEASE_MS = 15_000;
/** Messages that one tick handles alone, and how many of them at once. */
export const ALONE_LIMIT = 20;
export const ALONE_LANES = 4;

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
 * One tick: takes messages that were never tried and handles them in batches, each message once (S3.4). Should one of them end
 * the process, all of its batch count one attempt, and each is handled alone from then on.
 */
export async function consumeTogether(
  ctx: EngineContext,
  consumers: ConsumerRegistry,
  options: ConsumeOptions = {},
): Promise<ConsumeResult> {
  const sum = nothing();
  const { signal, random = Math.random } = options;
  const messages = await claim(ctx, TOGETHER_LEASE_MS, options.limit ?? CONSUME_BATCH * CONSUME_LANES, false);
  sum.claimed = messages.length;
  const batches: ClaimedInboxMessage[][] = [];
  for (let at = 0; at < messages.length; at += CONSUME_BATCH) batches.push(messages.slice(at, at + CONSUME_BATCH));
  rethrow(
    await inLanes(CONSUME_LANES, batches, async (batch) => {
      const said = await handleTogether(ctx, consumers, batch, { random, signal });
      for (const [fate, count] of Object.entries(said)) sum[fate as InboxFate] += count;
    }),
  );
  crashPoint("I4");
  return sum;
}

/**
 * One tick: takes what failed before, was slow or ended its process, and what crosses to somewhere else, one at a time per
 * lane, so that a message which ends the process burns no attempt of the others.
 */
export async function consumeAlone(
  ctx: EngineContext,
  consumers: ConsumerRegistry,
  options: ConsumeOptions = {},
): Promise<ConsumeResult> {
  const sum = nothing();
  const { signal, random = Math.random } = options;
  const limit = options.limit ?? ALONE_LIMIT;
  const turns = Array.from({ length: Math.min(limit, ALONE_LANES) });
  rethrow(
    await inLanes(ALONE_LANES, turns, async () => {
      while (sum.claimed < limit && signal?.aborted !== true) {
        sum.claimed += 1;
        const [message] = await claim(ctx, ALONE_LEASE_MS, 1, true);
        if (message === undefined) {
          sum.claimed -= 1;
          return;
        }
        sum[await handleAlone(ctx, consumers, message, random)] += 1;
      }
    }),
  );
  return sum;
}

function claim(ctx: EngineContext, leaseMs: number, limit: number, alone: boolean): Promise<ClaimedInboxMessage[]> {
  return claimInbox(ctx.db.pool, { tenantId: ctx.tenantId, owner: ctx.instance, leaseMs, limit, alone });
}

function nothing(): Sum {
  return { claimed: 0, processed: 0, postponed: 0, slow: 0, failed: 0, dead: 0, fenced: 0, released: 0 };
}

function rethrow(ended: readonly PromiseSettledResult<void>[]): void {
  const broken = ended.find((end) => end.status === "rejected");
  if (broken !== undefined) throw broken.reason;
}
