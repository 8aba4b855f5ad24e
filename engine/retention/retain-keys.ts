import {
  confirmDestroyedKeys,
  dataKeysToRewrap,
  daysToDestroy,
  destroyDataKeys,
  rewrapDataKey,
  unknownDays,
} from "@/db/bodies/data-keys";
import { inTransaction } from "@/db/transaction";
import { audit } from "../actions/audit";
import { bodyRetention } from "../bodies/body-retention";
import type { KeyStore } from "../bodies/key-store";
import type { EngineContext } from "../context";

const HOURS_PER_DAY = 24;
const DAY_MS = HOURS_PER_DAY * 3_600_000;
/** Days beyond the longest retention after which a day's key goes: clocks differ, and a window ends within a day. */
const SLACK_DAYS = 2;
/** Data keys of one tick that get a new wrapping. */
const REWRAP_BATCH = 200;
/** Keys of one tick that the key store destroys. */
const DESTROY_BATCH = 200;

interface RetainKeysResult {
  /** `YYYY-MM-DD` of keys that were destroyed to the end: in the key store too, where they have a part there. */
  readonly destroyed: readonly string[];
  readonly rewrapped: number;
}

/**
 * Destroys the keys of days whose bodies are all gone (crypto-shredding), and moves data keys to the current entry of
 * ENCRYPTION_KEYS and into the key store, so that an old entry can be taken out of the environment. While the key store is away the
 * rest of retention goes on, and the next tick tries again.
 *
 * @param now by the database's clock
 */
export async function retainKeys(ctx: EngineContext, now: Date): Promise<RetainKeysResult> {
  const { tenantId, keyring } = ctx;
  const { longestHours } = await bodyRetention(ctx);
  const keptDays = Math.ceil(longestHours / HOURS_PER_DAY) + SLACK_DAYS;
  const before = new Date(now.getTime() - keptDays * DAY_MS).toISOString().slice(0, 10);
  const days = await destroyDataKeys(ctx.db.pool, tenantId, before);
  for (const day of days) keyring.forget(tenantId, day);
  const { keyStore } = keyring;
  if (keyStore === undefined) return { destroyed: days, rewrapped: await rewrap(ctx) };
  try {
    return { destroyed: await destroyInStore(ctx, keyStore, days, before), rewrapped: await rewrap(ctx) };
  } catch (error) {
    ctx.log.error({ err: error }, "the key store did not answer: its keys are destroyed later");
    return { destroyed: [], rewrapped: 0 };
  }
}

/** The store first and the note after it: a death between the two only destroys again. @returns days that are noted now */
async function destroyInStore(
  ctx: EngineContext,
  keyStore: KeyStore,
  days: readonly string[],
  before: string,
): Promise<string[]> {
  const { tenantId } = ctx;
  const { pool } = ctx.db;
  const due = await daysToDestroy(pool, tenantId, await keyStore.id(), DESTROY_BATCH);
  // What a restored database does not know any more may still open a later copy of it.
  const kept = await keyStore.daysBefore(tenantId, before, DESTROY_BATCH);
  const unknown = kept.length === 0 ? [] : await unknownDays(pool, tenantId, kept);
  if (due.length + unknown.length > 0) await keyStore.destroy(tenantId, [...due, ...unknown]);
  const noted = due.length === 0 ? [] : await confirm(ctx, keyStore, due);
  // Keys that were wrapped without a store ended with their row.
  return [...new Set([...noted, ...days.filter((day) => !due.includes(day))])].sort();
}

async function confirm(ctx: EngineContext, keyStore: KeyStore, due: readonly string[]): Promise<string[]> {
  const subject = { type: "key_store", id: await keyStore.id() };
  return inTransaction(ctx.db, async (tx) => {
    const days = (await confirmDestroyedKeys(tx, ctx.tenantId, due)).sort();
    if (days.length > 0) await audit(ctx, tx, { action: "body_keys.destroyed", subject, after: { days } });
    return days;
  });
}

async function rewrap(ctx: EngineContext): Promise<number> {
  const { tenantId, keyring } = ctx;
  const { wrapsWith, keyStore } = keyring;
  const current = { wrapsWith, keyStore: await keyStore?.id() };
  const rows = await dataKeysToRewrap(ctx.db.pool, tenantId, current, REWRAP_BATCH);
  let count = 0;
  for (const row of rows) {
    const { purpose, day, wrapped_by: from } = row;
    const name = { tenantId, purpose, day };
    const again = await keyring.rewrap(name, row);
    if (again === undefined) {
      ctx.log.error({ purpose, day, entry: from }, "a data key is wrapped by an entry that ENCRYPTION_KEYS lacks");
      continue;
    }
    if (await rewrapDataKey(ctx.db.pool, name, row, again)) count += 1;
  }
  return count;
}
