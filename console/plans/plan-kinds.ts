import type { PlanKindName } from "@/domain/plans/plan";
import { correctDeadLetter } from "./correction-plan";
import { discardDeadLetters, requeueDeadLetters } from "./dead-letter-plans";
import type { PlanKind, PlanKindAlone } from "./plan-kind";
import { attachedPlan } from "./kinds/attached-plan";
import { purgeAttached } from "./kinds/attached-purge";
import { republishMessages } from "./kinds/republish-plan";
import { resolveOperations } from "./kinds/resolve-plan";
import { purgeBodies, reconcileOperations, releaseOperations } from "./settle-operation-plans";

/** Every kind of plan there is; what runs a plan finds its kind here. */
export const PLAN_REGISTRY: Readonly<Record<PlanKindName, PlanKind | PlanKindAlone>> = {
  requeue_dead_letters: requeueDeadLetters,
  discard_dead_letters: discardDeadLetters,
  reconcile_operations: reconcileOperations,
  release_operations: releaseOperations,
  purge_bodies: purgeBodies,
  republish_messages: republishMessages,
  resolve_operations: resolveOperations,
  requeue_attached: attachedPlan("requeue"),
  discard_attached: attachedPlan("discard"),
  purge_attached: purgeAttached,
  correct_dead_letter: correctDeadLetter,
};
