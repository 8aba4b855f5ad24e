import {
  lockOperator,
  removeTwoFactor,
  setOperatorDisabled,
  setOperatorRole,
  type OperatorFacts,
} from "@/db/access/operators";
import { endSessions } from "@/db/access/sessions";
import type { Queryable } from "@/db/client";
import { AppError } from "@/domain/errors";
import type { Role } from "@/domain/idempotency/states";
import type { ActionOrigin, ActionOutcome, ActionRequest, ActionResult } from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import { operatorAction } from "@/engine/actions/operator-action";
import { changedTo, noSuchOperator, requireAnother, requirePerson, unchanged } from "./operator-changes";

/**
 * Gives another operator a role, from their next request on.
 * @throws AppError `auth.forbidden`, `auth.step_up_required`, `auth.person_only` 403, `operator.not_found` 404, `operator.self`
 * 409, `operator.last_admin` 409
 */
export function changeOperatorRole(
  ctx: EngineContext,
  origin: ActionOrigin,
  id: string,
  role: Role,
): Promise<ActionResult> {
  const request = { ...origin, action: "operators.change_role", input: { role } } as const;
  return change(ctx, request, id, async (tx, operator, others) => {
    if (operator.role === role) return unchanged(operator, `Their role is ${role} already.`);
    requireAnAdmin(operator, others);
    await setOperatorRole(tx, id, role);
    return changedTo(operator, { role });
  });
}

/** Shuts another operator out: their sessions end now, no sign-in and no link opens. @throws AppError as changeOperatorRole */
export function shutOut(ctx: EngineContext, origin: ActionOrigin, id: string): Promise<ActionResult> {
  return change(ctx, { ...origin, action: "operators.disable", input: {} }, id, async (tx, operator, others) => {
    if (operator.disabled) return unchanged(operator, "They are disabled already.");
    requireAnAdmin(operator, others);
    await setOperatorDisabled(tx, id, true);
    return changedTo(operator, { disabled: true });
  });
}

/** Lets them sign in again, in the role that they had. @throws AppError as changeOperatorRole */
export function letIn(ctx: EngineContext, origin: ActionOrigin, id: string): Promise<ActionResult> {
  return change(ctx, { ...origin, action: "operators.enable", input: {} }, id, async (tx, operator) => {
    if (!operator.disabled) return unchanged(operator, "They are not disabled.");
    await setOperatorDisabled(tx, id, false);
    return changedTo(operator, { disabled: false });
  });
}

/** For somebody who lost the authenticator: they sign in by password alone until they set up another. @throws AppError as changeOperatorRole */
export function resetTwoFactor(ctx: EngineContext, origin: ActionOrigin, id: string): Promise<ActionResult> {
  return change(ctx, { ...origin, action: "operators.reset_two_factor", input: {} }, id, async (tx, operator) => {
    if (!(await removeTwoFactor(tx, id))) return unchanged(operator, "No second factor is on.");
    return changedTo(operator, { twoFactor: false });
  });
}

/** Ends sessions of another operator, one or all. @throws AppError as changeOperatorRole */
export function endSessionsOf(
  ctx: EngineContext,
  origin: ActionOrigin,
  id: string,
  session: string | undefined,
): Promise<ActionResult> {
  const request = { ...origin, action: "operators.end_sessions", input: { session: session ?? null } } as const;
  return change(ctx, request, id, async (tx, operator) => {
    const ended = await endSessions(tx, { operatorId: id, only: session });
    if (ended.length === 0) return unchanged(operator, "It had ended already.");
    return changedTo(operator, { endedSessions: ended }, ended.length);
  });
}

async function change(
  ctx: EngineContext,
  request: Omit<ActionRequest, "subject">,
  id: string,
  run: (tx: Queryable, operator: OperatorFacts, otherAdmins: number) => Promise<ActionOutcome>,
): Promise<ActionResult> {
  const person = requirePerson(ctx);
  return operatorAction(ctx, { ...request, subject: { type: "operator", id } }, async (tx) => {
    requireAnother(person, id);
    const { operator, otherAdmins } = await lockOperator(tx, id);
    if (operator === undefined) throw noSuchOperator();
    return run(tx, operator, otherAdmins);
  });
}

function requireAnAdmin(operator: OperatorFacts, otherAdmins: number): void {
  if (operator.role !== "admin" || operator.disabled || otherAdmins > 0) return;
  throw new AppError("operator.last_admin", 409, "This is the last admin", {
    detail: "Make somebody else an admin first. Nothing was changed.",
  });
}
