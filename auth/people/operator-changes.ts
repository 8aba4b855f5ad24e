import { AppError } from "@/domain/errors";
import { changedOutcome, unchangedOutcome, type ActionFacts, type ActionOutcome } from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import type { OperatorFacts } from "@/db/access/operators";

/**
 * People belong to the whole deployment and a key to one tenant, so no key may hand out access beyond it.
 * @throws AppError `auth.person_only` 403
 */
export function requirePerson(ctx: Pick<EngineContext, "actor">): { readonly id: string } {
  if (ctx.actor.kind === "operator") return ctx.actor;
  throw new AppError("auth.person_only", 403, "Only a person may do this", {
    detail: "People and sessions belong to the whole deployment, an API key to one tenant. Nothing was changed.",
  });
}

/** @throws AppError `operator.self` 409 when somebody is about to change their own access */
export function requireAnother(person: { readonly id: string }, id: string): void {
  if (person.id !== id) return;
  throw new AppError("operator.self", 409, "Somebody else must do this", {
    detail: "Nobody can change their own access, so that a mistake locks nobody out. Nothing was changed.",
  });
}

export function noSuchOperator(): AppError {
  return new AppError("operator.not_found", 404, "There is no such operator", { detail: "Nothing was changed." });
}

/** What the audit keeps of a person: no hash, no secret. */
function auditedFacts(operator: OperatorFacts): ActionFacts {
  const { email, role, disabled, twoFactor } = operator;
  return { email, role, disabled, twoFactor };
}

/** Nothing to do. */
export function unchanged(operator: OperatorFacts, why: string): ActionOutcome {
  return unchangedOutcome(operator.id, why, auditedFacts(operator));
}

export function changedTo(operator: OperatorFacts, after: ActionFacts, affected?: number): ActionOutcome {
  const before = auditedFacts(operator);
  return changedOutcome(before, { ...before, ...after }, affected);
}
