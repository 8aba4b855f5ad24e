import { createHash, createPrivateKey, createPublicKey, hkdfSync, sign } from "node:crypto";
import { canonicalize, type CanonicalValue } from "@/domain/idempotency/canonical";
import { PROOF_ALGORITHM, type ProofStatement, type SignedProof } from "@/presentation/proof/proof-statement";

/** A public key as third parties take it (RFC 8037). */
export interface ProofJwk {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly x: string;
  readonly kid: string;
  readonly use: "sig";
  readonly alg: "EdDSA";
}

export interface ProofSigner {
  readonly jwk: ProofJwk;
  sign(statement: ProofStatement): SignedProof;
}

const SEED_BYTES = 32;
const PURPOSE = "onceboard proof signing key 1";
/** PKCS #8 of an Ed25519 key, all but its 32 bytes of seed (RFC 8410). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

/**
 * The signing key of a deployment. It comes from SECRET alone, so every process has the same one and nothing has to be kept;
 * another SECRET is another key.
 */
export function createProofSigner(secret: string): ProofSigner {
  const seed = Buffer.from(hkdfSync("sha256", secret, "", PURPOSE, SEED_BYTES));
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  const kid = createHash("sha256")
    .update(canonicalize({ crv: "Ed25519", kty: "OKP", x }))
    .digest("base64url");
  return {
    jwk: { kty: "OKP", crv: "Ed25519", x, kid, use: "sig", alg: "EdDSA" },
    sign(statement) {
      // Through JSON once: what is signed is what a reader parses, without the members that have no value.
      const plain = JSON.parse(JSON.stringify(statement)) as ProofStatement & Readonly<Record<string, CanonicalValue>>;
      const value = sign(null, Buffer.from(canonicalize(plain)), key).toString("base64url");
      return { ...plain, signature: { algorithm: PROOF_ALGORITHM, keyId: kid, value } };
    },
  };
}
