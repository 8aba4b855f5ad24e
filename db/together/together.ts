import type { Database } from "../client";
import { TurnBatch, type BatchWork } from "./turn-batch";

/** Longest wait for a lock in a statement of several, ms. Who meets a lock goes alone afterwards, with the connection's own limit. */
export const BATCH_LOCK_TIMEOUT_MS = 100;

/** A statement of several that takes longer, ms, holds nobody else back. */
export const BATCH_COUNTS_MS = 50;

/**
 * One batch of a kind for each pool of the process.
 * @returns the batch of a pool
 */
export function batchPerPool<Member, Verdict>(
  make: (pool: Database["pool"]) => BatchWork<Member, Verdict>,
): (pool: Database["pool"]) => TurnBatch<Member, Verdict> {
  const batches = new WeakMap<Database["pool"], TurnBatch<Member, Verdict>>();
  return (pool) => {
    let batch = batches.get(pool);
    if (batch === undefined) batches.set(pool, (batch = new TurnBatch(make(pool))));
    return batch;
  };
}

/**
 * Puts members into one order in every process, so that two batches do not wait for each other in a circle.
 *
 * @param nameOf what is locked
 * @param run gives a verdict for each, in the order it is given
 * @returns the verdicts in the order of the members
 */
export async function inLockOrder<Member, Verdict>(
  members: readonly Member[],
  nameOf: (member: Member) => string,
  run: (sorted: readonly Member[]) => Promise<readonly Verdict[]>,
): Promise<Verdict[]> {
  const order = members
    .map((member, index) => ({ member, index, name: nameOf(member) }))
    .sort((a, b) => (a.name === b.name ? a.index - b.index : a.name < b.name ? -1 : 1));
  const sorted = await run(order.map(({ member }) => member));
  const verdicts: Verdict[] = [];
  for (const [place, { index }] of order.entries()) verdicts[index] = sorted[place] as Verdict;
  return verdicts;
}
