import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from "node:crypto";
import { readFileSync, statSync } from "node:fs";

/** An Ed25519 key that signs entries and checkpoints; it never enters SQL. */
export interface SigningKey {
  readonly id: string;
  sign(text: string): Buffer;
  readonly publicKey: PublicKey;
}

export interface PublicKey {
  readonly id: string;
  verifies(text: string, signature: Buffer): boolean;
  readonly pem: string;
}

/** By their ids: keys that were in use at some time. */
export type PublicKeys = ReadonlyMap<string, PublicKey>;

const ID_LENGTH = 16;
const OTHERS = 0o077;
const PEM_BLOCK = /-----BEGIN PUBLIC KEY-----[\s\S]+?-----END PUBLIC KEY-----/g;
/** A file of public keys is a few hundred bytes a key. */
const MAX_FILE_BYTES = 1_000_000;

/** @returns a new pair, as PEM texts */
export function makeKeyPair(): { readonly privatePem: string; readonly publicPem: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    privatePem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
  };
}

/** @throws Error in one sentence without the key when it is none */
export function signingKeyOf(pem: string, name: string): SigningKey {
  const key = read(() => createPrivateKey(pem), `${name} holds no private key in PEM`);
  if (key.asymmetricKeyType !== "ed25519") throw new Error(`${name} holds a key that is not Ed25519.`);
  const publicKey = publicKeyOf(createPublicKey(key));
  return { id: publicKey.id, publicKey, sign: (text) => sign(null, Buffer.from(text, "utf8"), key) };
}

/**
 * Reads the private key of a file that nobody but its owner may open.
 * @throws Error in one sentence: it is not there, others may read it, or it is no Ed25519 key
 */
export function readSigningKey(path: string): SigningKey {
  const text = read(() => {
    const { mode, size } = statSync(path);
    if (process.platform !== "win32" && (mode & OTHERS) !== 0) return undefined;
    return size > MAX_FILE_BYTES ? "" : readFileSync(path, "utf8");
  }, `AUDIT_KEY_FILE ${path} cannot be read`);
  if (text === undefined) throw new Error(`AUDIT_KEY_FILE ${path} can be opened by others: chmod 600 it.`);
  return signingKeyOf(text, `AUDIT_KEY_FILE ${path}`);
}

/** @param text one public key in PEM or several. @throws Error in one sentence when there is none, or one is not Ed25519 */
export function publicKeysOf(text: string, name: string): PublicKeys {
  const blocks = text.match(PEM_BLOCK) ?? [];
  if (blocks.length === 0) throw new Error(`${name} holds no public key in PEM.`);
  const keys = blocks.map((pem) => {
    const key = read(() => createPublicKey(pem), `${name} holds something that is no public key`);
    if (key.asymmetricKeyType !== "ed25519") throw new Error(`${name} holds a key that is not Ed25519.`);
    return publicKeyOf(key);
  });
  return new Map(keys.map((key) => [key.id, key]));
}

/** @throws Error in one sentence */
export function readPublicKeys(path: string): PublicKeys {
  const text = read(
    () => (statSync(path).size > MAX_FILE_BYTES ? "" : readFileSync(path, "utf8")),
    `The file of public keys ${path} cannot be read`,
  );
  return publicKeysOf(text, path);
}

function publicKeyOf(key: KeyObject): PublicKey {
  const der = key.export({ type: "spki", format: "der" });
  return {
    id: createHash("sha256").update(der).digest("hex").slice(0, ID_LENGTH),
    pem: key.export({ type: "spki", format: "pem" }).toString(),
    verifies: (text, signature) => verify(null, Buffer.from(text, "utf8"), key, signature),
  };
}

function read<T>(from: () => T, sentence: string): T {
  try {
    return from();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new Error(`${sentence}${code?.startsWith("E") === true && !code.startsWith("ERR") ? ` (${code})` : ""}.`);
  }
}
