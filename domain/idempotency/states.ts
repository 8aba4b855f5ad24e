/**
 * The words of the state machine, once. Tables (CHECK constraints), types, labels and metrics use these lists;
 * a test compares them with the database.
 */

export const OPERATION_STATES = [
  "IN_PROGRESS",
  "COMPLETED",
  "FAILED_REPLAYABLE",
  "FAILED_RETRYABLE",
  "UNKNOWN_REQUIRES_RECOVERY",
  "EXPIRED",
] as const;
export type OperationState = (typeof OPERATION_STATES)[number];

/** How far the provider path came. The local path goes from RECEIVED to COMPLETED in one transaction. */
export const STAGES = ["RECEIVED", "LOCAL_PAYMENT_CREATED", "PROVIDER_REQUEST_SENT", "PROVIDER_CONFIRMED"] as const;
export type Stage = (typeof STAGES)[number];

export const CLAIM_OUTCOMES = [
  "claimed",
  "replay",
  "conflict",
  "in_progress",
  "stale",
  "unknown",
  "expired",
  "exhausted",
  "other_fingerprint_version",
  "wrong_region",
] as const;
export type ClaimOutcome = (typeof CLAIM_OUTCOMES)[number];

/** What one caller was told; also the `outcome` of metrics and of request events. */
export const ANSWER_OUTCOMES = [
  "executed",
  "replayed",
  "conflict",
  "in_progress",
  "expired_retry",
  "unknown",
  "failed",
] as const;
export type AnswerOutcome = (typeof ANSWER_OUTCOMES)[number];

export const OUTBOX_STATES = ["pending", "published", "dead", "discarded"] as const;
export type OutboxState = (typeof OUTBOX_STATES)[number];

export const INBOX_STATES = ["recorded", "processed", "dead", "discarded"] as const;
export type InboxState = (typeof INBOX_STATES)[number];

/** What a person is in the console; what each may do is said in permission.ts. */
export const ROLES = ["viewer", "operator", "approver", "admin", "auditor"] as const;
export type Role = (typeof ROLES)[number];

/** States an operation may leave only by the owner of its lease, by recovery or by a person. */
export const OPEN_STATES: readonly OperationState[] = ["IN_PROGRESS", "UNKNOWN_REQUIRES_RECOVERY"];
