import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";

const VERSION = 1;
const IV_BYTES = 12;
const IVS_AT_ONCE = 256;
const TAG_BYTES = 16;
const KEY_ID_BYTES = 4;

export interface BodyKeyring {
  /**
   * @param plain the bytes to keep secret
   * @param binding what the ciphertext belongs to (tenant, operation id, kind); another binding does not open it
   */
  seal(plain: Uint8Array, binding: readonly string[]): Buffer;
  /** @throws Error when the key is unknown, the bytes were changed, or the binding is another one. */
  open(sealed: Uint8Array, binding: readonly string[]): Buffer;
  /** Keyed hash of a canonical command: nobody who reads the table can guess amounts from it (S4.2). 32 bytes. */
  fingerprint(tenantId: string, canonical: string): Buffer;
}

/**
 * Keys for stored bodies (AES-256-GCM) and for fingerprints (HMAC-SHA-256, per tenant).
 *
 * @param encryptionKeys entries `id:base64(32 bytes)` separated by commas; the first one seals, all of them open
 * @param secret the deployment's secret, source of the tenants' fingerprint keys
 * @throws Error naming the broken entry, never its value
 */
export function createBodyKeyring(encryptionKeys: string, secret: string): BodyKeyring {
  const keys = new Map<string, Buffer>();
  let current: { readonly id: Buffer; readonly key: Buffer } | undefined;
  for (const [index, entry] of encryptionKeys.split(",").entries()) {
    const [name = "", encoded = ""] = entry.trim().split(":");
    const key = Buffer.from(encoded, "base64");
    if (name === "" || key.length !== 32)
      throw new Error(`ENCRYPTION_KEYS: entry ${String(index + 1)} is not id:base64 of 32 bytes`);
    const id = createHash("sha256").update(name).digest().subarray(0, KEY_ID_BYTES);
    keys.set(id.toString("hex"), key);
    current ??= { id, key };
  }
  if (current === undefined) throw new Error("ENCRYPTION_KEYS: at least one key is needed");
  const sealing = current;
  const tenantKeys = new Map<string, Buffer>();
  return {
    seal: (plain, binding) => seal(sealing.id, sealing.key, plain, binding),
    open: (sealed, binding) => open(keys, Buffer.from(sealed), binding),
    fingerprint(tenantId, canonical) {
      let key = tenantKeys.get(tenantId);
      if (key === undefined) {
        key = Buffer.from(hkdfSync("sha256", secret, tenantId, "onceboard fingerprint", 32));
        tenantKeys.set(tenantId, key);
      }
      return createHmac("sha256", key).update(canonical).digest();
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

function seal(id: Buffer, key: Buffer, plain: Uint8Array, binding: readonly string[]): Buffer {
  const iv = freshIv();
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  cipher.setAAD(Buffer.from(JSON.stringify(binding)));
  return Buffer.concat([Buffer.from([VERSION]), id, iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function open(keys: ReadonlyMap<string, Buffer>, sealed: Buffer, binding: readonly string[]): Buffer {
  const start = 1 + KEY_ID_BYTES;
  const key = keys.get(sealed.subarray(1, start).toString("hex"));
  if (sealed[0] !== VERSION || key === undefined) throw new Error("stored body: its key is not in ENCRYPTION_KEYS");
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(start, start + IV_BYTES));
  decipher.setAAD(Buffer.from(JSON.stringify(binding)));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(start + IV_BYTES, -TAG_BYTES)), decipher.final()]);
}

/** @returns the additional data for a stored body of an operation. `kind`: `command`, `response`, `conflict:<event id>`. */
export function bodyBinding(tenantId: string, operationId: string, kind: string): readonly string[] {
  return [tenantId, operationId, kind];
}
