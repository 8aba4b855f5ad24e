import { canonicalize, type CanonicalValue } from "@/domain/idempotency/canonical";
import { sha256 } from "../sha256";
import type { MeshFunctionName } from "./operation";

/** SHA-256 of canonical JSON (RFC 8785): without a secret, so that whoever sent the value can compute it. */
function publishedHash(value: CanonicalValue): Buffer {
  return sha256(canonicalize(value));
}

/** What the mesh keeps a result under: hash(key + function + version). */
export function identityHash({ name, version }: MeshFunctionName, key: string): Buffer {
  return publishedHash({ function: name, key, version });
}

/** @param sent the arguments as their caller wrote them, parsed from JSON; undefined where there are none */
export function argumentsHash(sent: unknown): string | undefined {
  return sent === undefined ? undefined : `sha256:${publishedHash(sent as CanonicalValue).toString("hex")}`;
}
