import { hkdfSync, randomBytes } from "node:crypto";
import type { Database } from "@/db/client";
import { ensureDataKey, type DataKeyPurpose } from "@/db/bodies/data-keys";
import { createReadCache } from "../read-cache";
import { KEY_BYTES, type KeyEntries } from "./key-entries";

/** How long a process may go on reading bodies whose key was destroyed elsewhere. */
export const DATA_KEY_CACHE_MS = 60_000;
/**
 * Bodies are sealed inside transactions, and a key that is read there needs a second connection: when all are taken by
 * transactions that wait for it, none is ever free. So it is read again before its end.
 */
export const READ_AGAIN_MS = 30_000;
/** Keys that one process holds. */
const MAX_CACHED = 2_000;
/** A tenant has one fingerprint key for all days. */
const FINGERPRINT_DAY = "1970-01-01";

/** The body's key was destroyed: its text is gone for good, here and in every copy. */
export class KeyDestroyedError extends Error {
  constructor(day: string) {
    super(`the key of ${day} was destroyed`);
    this.name = "KeyDestroyedError";
  }
}

export interface DataKeyName {
  readonly tenantId: string;
  readonly purpose: DataKeyPurpose;
  /** `YYYY-MM-DD` */
  readonly day: string;
}

export type DataKeys = ReturnType<typeof createDataKeys>;

/** Wrapped in the database, unwrapped in memory for DATA_KEY_CACHE_MS. @param secret of a tenant's first fingerprint key */
export function createDataKeys(db: Pick<Database, "pool">, entries: KeyEntries, secret: string) {
  const cache = createReadCache<Buffer>({
    ttlMs: DATA_KEY_CACHE_MS,
    maxEntries: MAX_CACHED,
    renewMs: READ_AGAIN_MS,
    isGone: (error) => error instanceof KeyDestroyedError,
  });

  async function load(tenantId: string, purpose: DataKeyPurpose, day: string, fresh: Buffer): Promise<Buffer> {
    const binding = bindingOf({ tenantId, purpose, day });
    const wrapped = entries.seal(fresh, binding);
    const row = await ensureDataKey(db.pool, { tenantId, purpose, day, wrappedBy: entries.current, wrapped });
    if (row.wrapped === null) throw new KeyDestroyedError(day);
    return row.wrapped.equals(wrapped) ? fresh : entries.open(row.wrapped, binding);
  }

  function cached(tenantId: string, purpose: DataKeyPurpose, day: string, fresh: () => Buffer): Promise<Buffer> {
    return cache.get(cacheName(tenantId, purpose, day), () => load(tenantId, purpose, day, fresh()));
  }
  return {
    /** @param day `YYYY-MM-DD` @throws KeyDestroyedError */
    body: (tenantId: string, day: string): Promise<Buffer> =>
      cached(tenantId, "body", day, () => randomBytes(KEY_BYTES)),
    /** The same for ever, whatever becomes of SECRET and ENCRYPTION_KEYS, so old rows stay comparable. */
    fingerprint: (tenantId: string): Promise<Buffer> =>
      cached(tenantId, "fingerprint", FINGERPRINT_DAY, () =>
        Buffer.from(hkdfSync("sha256", secret, tenantId, "onceboard fingerprint", KEY_BYTES)),
      ),
    /** Drops a body key from memory at once. */
    forget: (tenantId: string, day: string): void => {
      cache.forget(cacheName(tenantId, "body", day));
    },
    /** @returns the same key under the current entry; undefined when its entry is not there any more */
    rewrap(name: DataKeyName, wrapped: Uint8Array): Buffer | undefined {
      const binding = bindingOf(name);
      try {
        return entries.seal(entries.open(wrapped, binding), binding);
      } catch {
        return undefined;
      }
    },
  };
}

function bindingOf({ tenantId, purpose, day }: DataKeyName): readonly string[] {
  return ["data key", tenantId, purpose, day];
}

function cacheName(tenantId: string, purpose: DataKeyPurpose, day: string): string {
  return `${purpose} ${day} ${tenantId}`;
}
