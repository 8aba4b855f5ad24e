import { canonicalize, type CanonicalValue } from "../idempotency/canonical";

/** What an entry of the audit says: what is signed. Facts are JSON texts. */
export interface AuditContent {
  readonly chain: string;
  readonly id: string;
  readonly actorKind: string;
  readonly actorId: string;
  readonly actorName: string;
  readonly action: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly reason: string | null;
  /** As PostgreSQL writes jsonb: what is hashed is this text. */
  readonly before: string | null;
  readonly after: string | null;
  readonly evidence: string | null;
  readonly requestId: string | null;
}

/** An entry with its place in the chain, every column of it. */
export interface AuditRecord extends AuditContent {
  readonly sequence: bigint;
  /** Microseconds since 1970. */
  readonly micros: bigint;
  readonly version: number;
  readonly keyId: string | null;
  /** Hexadecimal, as the hashes. */
  readonly signature: string | null;
  readonly previousHash: string;
  readonly hash: string;
}

/** Rules of the hash, in the order in which they were in force: a chain never goes back. */
export const HASH_VERSIONS = [1, 2] as const;

/**
 * The text that is hashed behind the hash of the entry before, the same as of the functions `audit_hash` and `audit_hash_2`.
 * Version 1 leaves out the entry's id.
 * @returns undefined when there is no such version
 */
export function hashedText(entry: AuditRecord): string | undefined {
  const { chain, id, sequence, micros, actorKind, actorId, actorName, action, subjectType, subjectId } = entry;
  const { reason, before, after, evidence, requestId, keyId, signature } = entry;
  const who = [micros.toString(), ...[actorKind, actorId, actorName, action, subjectType, subjectId].map(jsonText)];
  const what = [jsonText(reason), before ?? "null", after ?? "null", evidence ?? "null", jsonText(requestId)];
  switch (entry.version) {
    case 1:
      return `[${[jsonText(chain), sequence.toString(), ...who, ...what].join(", ")}]`;
    case 2:
      return `[${["2", jsonText(chain), jsonText(id), sequence.toString(), ...who, ...what, jsonText(keyId), jsonText(signature)].join(", ")}]`;
    default:
      return undefined;
  }
}

/** A string as PostgreSQL writes it into jsonb: JavaScript escapes the same characters in the same way. */
function jsonText(value: string | null): string {
  return value === null ? "null" : JSON.stringify(value);
}

const SIGNED = "onceboard audit entry 1";

/**
 * What the process that writes an entry signs: all that it says, before the database gives it a place and a time. Facts count by their
 * values, so that it does not matter how jsonb writes them.
 * @throws SyntaxError when a fact is no JSON
 */
export function signedText(content: AuditContent): string {
  const { chain, id, actorKind, actorId, actorName, action, subjectType, subjectId, reason, requestId } = content;
  const facts = [content.before, content.after, content.evidence].map((text) =>
    text === null ? null : (JSON.parse(text) as CanonicalValue),
  );
  const said = [chain, id, actorKind, actorId, actorName, action, subjectType, subjectId, reason, requestId];
  return canonicalize([SIGNED, ...said, ...facts]);
}
