import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { insertOperator, lockOperator } from "@/db/access/operators";
import { keepInvitation } from "@/db/access/invitations";
import { AppError } from "@/domain/errors";
import { ROLES } from "@/domain/idempotency/states";
import { changedOutcome, type ActionOrigin, type ActionResult } from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import { operatorAction } from "@/engine/actions/operator-action";
import { INVITATION_HOURS, invitationLink, newInvitation } from "../sign-in/invitation";
import { changedTo, noSuchOperator, requireAnother, requirePerson, unchanged } from "./operator-changes";

export interface InviteResult extends ActionResult {
  /** Shown once; the same request again gets none. */
  readonly link: string | undefined;
}

export const inviteInput = z.strictObject({
  email: z.string().trim().toLowerCase().max(254).pipe(z.email("looks like name@example.com")),
  name: z.string().trim().min(1).max(100),
  role: z.enum(ROLES),
});

/**
 * Makes an operator and the link by which they choose a password, once, within {@link INVITATION_HOURS}.
 * @throws AppError `auth.forbidden`, `auth.step_up_required`, `auth.person_only` 403, `operator.exists` 409
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
  const subject = { type: "operator", id: input.email };
  const result = await operatorAction(ctx, { ...origin, action: "operators.invite", subject, input }, async (tx) => {
    if (!(await insertOperator(tx, { id, ...input }))) {
      throw new AppError("operator.exists", 409, "Somebody has this e-mail already", {
        detail: "Nothing was changed.",
      });
    }
    await keepInvitation(tx, { operatorId: id, secretHash, hours: INVITATION_HOURS });
    const made = changedOutcome({}, { ...input, disabled: false, twoFactor: false });
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
    return changedTo(operator, { linkHours: INVITATION_HOURS });
  });
  const made = !result.replayed && result.answer.changed;
  return { ...result, link: made ? invitationLink(publicUrl, token) : undefined };
}
