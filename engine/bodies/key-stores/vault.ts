import { KeyStoreUnavailableError, type KeyStore } from "../key-store";
import { askKeyService, dayOfName, periodName } from "./managed";
import { createTransit, REFUSED, VaultError, vaultReason, type VaultOptions } from "./vault-transit";

const MS_PER_SECOND = 1_000;

/**
 * A key of Vault's or OpenBao's transit engine for each period, never exportable. It is gone from the engine as soon as it is deleted; what
 * keeps it are snapshots and backups of Vault's own storage.
 */
export function createVaultKeyStore(options: VaultOptions): KeyStore {
  const transit = createTransit(options);
  let known: string | undefined;
  const ask = <T>(what: () => Promise<T>): Promise<T> => askKeyService("Vault", what, vaultReason);

  async function requireSame(): Promise<string> {
    const id = await transit.storeId();
    if ((known ?? id) !== id)
      throw new KeyStoreUnavailableError(`${options.mount} is not the key store that this process began with`);
    return (known = id);
  }

  return {
    kind: "vault",
    prepare: () => ask(() => transit.make()),
    id: () => ask(async () => `vault:${await requireSame()}`),
    wrap: (period, plain) =>
      ask(async () => {
        const key = periodName(period);
        await transit.make(key);
        const plaintext = Buffer.from(plain).toString("base64");
        const { ciphertext } = await transit.done("POST", `encrypt/${key}`, { plaintext });
        if (typeof ciphertext !== "string") throw new VaultError("no ciphertext");
        return Buffer.from(ciphertext);
      }),
    unwrap: (period, wrapped) =>
      ask(async () => {
        const ciphertext = Buffer.from(wrapped).toString();
        const { status, data } = await transit.call("POST", `decrypt/${periodName(period)}`, { ciphertext });
        const { plaintext } = data;
        if (status < REFUSED && typeof plaintext === "string") return Buffer.from(plaintext, "base64");
        if (status !== REFUSED) throw new VaultError(`decrypt answered ${String(status)}`);
        await requireSame();
        // No such key; or a later one, and what sealed this was destroyed.
        return undefined;
      }),
    async destroy(tenantId, days) {
      if (days.length > 0) await ask(requireSame);
      for (const day of days) await ask(() => transit.destroy(periodName({ tenantId, day })));
    },
    daysBefore: (tenantId, before, limit) =>
      ask(async () => {
        await requireSame();
        const { keys } = await transit.done("GET", "keys?list=true");
        const found: string[] = [];
        for (const name of (Array.isArray(keys) ? keys.map(String) : []).sort()) {
          const day = dayOfName(name, tenantId);
          if (day === undefined || day >= before || found.length === limit) continue;
          const { keys: versions } = (await transit.call("GET", `keys/${name}`)).data;
          // Of an AES key: seconds since 1970 by version.
          const made = (versions as Readonly<Record<string, number>> | undefined)?.["1"] ?? Infinity;
          if (made * MS_PER_SECOND < Date.parse(before)) found.push(day);
        }
        return found;
      }),
    close: () => Promise.resolve(),
  };
}
