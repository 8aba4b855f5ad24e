import { OPERATION_VERDICTS, OPERATION_VERDICT_WORDS, type OperationVerdict } from "./operation-verdict";
import { REQUEUE_VERDICTS, VERDICT_WORDS, type RequeueVerdict } from "@/domain/messages/requeue-verdict";

/** Verdicts of every kind of plan, what acts first. */
export type PlanVerdict = RequeueVerdict | OperationVerdict;
export const PLAN_VERDICTS: readonly PlanVerdict[] = [
  ...new Set<PlanVerdict>([...OPERATION_VERDICTS, ...REQUEUE_VERDICTS]),
];

export const PLAN_VERDICT_WORDS: Readonly<Record<PlanVerdict, string>> = {
  ...OPERATION_VERDICT_WORDS,
  ...VERDICT_WORDS,
};
