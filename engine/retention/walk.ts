import { stretchEnd, type Instant, type KeyStretch } from "@/db/retention/stretch";
import type { EngineContext } from "../context";
import type { Pace } from "./pace";

/** Rows of one statement: its locks are held for milliseconds. */
export const RETAIN_BATCH = 500;
/** Batches of each kind in one tick; the rest is for the next one. */
export const RETAIN_MAX_BATCHES = 10;
/** Keys whose window is over that one statement looks at, due or not. */
export const STRETCH_KEYS = 5_000;
/** Stretches of one walk in one tick. */
export const STRETCHES_AT_ONCE = 20;

export interface Batches {
  readonly rows: number;
  /** Nothing of this kind is left that is due. */
  readonly done: boolean;
}

/** @param batch returns how many rows it took, RETAIN_BATCH at the most */
export async function takeBatches(batch: () => Promise<number>, pace: Pace): Promise<Batches> {
  let rows = 0;
  for (let count = 0; count < RETAIN_MAX_BATCHES; count += 1) {
    const began = performance.now();
    const gone = await batch();
    rows += gone;
    if (gone < RETAIN_BATCH) return { rows, done: true };
    if (!(await pace.rest(performance.now() - began))) break;
  }
  return { rows, done: false };
}

interface WalkOptions {
  readonly from: Instant;
  /** Stretches, at the most. */
  readonly most: number;
  /** Ends behind the first stretch in which nothing was due. */
  readonly whileDue: boolean;
  readonly pace: Pace;
}

interface Walked extends Batches {
  /** Where the next walk goes on; undefined: this one came to the end. */
  readonly at: Instant | undefined;
}

/**
 * Walks the keys whose window is over, oldest first, a stretch at a time: most of them are kept for months, so a statement that looked for those
 * that are due among all of them would take longer with every day of traffic.
 */
export async function walkKeys(
  ctx: Pick<EngineContext, "db" | "tenantId">,
  take: (stretch: KeyStretch) => Promise<number>,
  { from, most, whileDue, pace }: WalkOptions,
): Promise<Walked> {
  let rows = 0;
  let at = from;
  for (let count = 0; count < most; count += 1) {
    const began = performance.now();
    const to = await stretchEnd(ctx.db.pool, ctx.tenantId, at, STRETCH_KEYS);
    const taken = await takeBatches(() => take({ from: at, to: to ?? "infinity" }), pace);
    rows += taken.rows;
    if (!taken.done) return { rows, at, done: false };
    if (to === undefined) return { rows, at: undefined, done: true };
    if (whileDue && taken.rows === 0) return { rows, at: to, done: true };
    at = to;
    if (!(await pace.rest(performance.now() - began))) break;
  }
  return { rows, at, done: false };
}
