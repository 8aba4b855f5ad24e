import type { ClaimOutcome, OperationState } from "./states";

/**
 * What a request of a key meets, and what follows. The table in docs/STATE-MACHINE.md is made from this list, and
 * payments/behaviours.db.test.ts runs every row against the database.
 */
export interface Behaviour {
  readonly existing: Existing;
  /** Whether the request is the same canonical command, by the rules of the stored row. */
  readonly same: boolean;
  readonly outcome: ClaimOutcome;
  /** What the caller gets, in the words of the document. */
  readonly answer: string;
}

/** A stored record as a request may meet it; `stale`: its owner's lease is over. */
export type Existing = "none" | "forgotten UUIDv7" | "IN_PROGRESS, stale" | "settled, window over" | OperationState;

const CONFLICT = "409 `idempotency.payload_mismatch` (422 by policy); the stored record is untouched";

export const BEHAVIOURS: readonly Behaviour[] = [
  { existing: "none", same: true, outcome: "claimed", answer: "insert `IN_PROGRESS` and execute" },
  {
    existing: "forgotten UUIDv7",
    same: true,
    outcome: "expired",
    answer: "410 `idempotency.key_expired`: the key is older than all records, so nobody can know whether it was used",
  },
  { existing: "COMPLETED", same: true, outcome: "replay", answer: "the stored answer, or the resource by policy" },
  { existing: "FAILED_REPLAYABLE", same: true, outcome: "replay", answer: "the stored refusal" },
  {
    existing: "IN_PROGRESS",
    same: true,
    outcome: "in_progress",
    answer: "by policy: 409 with `Retry-After`, a bounded wait, or 202 with the operation's address; never 425",
  },
  {
    existing: "IN_PROGRESS, stale",
    same: true,
    outcome: "stale",
    answer: 'takes recovery ownership atomically and settles; the loser gets "in progress"; never executed blindly',
  },
  {
    existing: "FAILED_RETRYABLE",
    same: true,
    outcome: "claimed",
    answer: "runs again, up to the policy's attempts; then 409 `idempotency.attempts_exhausted`",
  },
  {
    existing: "UNKNOWN_REQUIRES_RECOVERY",
    same: true,
    outcome: "unknown",
    answer: "409 `idempotency.outcome_unknown` with `Retry-After`; nothing is sent again",
  },
  {
    existing: "settled, window over",
    same: true,
    outcome: "expired",
    answer: "410 `idempotency.key_expired`; by policy a new operation, the old one set aside",
  },
  { existing: "EXPIRED", same: true, outcome: "expired", answer: "as above" },
  { existing: "COMPLETED", same: false, outcome: "conflict", answer: CONFLICT },
  { existing: "FAILED_REPLAYABLE", same: false, outcome: "conflict", answer: CONFLICT },
  { existing: "FAILED_RETRYABLE", same: false, outcome: "conflict", answer: CONFLICT },
  { existing: "IN_PROGRESS", same: false, outcome: "conflict", answer: CONFLICT },
  { existing: "IN_PROGRESS, stale", same: false, outcome: "conflict", answer: CONFLICT },
  { existing: "UNKNOWN_REQUIRES_RECOVERY", same: false, outcome: "conflict", answer: CONFLICT },
  { existing: "settled, window over", same: false, outcome: "conflict", answer: CONFLICT },
  { existing: "EXPIRED", same: false, outcome: "conflict", answer: CONFLICT },
];

export function behaviourTable(): string {
  const rows = BEHAVIOURS.map(
    ({ existing, same, outcome, answer }) => `| ${existing} | ${same ? "yes" : "no"} | \`${outcome}\` | ${answer} |`,
  );
  return ["| existing record | same command | `claim()` says | the caller gets |", "|---|---|---|---|", ...rows].join(
    "\n",
  );
}
