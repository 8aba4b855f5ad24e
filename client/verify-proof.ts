/** A public key of `GET /api/v1/proof-keys`. */
export interface ProofKey {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  /** 32 bytes, base64url. */
  readonly x: string;
  readonly kid?: string;
}

const ALGORITHM = "Ed25519";

/**
 * Whether a proof was signed by the holder of a key and not one byte of it was changed since. Asks nobody: with a proof and a
 * key that were kept, this is true or false for good. Runs where WebCrypto knows Ed25519 (Node 20, browsers of 2025 on), and
 * needs nothing else of this library.
 *
 * @param proof the parsed JSON, as `GET /admin/operations/{id}/proof` answered it or a file holds it
 * @param trusted one key, or the whole answer of `GET /proof-keys`; keep it beside the proofs, keys change with the secret
 * @returns false for anything but a good signature of one of these keys, also for what is no proof at all
 * @throws DOMException when the key is not usable or this runtime has no Ed25519
 */
export async function verifyProof(
  proof: unknown,
  trusted: ProofKey | { readonly keys: readonly ProofKey[] },
): Promise<boolean> {
  if (!isRecord(proof)) return false;
  const { signature, ...statement } = proof;
  if (!isRecord(signature) || Object.keys(signature).length !== 3 || signature["algorithm"] !== ALGORITHM) return false;
  const { keyId, value } = signature;
  if (typeof keyId !== "string" || typeof value !== "string") return false;
  const bytes = fromBase64Url(value);
  const message = canonical(statement);
  if (bytes === undefined || message === undefined) return false;
  for (const { kty, crv, x } of "keys" in trusted ? trusted.keys : [trusted]) {
    // The name of a key is its fingerprint: a proof that names another key is another proof.
    if ((await thumbprint(x)) !== keyId) continue;
    const key = await crypto.subtle.importKey("jwk", { kty, crv, x }, { name: ALGORITHM }, false, ["verify"]);
    return crypto.subtle.verify({ name: ALGORITHM }, key, bytes, utf8(message));
  }
  return false;
}

/** RFC 7638: SHA-256 of the key's needed members in their one order. */
async function thumbprint(x: string): Promise<string> {
  const members = `{"crv":"${ALGORITHM}","kty":"OKP","x":${JSON.stringify(x)}}`;
  return toBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", utf8(members))));
}

/** RFC 8785 for what a proof holds: members sorted, no white space. @returns undefined for what is no JSON */
function canonical(value: unknown): string | undefined {
  try {
    return write(value);
  } catch {
    return undefined;
  }
}

function write(value: unknown): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
  if (!isRecord(value)) throw new TypeError("not JSON");
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${write(value[name])}`);
  return `{${members.join(",")}}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Strict: the same bytes have one text only, so that a changed last character is a change. */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined;
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return toBase64Url(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}
