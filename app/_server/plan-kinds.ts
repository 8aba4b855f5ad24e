import "server-only";

import type { OperationPlanKind, PlanSelectionProps } from "@/components/plans/plan-selection";
import { whyNot } from "@/domain/access/permission";
import { PLAN_RULES } from "@/domain/plans/plan";
import type { EngineContext } from "@/engine/context";
import { roleOf } from "@/engine/actions/require";

/** Kinds of plans that a list offers, each with the reason why this person may not. */
export function planKinds(ctx: EngineContext, kinds: readonly OperationPlanKind[]): PlanSelectionProps["kinds"] {
  const role = roleOf(ctx);
  return kinds.map((kind) => ({
    kind,
    whyNot: whyNot(role, "plans.create") ?? whyNot(role, PLAN_RULES[kind].permission),
  }));
}
