import { createHash } from "node:crypto";
import { HASH_VERSIONS, hashedText, signedText, type AuditRecord } from "@/domain/access/audit-text";
import type { PublicKeys } from "./signing-key";

/** Where a walk along a chain is: all entries up to here hold together. */
export interface ChainPlace {
  readonly sequence: bigint;
  /** Hexadecimal, of the last entry; of an empty chain, of its name. */
  readonly hash: string;
  readonly version: number;
  /** Entries up to here without a signature that should have one: the last of them; 0: none. */
  readonly lastUnsigned: bigint;
  /** Entries that a service wrote inside the database, where nobody signs. */
  readonly ofServices: bigint;
}

export type Flaw =
  | "an entry is missing"
  | "an entry was changed"
  | "an entry goes back to an older rule"
  | "an entry was not written by a process with the key"
  | "the signature of an entry is wrong"
  | "an entry is signed with an unknown key"
  | "an entry differs from its checkpoint"
  | "the end of the chain was cut"
  | "the head of the chain was moved";

export interface Broken {
  readonly at: bigint;
  readonly flaw: Flaw;
}

/** What `db/recovery/end_operator_request.sql` writes: the services that settle operations by SQL have no key. */
function ofService({ actorKind, subjectType, action }: AuditRecord): boolean {
  return actorKind === "service" && subjectType === "operation" && action.startsWith("operations.");
}

export function chainBegin(chain: string): ChainPlace {
  const hash = createHash("sha256").update(chain, "utf8").digest("hex");
  return { sequence: 0n, hash, version: HASH_VERSIONS[0], lastUnsigned: 0n, ofServices: 0n };
}

/** @returns the hash that an entry must have behind the hash of the one before, hexadecimal; undefined for a rule that is not known */
function hashOf(entry: AuditRecord, previous: string): string | undefined {
  const text = hashedText(entry);
  if (text === undefined) return undefined;
  return createHash("sha256").update(Buffer.from(previous, "hex")).update(text, "utf8").digest("hex");
}

export interface WalkRules {
  readonly keys: PublicKeys;
  /** Entries from this one on must be signed; undefined: none has to be. */
  readonly signedFrom: bigint | undefined;
  /** Hashes that checkpoints name, by the sequence. */
  readonly hashes: ReadonlyMap<bigint, string>;
}

/** One step of a walk. @returns the place behind the entry, or what is wrong with it */
export function step(place: ChainPlace, entry: AuditRecord, rules: WalkRules): ChainPlace | Broken {
  const at = place.sequence + 1n;
  if (entry.sequence !== at) return { at, flaw: "an entry is missing" };
  if (entry.version < place.version) return { at, flaw: "an entry goes back to an older rule" };
  if (entry.previousHash !== place.hash || entry.hash !== hashOf(entry, place.hash))
    return { at, flaw: "an entry was changed" };
  const named = rules.hashes.get(at);
  if (named !== undefined && named !== entry.hash) return { at, flaw: "an entry differs from its checkpoint" };
  const flaw = signatureFlaw(entry, rules);
  if (flaw !== undefined) return { at, flaw };
  const unsigned = entry.signature === null;
  const service = unsigned && ofService(entry);
  return {
    ...{ sequence: at, hash: entry.hash, version: entry.version },
    lastUnsigned: unsigned && !service ? at : place.lastUnsigned,
    ofServices: place.ofServices + (service ? 1n : 0n),
  };
}

function signatureFlaw(entry: AuditRecord, { keys, signedFrom }: WalkRules): Flaw | undefined {
  const { signature, keyId } = entry;
  if (signature === null || keyId === null) {
    if (signature !== null || keyId !== null) return "the signature of an entry is wrong";
    const must = signedFrom !== undefined && entry.sequence >= signedFrom && !ofService(entry);
    return must ? "an entry was not written by a process with the key" : undefined;
  }
  // Without any key nothing can be said of signatures; the chain itself is still walked.
  if (keys.size === 0) return undefined;
  // The first rule does not cover the columns of a signature.
  if (entry.version === HASH_VERSIONS[0]) return "the signature of an entry is wrong";
  const key = keys.get(keyId);
  if (key === undefined) return "an entry is signed with an unknown key";
  return key.verifies(textOf(entry), Buffer.from(signature, "hex")) ? undefined : "the signature of an entry is wrong";
}

function textOf(entry: AuditRecord): string {
  try {
    return signedText(entry);
  } catch {
    return "";
  }
}

export function isBroken(walked: ChainPlace | Broken): walked is Broken {
  return "flaw" in walked;
}

/** Entries of one statement. */
export const CHAIN_BATCH = 2_000;

export interface Walked {
  readonly place: ChainPlace;
  readonly broken?: Broken | undefined;
  /** The end was reached; else there is more behind the place. */
  readonly ended: boolean;
}

/**
 * Walks from a place to the end, or until it is stopped.
 * @param part reads the entries from one on, in order
 * @param more asked after each part; false stops
 */
export async function walkChain(
  begin: ChainPlace,
  part: (from: bigint) => Promise<readonly AuditRecord[]>,
  rules: WalkRules,
  more: () => boolean = () => true,
): Promise<Walked> {
  let place = begin;
  for (;;) {
    const entries = await part(place.sequence + 1n);
    for (const entry of entries) {
      const walked = step(place, entry, rules);
      if (isBroken(walked)) return { place, broken: walked, ended: true };
      place = walked;
    }
    if (entries.length < CHAIN_BATCH) return { place, ended: true };
    if (!more()) return { place, ended: false };
  }
}

/** What the end of a walk is held against. */
export interface ChainEnd {
  /** Of the chain's head, read before its last entries were. */
  readonly head: { readonly sequence: bigint | null; readonly hash: string | null };
  /** How far the newest checkpoint reaches. */
  readonly checkpoint: bigint | undefined;
}

/** @returns what is wrong with where a walk ended */
export function endFlaw(place: ChainPlace, { head, checkpoint }: ChainEnd): Broken | undefined {
  const at = place.sequence + 1n;
  if (checkpoint !== undefined && place.sequence < checkpoint) return { at, flaw: "the end of the chain was cut" };
  const sequence = head.sequence ?? 0n;
  if (place.sequence < sequence) return { at, flaw: "the end of the chain was cut" };
  if (head.sequence === null) return place.sequence > 0n ? { at, flaw: "the head of the chain was moved" } : undefined;
  const moved = place.sequence === sequence && place.hash !== head.hash;
  return moved ? { at: place.sequence, flaw: "the head of the chain was moved" } : undefined;
}
