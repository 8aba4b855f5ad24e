import { OPERATION_VERDICT_WORDS } from "./operation-verdict";
import { VERDICT_WORDS } from "@/domain/messages/requeue-verdict";
import type { PlanVerdict } from "@/domain/plans/plan-verdicts";

export const PLAN_VERDICT_WORDS: Readonly<Record<PlanVerdict, string>> = {
  ...OPERATION_VERDICT_WORDS,
  ...VERDICT_WORDS,
};
