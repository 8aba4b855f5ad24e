import { dataKeysToRewrap, destroyDataKeys, rewrapDataKey } from "@/db/bodies/data-keys";
import { bodyRetention } from "../bodies/body-retention";
import type { EngineContext } from "../context";

const HOURS_PER_DAY = 24;
const DAY_MS = 86_400_000;
/** Days beyond the longest retention after which a day's key goes: clocks differ, and a window ends within a day. */
const SLACK_DAYS = 2;
/** Data keys of one tick that get a new wrapping. */
export const REWRAP_BATCH = 200;

export interface RetainKeysResult {
  /** `YYYY-MM-DD` of keys that were destroyed: no copy of a body of that day can be read any more. */
  readonly destroyed: readonly string[];
  readonly rewrapped: number;
}

/**
 * Destroys the keys of days whose bodies are all gone (crypto-shredding), and moves data keys to the current entry of
 * ENCRYPTION_KEYS, so that an old entry can be taken out of the environment.
 */
export async function retainKeys(ctx: EngineContext, now: Date): Promise<RetainKeysResult> {
  const { longestHours } = await bodyRetention(ctx);
  const keptDays = Math.ceil(longestHours / HOURS_PER_DAY) + SLACK_DAYS;
  const before = new Date(now.getTime() - keptDays * DAY_MS).toISOString().slice(0, 10);
  const destroyed = await destroyDataKeys(ctx.db.pool, ctx.tenantId, before);
  for (const day of destroyed) ctx.keyring.forget(ctx.tenantId, day);
  return { destroyed, rewrapped: await rewrap(ctx) };
}

async function rewrap(ctx: EngineContext): Promise<number> {
  const { tenantId, keyring } = ctx;
  const rows = await dataKeysToRewrap(ctx.db.pool, tenantId, keyring.wrapsWith, REWRAP_BATCH);
  let count = 0;
  for (const { purpose, day, wrapped_by: from, wrapped } of rows) {
    const again = keyring.rewrap({ tenantId, purpose, day }, wrapped);
    if (again === undefined) {
      ctx.log.error({ purpose, day, entry: from }, "a data key is wrapped by an entry that ENCRYPTION_KEYS lacks");
      continue;
    }
    const to = keyring.wrapsWith;
    if (await rewrapDataKey(ctx.db.pool, { tenantId, purpose, day, from, to, wrapped: again })) count += 1;
  }
  return count;
}
