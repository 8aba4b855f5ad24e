import { REPUBLISH_VERDICTS, type RepublishVerdict } from "@/domain/messages/republish-verdict";
import { REQUEUE_VERDICTS, type RequeueVerdict } from "@/domain/messages/requeue-verdict";

/**
 * What a plan may do to one operation: one rule for the dry run and for the moment before its row acts; pure, from facts
 * that one bounded query read.
 */
export const OPERATION_VERDICTS = [
  "ask",
  "by_hand",
  "ask_service",
  "free",
  "expired",
  "settled",
  "leased",
  "not_sent",
  "sent",
  "cannot_ask",
  "foreign",
  "open",
  "purged",
  "kept",
  "moved",
] as const;

export type OperationVerdict = (typeof OPERATION_VERDICTS)[number];

/** Of a message that a person corrected: every attempt was refused or never left, or its receiver may have acted on it or cannot be sent to. */
export const CORRECTION_VERDICTS = ["refused", "doubtful"] as const;
export type CorrectionVerdict = (typeof CORRECTION_VERDICTS)[number];

/** Of an attached database: a row that was dead, or not among the dead rows that were read, or a batch of rows that were due to be deleted. */
export const ATTACHED_VERDICTS = ["dead_there", "due_there", "not_dead_there"] as const;
export type AttachedVerdict = (typeof ATTACHED_VERDICTS)[number];

/** Verdicts of every kind of plan, what acts first. */
export type PlanItemVerdict =
  RequeueVerdict | OperationVerdict | CorrectionVerdict | RepublishVerdict | AttachedVerdict;

export const PLAN_ITEM_VERDICTS: readonly PlanItemVerdict[] = [
  ...new Set<PlanItemVerdict>([
    ...OPERATION_VERDICTS,
    ...REQUEUE_VERDICTS,
    ...CORRECTION_VERDICTS,
    ...REPUBLISH_VERDICTS,
    ...ATTACHED_VERDICTS,
  ]),
];
