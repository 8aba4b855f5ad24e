import { randomBytes } from "node:crypto";
import { openKeyStoreDatabase } from "@/db/key-store/key-store-database";
import { KEY_BYTES } from "../key-entries";
import { KeyStoreUnavailableError, type KeyPeriod, type KeyStore } from "../key-store";
import { openUnderPeriod, sealUnderPeriod } from "./under-period";

/**
 * Keys of periods in another PostgreSQL. What keeps a destroyed key there is that database's own log, replicas and backups: they have
 * to be shorter-lived than what the purge promises (docs/decisions/0023-keys-outside-the-database.md).
 *
 * @param url of KEY_STORE_URL
 */
export function createPostgresKeyStore(url: string): KeyStore {
  const database = openKeyStoreDatabase(url);
  let known: string | undefined;

  async function ask<T>(what: () => Promise<T>): Promise<T> {
    try {
      return await what();
    } catch (error) {
      throw new KeyStoreUnavailableError("the key store's database did not answer", error);
    }
  }

  return {
    kind: "postgres",
    prepare: () => ask(() => database.prepare()),
    async id() {
      known ??= await ask(() => database.id());
      if (known === undefined) throw new KeyStoreUnavailableError("the key store's database has no tables: migrate");
      return `postgres:${known}`;
    },
    async wrap(period: KeyPeriod, plain) {
      const { tenantId, day } = period;
      const key = await ask(() => database.ensure(tenantId, day, randomBytes(KEY_BYTES)));
      return sealUnderPeriod(key, period, plain);
    },
    async unwrap(period: KeyPeriod, wrapped) {
      const key = await ask(() => database.read(period.tenantId, period.day));
      return key && openUnderPeriod(key, period, wrapped);
    },
    destroy: (tenantId, days) => ask(() => database.destroy(tenantId, days)),
    daysBefore: (tenantId, before, limit) => ask(() => database.daysBefore(tenantId, before, limit)),
    close: () => database.close(),
  };
}
