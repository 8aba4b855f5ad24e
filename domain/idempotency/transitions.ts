import type { OperationState, Stage } from "./states";

/**
 * Every way from one state to another, with the SQL function that is its only owner. The diagram in
 * docs/STATE-MACHINE.md is made from this list.
 */
export interface Transition {
  readonly from: OperationState | "none";
  readonly to: OperationState | "none";
  /** Name of the SQL function. */
  readonly by: string;
  readonly when: string;
}

export const TRANSITIONS: readonly Transition[] = [
  { from: "none", to: "IN_PROGRESS", by: "claim", when: "first request of a key" },
  { from: "FAILED_RETRYABLE", to: "IN_PROGRESS", by: "claim", when: "same key again, attempts left" },
  { from: "IN_PROGRESS", to: "IN_PROGRESS", by: "take_over", when: "lease ran out: fence + 1" },
  {
    from: "UNKNOWN_REQUIRES_RECOVERY",
    to: "UNKNOWN_REQUIRES_RECOVERY",
    by: "take_over",
    when: "look-up due or asked for: fence + 1",
  },
  { from: "IN_PROGRESS", to: "COMPLETED", by: "complete", when: "effect known, answer kept" },
  { from: "IN_PROGRESS", to: "FAILED_REPLAYABLE", by: "complete", when: "refusal that binds" },
  { from: "IN_PROGRESS", to: "FAILED_RETRYABLE", by: "fail_retryable", when: "definitely no effect" },
  { from: "IN_PROGRESS", to: "UNKNOWN_REQUIRES_RECOVERY", by: "mark_unknown", when: "the provider may have acted" },
  {
    from: "UNKNOWN_REQUIRES_RECOVERY",
    to: "UNKNOWN_REQUIRES_RECOVERY",
    by: "mark_unknown",
    when: "look-up settled nothing",
  },
  { from: "UNKNOWN_REQUIRES_RECOVERY", to: "COMPLETED", by: "complete", when: "provider or person says it succeeded" },
  {
    from: "UNKNOWN_REQUIRES_RECOVERY",
    to: "FAILED_REPLAYABLE",
    by: "complete",
    when: "provider or person says it did not",
  },
  {
    from: "UNKNOWN_REQUIRES_RECOVERY",
    to: "FAILED_RETRYABLE",
    by: "fail_retryable",
    when: "provider never received it",
  },
  { from: "COMPLETED", to: "EXPIRED", by: "expire_requests", when: "window over" },
  { from: "FAILED_REPLAYABLE", to: "EXPIRED", by: "expire_requests", when: "window over" },
  { from: "FAILED_RETRYABLE", to: "EXPIRED", by: "expire_requests", when: "window over" },
  { from: "COMPLETED", to: "EXPIRED", by: "claim", when: "late retry that may execute: set aside" },
  { from: "FAILED_REPLAYABLE", to: "EXPIRED", by: "claim", when: "late retry that may execute: set aside" },
  { from: "FAILED_RETRYABLE", to: "EXPIRED", by: "claim", when: "late retry that may execute: set aside" },
  { from: "EXPIRED", to: "none", by: "purge_requests", when: "metadata retention over" },
];

/** The provider path inside IN_PROGRESS. */
export const STAGE_TRANSITIONS: readonly { readonly from: Stage; readonly to: Stage; readonly by: string }[] = [
  { from: "RECEIVED", to: "LOCAL_PAYMENT_CREATED", by: "prepare_provider" },
  { from: "LOCAL_PAYMENT_CREATED", to: "PROVIDER_REQUEST_SENT", by: "mark_sent" },
  { from: "PROVIDER_REQUEST_SENT", to: "PROVIDER_CONFIRMED", by: "confirm_provider" },
];

export function stateDiagram(): string {
  const name = (state: Transition["from"]) => (state === "none" ? "[*]" : state);
  const lines = TRANSITIONS.map(
    (each) => `    ${name(each.from)} --> ${name(each.to)}: ${each.by}, ${each.when.replaceAll(":", ",")}`,
  );
  return ["stateDiagram-v2", ...lines].join("\n");
}

export function stageDiagram(): string {
  return [
    "stateDiagram-v2",
    "    direction LR",
    ...STAGE_TRANSITIONS.map((each) => `    ${each.from} --> ${each.to}: ${each.by}`),
  ].join("\n");
}
