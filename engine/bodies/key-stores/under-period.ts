import { decrypt, encrypt } from "../key-entries";
import type { KeyPeriod } from "../key-store";

const VERSION = 1;
const HEAD = Buffer.from([VERSION]);

/** @param key 32 bytes, of the period @returns `plain` sealed by AES-256-GCM, bound to the period */
export function sealUnderPeriod(key: Buffer, period: KeyPeriod, plain: Uint8Array): Buffer {
  return encrypt(HEAD, key, plain, bindingOf(period));
}

/** @returns undefined when another key sealed it: the one that did was destroyed, and the period's key is a later one */
export function openUnderPeriod(key: Buffer, period: KeyPeriod, wrapped: Uint8Array): Buffer | undefined {
  const bytes = Buffer.from(wrapped);
  if (bytes[0] !== VERSION) throw new Error("this was not wrapped by a key store of this version");
  try {
    return decrypt(bytes, HEAD.length, key, bindingOf(period));
  } catch {
    return undefined;
  }
}

function bindingOf({ tenantId, day }: KeyPeriod): readonly string[] {
  return ["period", tenantId, day];
}
