import type { KeyStoreKind } from "@/domain/key-store-config";
import type { KeyStore } from "../key-store";
import { createAwsKeyStore } from "./aws-kms";
import { createFileKeyStore } from "./file";
import { createGcpKeyStore } from "./gcp-kms";
import { createPostgresKeyStore } from "./postgres";
import { createVaultKeyStore } from "./vault";

const AWS_NAME = "onceboard";
const VAULT_MOUNT = "transit";

/** What KEY_STORE and the variables beside it say. */
export interface KeyStoreConfig {
  readonly keyStore: KeyStoreKind;
  readonly keyStoreDir: string;
  readonly keyStoreUrl?: string | undefined;
  readonly keyStoreName?: string | undefined;
  readonly keyStoreToken?: string | undefined;
  readonly keyStoreTokenFile?: string | undefined;
}

/** @returns undefined with `env`: data keys are wrapped by ENCRYPTION_KEYS alone @throws Error where the store lacks one of its settings */
export function openKeyStore(config: KeyStoreConfig): KeyStore | undefined {
  const { keyStore, keyStoreDir, keyStoreUrl, keyStoreName } = config;
  switch (keyStore) {
    case "env":
      return undefined;
    case "file":
      return createFileKeyStore(keyStoreDir);
    case "postgres":
      return createPostgresKeyStore(needed(keyStore, "KEY_STORE_URL", keyStoreUrl));
    case "aws-kms":
      return createAwsKeyStore(keyStoreName ?? AWS_NAME);
    case "gcp-kms":
      return createGcpKeyStore(needed(keyStore, "KEY_STORE_NAME", keyStoreName));
    case "vault": {
      const { keyStoreToken: value, keyStoreTokenFile: file } = config;
      const token = file === undefined ? { value: needed(keyStore, "KEY_STORE_TOKEN", value) } : { file };
      const url = needed(keyStore, "KEY_STORE_URL", keyStoreUrl);
      return createVaultKeyStore({ url, mount: keyStoreName ?? VAULT_MOUNT, token });
    }
  }
}

function needed(kind: KeyStoreKind, variable: string, value: string | undefined): string {
  if (value === undefined) throw new Error(`KEY_STORE=${kind} needs ${variable}.`);
  return value;
}

/** Makes what the key store needs before the first process uses it. @throws KeyStoreUnavailableError */
export async function prepareKeyStore(config: KeyStoreConfig): Promise<void> {
  const store = openKeyStore(config);
  try {
    await store?.prepare();
  } finally {
    await store?.close();
  }
}
