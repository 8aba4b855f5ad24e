import type { PlanKindName } from "@/domain/plan";
import { discardDeadLetters, requeueDeadLetters } from "./dead-letter-plans";
import type { PlanKind } from "./plan-kind";

/** Every kind of plan there is; what runs a plan finds its kind here. */
export const PLAN_REGISTRY: Readonly<Record<PlanKindName, PlanKind>> = {
  requeue_dead_letters: requeueDeadLetters,
  discard_dead_letters: discardDeadLetters,
};
