import { AppError } from "@/domain/errors";
import { whyNotStep, type PlanState, type PlanStep } from "@/domain/plan";

export function planNotFound(): AppError {
  return new AppError("plan.not_found", 404, "There is no such plan", { detail: "Nothing was changed." });
}

/** A step that a plan in this state does not take. */
export function planState(step: PlanStep, state: PlanState): AppError {
  const why = whyNotStep(step, { state, waiting: 1, left: 1, own: false }) ?? `It is ${state.replaceAll("_", " ")}.`;
  return new AppError("plan.state", 409, "The plan is not in a state for this", {
    detail: `Nothing was changed. ${why}`,
    extensions: { state },
  });
}

/** Who the database keeps as the one who asked, started or decided. */
export function actorRef(actor: { readonly kind: string; readonly id: string }): string {
  return `${actor.kind}:${actor.id}`;
}
