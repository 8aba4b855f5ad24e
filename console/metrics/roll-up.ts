import { rollUpProgress, rollUpRange, sampleGauges, staleBuckets, takeCountSnapshots } from "@/db/metrics/roll-up";
import { inTransaction } from "@/db/transaction";
import { AppError } from "@/domain/errors";
import type { EngineContext } from "@/engine/context";

/** Events arrive a moment after they happened: a minute is closed this long after its end. */
export const ROLL_UP_GRACE_SECONDS = 5;
/** A closed minute is computed once more after this, for events of slow transactions. */
export const ROLL_UP_SETTLE_SECONDS = 150;
/** Minutes of one tick at the most, however long the worker was away. */
export const ROLL_UP_MAX_MINUTES = 360;
/** How far back a first roll-up begins. */
const FIRST_ROLL_UP_DAYS = 31;
const STALE_LIMIT = 60;
const STATEMENT_TIMEOUT_MS = 30_000;
const MINUTE_MS = 60_000;

export interface RollUpResult {
  readonly minutes: number;
  readonly behind: number;
}

/** One tick of the roll-up for one tenant: always recomputed from events, so running twice or beside another is safe. */
export async function rollUp(ctx: EngineContext): Promise<RollUpResult> {
  const { next, first, closed } = await rollUpProgress(ctx.db.pool, ctx.tenantId, ROLL_UP_GRACE_SECONDS);
  const earliest = new Date(closed.getTime() - FIRST_ROLL_UP_DAYS * 1_440 * MINUTE_MS);
  const begin = next ?? first ?? new Date(closed.getTime() - MINUTE_MS);
  // Recent minutes are offered again: the function recomputes those that had not settled.
  const settling = new Date(closed.getTime() - Math.ceil(ROLL_UP_SETTLE_SECONDS / 60 + 7) * MINUTE_MS);
  const from = latest(earliest, next === undefined ? begin : earlier(begin, settling));
  const to = earlier(closed, new Date(from.getTime() + ROLL_UP_MAX_MINUTES * MINUTE_MS));
  let minutes = from < to ? await range(ctx, from, to) : 0;
  for (const bucket of await staleBuckets(ctx.db.pool, ctx.tenantId, STALE_LIMIT)) {
    minutes += await range(ctx, bucket, new Date(bucket.getTime() + MINUTE_MS));
  }
  return { minutes, behind: Math.max(0, Math.round((closed.getTime() - to.getTime()) / MINUTE_MS)) };
}

function range(ctx: EngineContext, from: Date, to: Date): Promise<number> {
  const input = { tenantId: ctx.tenantId, from, to, settleSeconds: ROLL_UP_SETTLE_SECONDS };
  return inTransaction(ctx.db, (tx) => rollUpRange(tx, input), { statementTimeoutMs: STATEMENT_TIMEOUT_MS });
}

const earlier = (a: Date, b: Date): Date => (a < b ? a : b);
const latest = (a: Date, b: Date): Date => (a > b ? a : b);

/** Samples what is open now into the current minute; twice a minute is the same sample. @returns how many gauges. */
export async function measure(ctx: EngineContext): Promise<number> {
  return sampleGauges(ctx.db.pool, ctx.tenantId);
}

/** Up to so many operations of a tenant are counted one by one, a second of work; beyond that a sample of pages gives an estimate. */
export const COUNT_BOUND = 1_000_000;
/** The same where a million take too long: the tenant's rows lie far apart, or the machine is busy. */
const QUICK_COUNT_BOUND = 10_000;
const COUNT_TIMEOUT_MS = 5_000;

/**
 * Renews the counts of the huge states, so that no list ever counts them. Whoever calls it sees to it that it is a small part of the time.
 */
export async function recordCountSnapshots(ctx: EngineContext): Promise<"exact" | "estimate"> {
  const take = (bound: number) =>
    inTransaction(ctx.db, (tx) => takeCountSnapshots(tx, ctx.tenantId, bound), {
      statementTimeoutMs: COUNT_TIMEOUT_MS,
    });
  try {
    return await take(COUNT_BOUND);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "dependency.timeout") throw error;
    return take(QUICK_COUNT_BOUND);
  }
}
