import { hkdfSync, randomBytes } from "node:crypto";
import type { Database } from "@/db/client";
import { ensureDataKey, type DataKeyName, type DataKeyRow, type DataKeyWrapping } from "@/db/bodies/data-keys";
import type { Soon } from "@/domain/soon";
import { createReadCache } from "../read-cache";
import { KEY_BYTES, type KeyEntries } from "./key-entries";
import { OtherKeyStoreError, type KeyStore } from "./key-store";

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

/** The body's key was destroyed: its text is gone for good, here and wherever the row's copy is not all that opens it. */
export class KeyDestroyedError extends Error {
  constructor(day: string) {
    super(`the key of ${day} was destroyed`);
    this.name = "KeyDestroyedError";
  }
}

/** Whether a key cannot be had by asking again: something else has to be sealed with. */
export function isGone(error: unknown): boolean {
  return error instanceof KeyDestroyedError || error instanceof OtherKeyStoreError;
}

export interface DataKeyOptions {
  readonly db: Pick<Database, "pool">;
  readonly entries: KeyEntries;
  /** Of a tenant's first fingerprint key. */
  readonly secret: string;
  /** Undefined: data keys are wrapped by an entry of ENCRYPTION_KEYS alone. */
  readonly keyStore: KeyStore | undefined;
}

export type DataKeys = ReturnType<typeof createDataKeys>;

/** Wrapped in the database, unwrapped in memory for DATA_KEY_CACHE_MS. */
export function createDataKeys({ db, entries, secret, keyStore }: DataKeyOptions) {
  const options = { ttlMs: DATA_KEY_CACHE_MS, maxEntries: MAX_CACHED, renewMs: READ_AGAIN_MS, isGone };
  const cache = createReadCache<Buffer>(options);
  const standing = createReadCache<Buffer | undefined>(options);

  /** @param plain the data key @returns it as the database keeps it */
  async function wrap(name: DataKeyName, plain: Buffer): Promise<DataKeyWrapping> {
    const store = name.purpose === "body" ? keyStore : undefined;
    const inner = store === undefined ? plain : await store.wrap(name, plain);
    const wrapped = entries.seal(inner, bindingOf(name));
    return { wrappedBy: entries.current, wrapped, keyStore: await store?.id() };
  }

  /** @throws KeyDestroyedError, OtherKeyStoreError, KeyStoreUnavailableError */
  async function unwrap(name: DataKeyName, row: DataKeyRow): Promise<Buffer> {
    if (row.wrapped === null) throw new KeyDestroyedError(name.day);
    const inner = entries.open(row.wrapped, bindingOf(name));
    if (row.key_store === null) return inner;
    const given = keyStore === undefined ? "none" : await keyStore.id();
    if (keyStore === undefined || given !== row.key_store) throw new OtherKeyStoreError(name.day, row.key_store, given);
    const plain = await keyStore.unwrap(name, inner);
    if (plain === undefined) throw new KeyDestroyedError(name.day);
    return plain;
  }

  async function load(name: DataKeyName, fresh: () => Buffer): Promise<Buffer> {
    // Without a store the offer costs nothing, and one round trip is enough.
    const known = keyStore === undefined ? undefined : await ensureDataKey(db.pool, name);
    if (known !== undefined) return unwrap(name, known);
    const plain = fresh();
    const offer = await wrap(name, plain);
    const row = await ensureDataKey(db.pool, name, offer);
    if (row === undefined) throw new Error("ensure_data_key() kept no offer");
    return row.wrapped?.equals(offer.wrapped) === true ? plain : unwrap(name, row);
  }

  async function loadStanding(name: DataKeyName): Promise<Buffer | undefined> {
    const known = await ensureDataKey(db.pool, name);
    return known === undefined ? undefined : unwrap(name, known);
  }

  function cached(name: DataKeyName, fresh: () => Buffer): Soon<Buffer> {
    return cache.get(cacheName(name), () => load(name, fresh));
  }
  return {
    /** @param day `YYYY-MM-DD` @throws KeyDestroyedError, OtherKeyStoreError, KeyStoreUnavailableError */
    body: (tenantId: string, day: string): Soon<Buffer> =>
      cached({ tenantId, purpose: "body", day }, () => randomBytes(KEY_BYTES)),
    /** As `body`, of a day that somebody names: makes no key. @returns undefined where there never was one */
    standing: (tenantId: string, day: string): Soon<Buffer | undefined> => {
      const name: DataKeyName = { tenantId, purpose: "body", day };
      return standing.get(cacheName(name), () => loadStanding(name));
    },
    /** The same for ever, whatever becomes of SECRET and ENCRYPTION_KEYS, so old rows stay comparable. */
    fingerprint: (tenantId: string): Soon<Buffer> =>
      cached({ tenantId, purpose: "fingerprint", day: FINGERPRINT_DAY }, () =>
        Buffer.from(hkdfSync("sha256", secret, tenantId, "onceboard fingerprint", KEY_BYTES)),
      ),
    /** Drops a body key from memory at once. */
    forget: (tenantId: string, day: string): void => {
      for (const each of [cache, standing]) each.forget(cacheName({ tenantId, purpose: "body", day }));
    },
    /**
     * @returns the same key under the current entry, and under the key store where it had none; undefined when its entry is not there
     * any more
     * @throws KeyStoreUnavailableError
     */
    async rewrap(
      name: DataKeyName,
      row: DataKeyRow & { readonly wrapped: Buffer },
    ): Promise<DataKeyWrapping | undefined> {
      let inner: Buffer;
      try {
        inner = entries.open(row.wrapped, bindingOf(name));
      } catch {
        return undefined;
      }
      if (row.key_store === null) return wrap(name, inner);
      // What the store wrapped stays as it is: only the entry around it is another.
      return { wrappedBy: entries.current, wrapped: entries.seal(inner, bindingOf(name)), keyStore: row.key_store };
    },
  };
}

function bindingOf({ tenantId, purpose, day }: DataKeyName): readonly string[] {
  return ["data key", tenantId, purpose, day];
}

function cacheName({ tenantId, purpose, day }: DataKeyName): string {
  return `${purpose} ${day} ${tenantId}`;
}
