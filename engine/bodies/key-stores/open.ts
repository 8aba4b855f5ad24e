import type { KeyStore } from "../key-store";
import { createFileKeyStore } from "./file";
import { createPostgresKeyStore } from "./postgres";

/** What KEY_STORE, KEY_STORE_DIR and KEY_STORE_URL say. */
export interface KeyStoreConfig {
  readonly keyStore: "env" | "file" | "postgres";
  readonly keyStoreDir: string;
  readonly keyStoreUrl: string | undefined;
}

/** @returns undefined with `env`: data keys are wrapped by ENCRYPTION_KEYS alone */
export function openKeyStore({ keyStore, keyStoreDir, keyStoreUrl }: KeyStoreConfig): KeyStore | undefined {
  switch (keyStore) {
    case "env":
      return undefined;
    case "file":
      return createFileKeyStore(keyStoreDir);
    case "postgres":
      if (keyStoreUrl === undefined) throw new Error("KEY_STORE=postgres needs KEY_STORE_URL.");
      return createPostgresKeyStore(keyStoreUrl);
  }
}

/** Makes what the key store needs before the first process uses it. @throws KeyStoreUnavailableError */
export async function prepareKeyStore(config: KeyStoreConfig): Promise<void> {
  if (config.keyStore === "env") return;
  if (config.keyStore === "postgres" && config.keyStoreUrl !== undefined) {
    const store = createPostgresKeyStore(config.keyStoreUrl);
    try {
      await store.prepare();
    } finally {
      await store.close();
    }
    return;
  }
  const store = openKeyStore(config);
  await store?.id();
  await store?.close();
}
