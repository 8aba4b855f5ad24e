import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

const VERSION = 1;
const IV_BYTES = 12;
const IVS_AT_ONCE = 256;
const TAG_BYTES = 16;
const KEY_ID_BYTES = 4;
export const KEY_BYTES = 32;

/** The entries of ENCRYPTION_KEYS: what wraps data keys and seals secrets of the deployment itself. */
export type KeyEntries = ReturnType<typeof readKeyEntries>;

/**
 * @param encryptionKeys entries `id:base64(32 bytes)` separated by commas; the first one seals, all of them open
 * @throws Error naming the broken entry, never its value
 */
export function readKeyEntries(encryptionKeys: string) {
  const keys = new Map<string, Buffer>();
  let current: { readonly name: string; readonly id: Buffer; readonly key: Buffer } | undefined;
  for (const [index, entry] of encryptionKeys.split(",").entries()) {
    const [name = "", encoded = ""] = entry.trim().split(":");
    const key = Buffer.from(encoded, "base64");
    if (name === "" || key.length !== KEY_BYTES)
      throw new Error(`ENCRYPTION_KEYS: entry ${String(index + 1)} is not id:base64 of 32 bytes`);
    const id = createHash("sha256").update(name).digest().subarray(0, KEY_ID_BYTES);
    keys.set(id.toString("hex"), key);
    current ??= { name, id, key };
  }
  if (current === undefined) throw new Error("ENCRYPTION_KEYS: at least one key is needed");
  const sealing = current;
  return {
    current: sealing.name,
    /** @returns ciphertext that names its entry and is bound to `binding`. */
    seal: (plain: Uint8Array, binding: readonly string[]): Buffer =>
      encrypt(Buffer.concat([Buffer.from([VERSION]), sealing.id]), sealing.key, plain, binding),
    /** @throws Error when the entry is gone, the bytes were changed, or the binding is another one. */
    open(sealed: Uint8Array, binding: readonly string[]): Buffer {
      const bytes = Buffer.from(sealed);
      const start = 1 + KEY_ID_BYTES;
      const key = keys.get(bytes.subarray(1, start).toString("hex"));
      if (bytes[0] !== VERSION || key === undefined) throw new Error("its key is not in ENCRYPTION_KEYS");
      return decrypt(bytes, start, key, binding);
    },
  };
}

let ivs = Buffer.alloc(0);

/** Random, drawn a few hundred at a time: one call for each would be a twentieth of a replay. None is given out twice. */
function freshIv(): Buffer {
  if (ivs.length < IV_BYTES) ivs = randomBytes(IV_BYTES * IVS_AT_ONCE);
  const iv = ivs.subarray(0, IV_BYTES);
  ivs = ivs.subarray(IV_BYTES);
  return iv;
}

/** AES-256-GCM: `head`, IV, ciphertext, tag; `binding` is additional data. */
export function encrypt(head: Buffer, key: Buffer, plain: Uint8Array, binding: readonly string[]): Buffer {
  const iv = freshIv();
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  cipher.setAAD(Buffer.from(JSON.stringify(binding)));
  return Buffer.concat([head, iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** @param start where the head ends @throws Error when the bytes were changed or belong to something else */
export function decrypt(sealed: Buffer, start: number, key: Buffer, binding: readonly string[]): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(start, start + IV_BYTES));
  decipher.setAAD(Buffer.from(JSON.stringify(binding)));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(start + IV_BYTES, -TAG_BYTES)), decipher.final()]);
}
