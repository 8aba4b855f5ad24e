import { canonicalCommand, type CanonicalCommand } from "./canonical";

/**
 * How a command becomes the text that is hashed, by version. The version is stored beside each fingerprint; a rule stays
 * here as long as rows made by it may be retried, so a deploy does not turn old retries into conflicts.
 * Version 0 belongs to services that speak SQL and hash by a rule of their own (docs/SQL-CONTRACT.md).
 */
export interface FingerprintRules {
  /** Rows are made by this one. */
  readonly current: number;
  readonly canonical: ReadonlyMap<number, (command: CanonicalCommand) => string>;
}

export const FINGERPRINT_RULES: FingerprintRules = { current: 1, canonical: new Map([[1, canonicalCommand]]) };

/** Characters of a fingerprint that are told; the log's `payload_hash` has as many. */
export const PAYLOAD_HASH_CHARS = 16;
