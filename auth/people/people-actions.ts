import { isPlain, PLAIN_RULE } from "@/domain/plain-text";
import {
  insertOperator,
  lockOperator,
  type OperatorFacts,
  removeTwoFactor,
  setOperatorDisabled,
  setOperatorZone,
} from "@/db/access/operators";
import { setGrant } from "@/db/access/grants";
import { endSessions } from "@/db/access/sessions";
import { tenantExists } from "@/db/tenants";
import type { Queryable } from "@/db/client";
import { tieOperators } from "@/db/second-person/same-person";
import type { TieReason } from "@/domain/access/ties";
import { AppError } from "@/domain/errors";
import { ROLES } from "@/domain/idempotency/states";
import type { Zone } from "@/domain/time-zone";
import {
  type ActionFacts,
  type ActionOrigin,
  type ActionOutcome,
  type ActionRequest,
  type ActionResult,
  changedOutcome,
  unchangedOutcome,
} from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import { operatorAction } from "@/engine/actions/operator-action";
import { noSuchTenant } from "@/engine/actions/require";
import { z } from "zod";
import { INVITATION_HOURS, invitationLink, newInvitation } from "@/auth/sign-in/invitation";
import { v7 as uuidv7 } from "uuid";
import { keepInvitation } from "@/db/access/invitations";

/** Shuts another operator out: their sessions end now, no sign-in and no link opens. @throws AppError `auth.forbidden`, `auth.step_up_required`, `auth.person_only` 403, `operator.not_found` 404, `operator.self`, `operator.last_admin` 409 */
export function shutOut(ctx: EngineContext, origin: ActionOrigin, id: string): Promise<ActionResult> {
  return change(ctx, { ...origin, action: "operators.disable", input: {} }, id, async (tx, operator, others) => {
    if (operator.disabled) return unchanged(operator, "They are disabled already.");
    requireAnAdmin(operator, others);
    await setOperatorDisabled(tx, id, true);
    return changedTo(operator, { disabled: true });
  });
}

/** Lets them sign in again, in the role that they had. @throws AppError as shutOut */
export function letIn(ctx: EngineContext, origin: ActionOrigin, id: string): Promise<ActionResult> {
  return change(ctx, { ...origin, action: "operators.enable", input: {} }, id, async (tx, operator) => {
    if (!operator.disabled) return unchanged(operator, "They are not disabled.");
    await setOperatorDisabled(tx, id, false);
    return changedTo(operator, { disabled: false });
  });
}

/** For somebody who lost the authenticator: they sign in by password alone until they set up another. @throws AppError as shutOut */
export function resetTwoFactor(ctx: EngineContext, origin: ActionOrigin, id: string): Promise<ActionResult> {
  return change(ctx, { ...origin, action: "operators.reset_two_factor", input: {} }, id, async (tx, operator) => {
    if (!(await removeTwoFactor(tx, id))) return unchanged(operator, "No second factor is on.");
    await tie(tx, ctx, id, "second_factor");
    return changedTo(operator, { twoFactor: false });
  });
}

/** Ends sessions of another operator, one or all. @throws AppError as shutOut */
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

/** An action on another person, who exists; nobody does it to themselves. */
export async function change(
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

/** Whoever acts could be them from now on: both count as one person for a while (docs/PLANS.md). */
export function tie(tx: Queryable, ctx: EngineContext, operatorId: string, why: TieReason): Promise<void> {
  return tieOperators(tx, { operatorId, tiedTo: ctx.actor.id, why });
}

/** @throws AppError `operator.last_admin` 409 */
export function requireAnAdmin(operator: OperatorFacts, otherAdmins: number): void {
  if (operator.role !== "admin" || operator.disabled || otherAdmins > 0) return;
  throw new AppError("operator.last_admin", 409, "This is the last admin", {
    detail: "Make somebody else an admin first. Nothing was changed.",
  });
}

/**
 * Who may sign in is decided for the whole deployment and a key belongs to one tenant, so no key may hand out access.
 * @throws AppError `auth.person_only` 403
 */
export function requirePerson(ctx: Pick<EngineContext, "actor">): { readonly id: string } {
  if (ctx.actor.kind === "operator") return ctx.actor;
  throw new AppError("auth.person_only", 403, "Only a person may do this", {
    detail:
      "Who may sign in is decided for the whole deployment, an API key belongs to one tenant. Nothing was changed.",
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
  const { email, role, tenants, disabled, twoFactor } = operator;
  return { email, role, ...(Object.keys(tenants).length > 0 && { tenants }), disabled, twoFactor };
}

/** Nothing to do. */
export function unchanged(operator: OperatorFacts, why: string): ActionOutcome {
  return unchangedOutcome(operator.id, why, auditedFacts(operator));
}

export function changedTo(operator: OperatorFacts, after: ActionFacts, affected?: number): ActionOutcome {
  const before = auditedFacts(operator);
  return changedOutcome(before, { ...before, ...after }, affected);
}

/**
 * Ends sessions of the caller: one of them, or all but the one that asks. The next request of each is nobody's.
 * @param current the session that asks; it ends by signing out
 * @throws AppError `auth.person_only` 403, `session.own` 409
 */
export async function endOwnSessions(
  ctx: EngineContext,
  origin: ActionOrigin,
  current: string,
  only: string | undefined,
): Promise<ActionResult> {
  const { id } = requirePerson(ctx);
  if (only === current) {
    throw new AppError("session.own", 409, "This is the session you are using", { detail: "Sign out instead." });
  }
  const input = { session: only ?? null };
  const request = { ...origin, action: "sessions.revoke_own", subject: { type: "operator", id }, input } as const;
  return operatorAction(ctx, request, async (tx) => {
    const ended = await endSessions(tx, { operatorId: id, only, except: current });
    return ended.length > 0
      ? changedOutcome({}, { endedSessions: ended }, ended.length)
      : unchangedOutcome(only ?? id, "There was no other session any more.", {});
  });
}

/**
 * In which zone the caller reads times, in every browser.
 * @throws AppError `auth.person_only` 403
 */
export async function chooseOwnZone(ctx: EngineContext, origin: ActionOrigin, zone: Zone): Promise<ActionResult> {
  const { id } = requirePerson(ctx);
  const subject = { type: "operator", id };
  return operatorAction(ctx, { ...origin, action: "time_zone.change_own", subject, input: { zone } }, async (tx) => {
    const before = await setOperatorZone(tx, id, zone);
    if (before === undefined) throw noSuchOperator();
    return before === zone
      ? unchangedOutcome(id, "This zone was chosen already.", { zone })
      : changedOutcome({ zone: before }, { zone });
  });
}

export interface InviteResult extends ActionResult {
  /** Shown once; the same request again gets none. */
  readonly link: string | undefined;
}

const TENANT_MAX = 63;

/** Where a role is for; all tenants when left out. */
export const grantedTenant = z.string().min(1).max(TENANT_MAX).optional();

export const inviteInput = z.strictObject({
  email: z.string().trim().toLowerCase().max(254).pipe(z.email("looks like name@example.com")),
  name: z.string().trim().min(1).max(100).refine(isPlain, PLAIN_RULE),
  role: z.enum(ROLES),
  tenant: grantedTenant,
});

/**
 * Makes an operator with one grant and the link by which they choose a password, once, within {@link INVITATION_HOURS}.
 * @throws AppError `auth.forbidden`, `auth.step_up_required`, `auth.person_only` 403, `tenant.not_found` 404, `operator.exists` 409
 */
export async function inviteOperator(
  ctx: EngineContext,
  publicUrl: string,
  origin: ActionOrigin,
  input: z.output<typeof inviteInput>,
): Promise<InviteResult> {
  requirePerson(ctx);
  const id = uuidv7();
  const { token, secretHash } = newInvitation(id);
  const { email, name, role, tenant } = input;
  const subject = { type: "operator", id: email };
  const given = { email, name, role, ...(tenant !== undefined && { tenant }) };
  const request = { ...origin, action: "operators.invite", subject, input: given } as const;
  const result = await operatorAction(ctx, request, async (tx) => {
    if (tenant !== undefined && !(await tenantExists(tx, tenant))) throw noSuchTenant();
    if (!(await insertOperator(tx, { id, email, name, role: tenant === undefined ? role : undefined }))) {
      throw new AppError("operator.exists", 409, "Somebody has this e-mail already", {
        detail: "Nothing was changed.",
      });
    }
    if (tenant !== undefined) await setGrant(tx, { operatorId: id, tenantId: tenant, role });
    await keepInvitation(tx, { operatorId: id, secretHash, hours: INVITATION_HOURS });
    await tie(tx, ctx, id, "invited");
    const made = changedOutcome({}, { ...given, disabled: false, twoFactor: false });
    return { ...made, subject: { type: "operator", id } };
  });
  return { ...result, link: result.replayed ? undefined : invitationLink(publicUrl, token) };
}

/**
 * Makes another link for somebody else who lost theirs, or their password; the older one stops working.
 * @throws AppError as inviteOperator, `operator.self` 409, `operator.not_found` 404
 */
export async function renewInvitation(
  ctx: EngineContext,
  publicUrl: string,
  origin: ActionOrigin,
  id: string,
): Promise<InviteResult> {
  const person = requirePerson(ctx);
  const { token, secretHash } = newInvitation(id);
  const subject = { type: "operator", id };
  const request = { ...origin, action: "operators.invite", subject, input: {} } as const;
  const result = await operatorAction(ctx, request, async (tx) => {
    // A link of one's own would turn an open console into a password that nobody was asked for.
    requireAnother(person, id);
    const { operator } = await lockOperator(tx, id);
    if (operator === undefined) throw noSuchOperator();
    if (operator.disabled) return unchanged(operator, "They are disabled: enable them first.");
    await keepInvitation(tx, { operatorId: id, secretHash, hours: INVITATION_HOURS });
    await tie(tx, ctx, id, "link");
    return changedTo(operator, { linkHours: INVITATION_HOURS });
  });
  const made = !result.replayed && result.answer.changed;
  return { ...result, link: made ? invitationLink(publicUrl, token) : undefined };
}
