/**
 * The signed document. Every value is a text, numbers too: two programs that read it agree on every byte. Members are only
 * ever added; a change of meaning is another `format`.
 */
export const PROOF_FORMAT = "onceboard-proof/2";
export const PROOF_ALGORITHM = "Ed25519";

/** `open`: not settled or not finished yet. `partial`: what is left holds, but evidence is gone. `broken`: it was not once. */
export const PROOF_VERDICTS = ["proven", "open", "broken", "partial"] as const;
export type ProofVerdict = (typeof PROOF_VERDICTS)[number];

export type ClaimStatus = "holds" | "open" | "fails" | "not_shown";

/** A row behind a claim: the table and the id by which anybody with the database finds it. */
export interface ProofRow {
  readonly table: string;
  readonly id: string;
}

export interface ProofClaim {
  readonly name: string;
  readonly text: string;
  readonly expected: string;
  readonly counted: string;
  readonly status: ClaimStatus;
  /** Why it is open, fails or cannot be shown; beside a claim that holds, what else there is to know. */
  readonly note?: string | undefined;
  readonly rows: readonly ProofRow[];
}

/** A name of a side effect that is the same on every attempt. */
export interface ProofIdentity {
  readonly name: string;
  readonly value?: string | undefined;
  /** Instead of a value: "none yet". */
  readonly none?: string | undefined;
}

export interface ProofRequestCounts {
  readonly total: string;
  readonly executed: string;
  readonly replayed: string;
  readonly conflict: string;
  readonly inProgress: string;
  readonly unknown: string;
  readonly expiredRetry: string;
  readonly failed: string;
  /** Claimed the key and no answer to them is on record: the caller was gone, or the process died. */
  readonly unanswered: string;
}

export interface ProofCounts {
  readonly requests: ProofRequestCounts;
  /** What an answer bears out; a person's decision that the provider has not confirmed is none. */
  readonly executions: string;
  /** "1": the outcome rests on a person's decision, which `settledByHand` of the statement names. */
  readonly settledByHand: string;
  readonly owners: string;
  readonly takeovers: string;
  readonly fencedWrites: string;
  readonly providerCallsSent: string;
  /** A call that timed out, or was answered by no word about the effect, is not answered. */
  readonly providerCallsAnswered: string;
  readonly providerEffects: string;
  readonly lookUps: string;
  readonly webhooks: string;
  readonly events: string;
  readonly deliveries: string;
  readonly consumers: string;
  readonly duplicateArrivals: string;
  readonly ledgerEntries: string;
  readonly notifications: string;
}

/** A person's decision, and how the provider stands to it by the rows of the snapshot. */
export interface ProofDecision {
  readonly by: string;
  readonly at: string;
  readonly decision: "succeeded" | "failed";
  /** Names of webhook, look-up or document. */
  readonly evidence: readonly string[];
  readonly provider: "confirmed" | "contradicts it" | "not confirmed";
  /** Where the provider's word stands. */
  readonly providerSource?: "answer" | "look-up" | "signed webhook" | undefined;
}

export interface ProofStatement {
  readonly format: typeof PROOF_FORMAT;
  /** Database time of the snapshot that everything below was read from. */
  readonly issuedAt: string;
  readonly deployment: string;
  readonly tenant: string;
  readonly operationId: string;
  readonly operation: {
    readonly name: string;
    readonly key: string;
    readonly client: string;
    readonly state: string;
    readonly responseStatus?: string | undefined;
    readonly errorCode?: string | undefined;
    readonly createdAt: string;
    readonly completedAt?: string | undefined;
    readonly expiresAt: string;
    /** Decimal text in the currency's own digits. */
    readonly amount?: string | undefined;
    readonly currency?: string | undefined;
  };
  readonly verdict: ProofVerdict;
  readonly sentence: string;
  /** Only of an operation that a person settled. */
  readonly settledByHand?: ProofDecision | undefined;
  readonly counts: ProofCounts;
  readonly claims: readonly ProofClaim[];
  readonly missing: readonly string[];
  /** What can no longer be shown, and so is not counted as proven. */
  readonly notShown: readonly string[];
  readonly identities: readonly ProofIdentity[];
}

export interface ProofSignature {
  readonly algorithm: typeof PROOF_ALGORITHM;
  /** RFC 7638 thumbprint of the public key. */
  readonly keyId: string;
  /** Over the canonical JSON of everything but this member, base64url without padding. */
  readonly value: string;
}

export interface SignedProof extends ProofStatement {
  readonly signature: ProofSignature;
}
