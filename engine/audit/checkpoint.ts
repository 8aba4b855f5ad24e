import { z } from "zod";
import { canonicalize } from "@/domain/idempotency/canonical";
import type { PublicKeys, SigningKey } from "./signing-key";

/** What a checkpoint says of a chain: up to here there were so many entries, and the last had this hash. */
export interface Checkpoint {
  /** A tenant, or the access log. */
  readonly chain: string;
  readonly sequence: bigint;
  /** Hexadecimal. */
  readonly hash: string;
  /** By the clock of the process that made it, RFC 3339 UTC. */
  readonly at: string;
  readonly entries: bigint;
  /** Entries from this one on are signed by the process that wrote them, but for those of services. */
  readonly signedFrom: bigint;
  /** Raised by somebody with the key who says that checkpoints before count no more: after a restore, for example. */
  readonly epoch: number;
  /** Why the epoch was raised. */
  readonly reason?: string | undefined;
}

export interface SignedCheckpoint extends Checkpoint {
  readonly keyId: string;
  /** As it is kept and sent: one line of JSON with its signature. */
  readonly line: string;
}

const STATEMENT = "onceboard audit checkpoint 1";
const MAX_LINE = 2_000;
const count = z.string().regex(/^\d{1,18}$/);
const lineShape = z.strictObject({
  statement: z.literal(STATEMENT),
  chain: z.string().min(1).max(200),
  sequence: count,
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.iso.datetime(),
  entries: count,
  signedFrom: count,
  epoch: z.number().int().nonnegative(),
  reason: z.string().max(500).optional(),
  keyId: z.string().max(64),
  signature: z.string().regex(/^[0-9a-f]{128}$/),
});

function statementOf(checkpoint: Checkpoint, keyId: string) {
  const { chain, sequence, hash, at, entries, signedFrom, epoch, reason } = checkpoint;
  return {
    ...{ statement: STATEMENT, chain, sequence: sequence.toString(), hash, at, entries: entries.toString() },
    ...{ signedFrom: signedFrom.toString(), epoch, ...(reason !== undefined && { reason }), keyId },
  };
}

export function signCheckpoint(checkpoint: Checkpoint, key: SigningKey): SignedCheckpoint {
  const statement = statementOf(checkpoint, key.id);
  const signature = key.sign(canonicalize(statement)).toString("hex");
  return { ...checkpoint, keyId: key.id, line: JSON.stringify({ ...statement, signature }) };
}

export type ReadLine =
  | { readonly checkpoint: SignedCheckpoint }
  | { readonly problem: "not a checkpoint" | "signed with an unknown key" | "its signature is wrong" };

/** @returns the checkpoint of a line when one of the keys signed it; else why it counts for nothing */
export function readCheckpoint(line: string, keys: PublicKeys): ReadLine {
  const parsed = line.length > MAX_LINE ? undefined : lineShape.safeParse(jsonOf(line));
  if (parsed?.success !== true) return { problem: "not a checkpoint" };
  const { signature, ...said } = parsed.data;
  const key = keys.get(said.keyId);
  if (key === undefined) return { problem: "signed with an unknown key" };
  if (!key.verifies(canonicalize(said), Buffer.from(signature, "hex"))) return { problem: "its signature is wrong" };
  const [sequence, entries, signedFrom] = [BigInt(said.sequence), BigInt(said.entries), BigInt(said.signedFrom)];
  const { chain, hash, at, epoch, reason, keyId } = said;
  return { checkpoint: { chain, sequence, hash, at, entries, signedFrom, epoch, reason, keyId, line } };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @returns the one that counts: of the later epoch, then the one that covers more */
export function newer(
  one: SignedCheckpoint | undefined,
  other: SignedCheckpoint | undefined,
): SignedCheckpoint | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (one.epoch !== other.epoch) return one.epoch > other.epoch ? one : other;
  if (one.sequence !== other.sequence) return one.sequence > other.sequence ? one : other;
  return one.at >= other.at ? one : other;
}
