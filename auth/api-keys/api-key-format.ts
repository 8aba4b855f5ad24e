import { randomBytes, timingSafeEqual } from "node:crypto";
import { sha256 } from "@/engine/sha256";

/** Bytes of the public part: enough that two keys never meet; it only finds the row. */
const PUBLIC_ID_BYTES = 10;
const SECRET_BYTES = 32;
/** `ob_`, 20 hex digits, `_`, 43 characters of base64url. */
export const API_KEY_LENGTH = 3 + PUBLIC_ID_BYTES * 2 + 1 + 43;
const API_KEY = /^ob_([0-9a-f]{20})_([A-Za-z0-9_-]{43})$/;

export interface PresentedKey {
  readonly publicId: string;
  /** SHA-256 of the 32 secret bytes. */
  readonly secretHash: Buffer;
}

/** @returns a new key in the form its owner keeps, and the two parts the database keeps. The key itself is nowhere stored. */
export function newApiKey(): PresentedKey & { readonly key: string } {
  const publicId = randomBytes(PUBLIC_ID_BYTES).toString("hex");
  const secret = randomBytes(SECRET_BYTES);
  return { key: `ob_${publicId}_${secret.toString("base64url")}`, publicId, secretHash: sha256(secret) };
}

/** @returns the parts of `ob_<publicId>_<secret>`, or undefined for anything else, however long. */
export function parseApiKey(key: string): PresentedKey | undefined {
  if (key.length !== API_KEY_LENGTH) return undefined;
  const match = API_KEY.exec(key);
  const [, publicId, encoded] = match ?? [];
  if (publicId === undefined || encoded === undefined) return undefined;
  const secret = Buffer.from(encoded, "base64url");
  // The last character carries two spare bits: only the spelling we gave out is the key.
  if (secret.toString("base64url") !== encoded) return undefined;
  return { publicId, secretHash: sha256(secret) };
}

/** @returns the key of `Authorization: Bearer <key>`; the scheme's case does not matter. */
export function parseBearer(header: string | null | undefined): PresentedKey | undefined {
  if (header === null || header === undefined || header.length > API_KEY_LENGTH + 16) return undefined;
  const match = /^bearer +(\S+)$/i.exec(header.trim());
  return match?.[1] === undefined ? undefined : parseApiKey(match[1]);
}

/** Constant time: how much of a hash was right does not show in how long the answer took. */
export function sameHash(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
