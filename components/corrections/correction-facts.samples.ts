import { sampleOutbox } from "@/components/messages/message-samples";
import { sampleAction } from "@/components/operation/operation-facts.samples";
import { SAMPLE_ID } from "@/components/parts/part";
import { samplePlan } from "@/components/plans/plan-facts.samples";
import { NO_RESULTS } from "@/presentation/plan/plan-results";
import type { PlanCorrection, PlanView } from "@/presentation/views/plans";

const NOTE =
  "All 12 attempts were refused (webhook.http_422). The corrected message has a new id: to the receiver it is a new message.";
export const DOUBT = "The receiver may have acted on it: 1 attempt ended without a clear refusal (webhook.timeout).";
export const BODY = `{"id":"${SAMPLE_ID}","type":"payment.succeeded","tenant":"acme","data":{"amount":123456789012345.10,"currency":"EUR"}}`;
export const CHANGES = [
  { path: "data.amount", kind: "changed", before: "123456789012345.10", after: '"123456789012345.10"' },
  { path: "data.lines[0].name", kind: "added", after: JSON.stringify("x".repeat(200)) },
  { path: "data.note", kind: "removed", before: "null" },
] as const;
export const reveal = (whyNot?: string) => sampleAction("reveal_difference", "Show values", whyNot);
export const correction = (changes: Partial<PlanCorrection> = {}): PlanCorrection => ({
  messageId: SAMPLE_ID,
  changes: CHANGES.map(({ path, kind }) => ({ path, kind })),
  bytes: 812,
  note: NOTE,
  reveal: reveal(),
  ...changes,
});
export const plan = (changes: Partial<PlanView> = {}) =>
  samplePlan({
    kind: "correct_dead_letter",
    state: "awaiting_approval",
    scope: "message 0c1d2e3f",
    total: 1,
    acting: 1,
    counts: { waiting: 1, done: 0, skipped: 0, failed: 0 },
    results: { ...NO_RESULTS, waiting: 1 },
    verdicts: [],
    approvalNeeded: "A corrected message is sent only after a second person approves it.",
    correction: correction(),
    ...changes,
  });
export const dead = (whyNot?: string) =>
  sampleOutbox({
    state: "dead",
    correctionNote: whyNot === undefined ? NOTE : undefined,
    actions: [sampleAction("requeue", "Requeue"), sampleAction("correct", "Edit and requeue", whyNot)],
  });
