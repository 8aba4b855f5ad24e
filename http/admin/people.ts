import type { Hono } from "hono";
import { z } from "zod";
import {
  endSessionsOf,
  grantedTenant,
  inviteInput,
  inviteOperator,
  type InviteResult,
  letIn,
  renewInvitation,
  resetTwoFactor,
  shutOut,
} from "@/auth/people/people-actions";
import { changeOperatorRole, type GivenRole } from "@/auth/people/change-role";
import { readPeople } from "@/console/read/access/read-people";
import { ROLES } from "@/domain/idempotency/states";
import type { AdminEnv } from "../env";
import { actionAnswer, idOf, withMessage } from "./action-answer";
import { reason, reasonBody } from "./action-bodies";
import { act, read, type AdminCall } from "./declare";

const roleBody = z.strictObject({ role: z.enum([...ROLES, "none"]), tenant: grantedTenant, reason });
const inviteBody = inviteInput.extend({ reason });
const sessionsBody = z.strictObject({ session: z.uuid().optional(), reason });

const PERSON = ["auth.person_only", "operator.not_found"];
/** Of what nobody may do to themselves, and not to the last admin. */
const OTHERS = [...PERSON, "operator.self", "operator.last_admin"];

/** Who may sign in, as an admin decides it. A link is in the answer that made it and in no other. */
export function registerPeople(app: Hono<AdminEnv>): void {
  const people = { id: "listPeople", summary: "Who may sign in, and their sessions", errors: ["auth.person_only"] };
  read(app, "operators.read", "/people", people, (ctx, c) => readPeople(ctx, c.get("operator")?.sessionId));
  const invite = {
    id: "invitePerson",
    summary: "Invite somebody; their link is in this answer and in no other",
    body: inviteBody,
    errors: ["auth.person_only", "tenant.not_found", "operator.exists"],
  };
  act(app, "operators.invite", "/people", invite, async ({ c, ctx, origin }, { reason: _reason, ...person }) =>
    withLink(c, await inviteOperator(ctx, publicUrl(c), origin, person), "They are invited."),
  );
  const link = { id: "renewInvitation", summary: "Make a new link", body: reasonBody, errors: OTHERS };
  act(app, "operators.invite", "/people/:id/link", link, async ({ c, ctx, origin }) =>
    withLink(c, await renewInvitation(ctx, publicUrl(c), origin, personOf(c)), "They have a new link."),
  );
  registerChanges(app);
}

function registerChanges(app: Hono<AdminEnv>): void {
  const role = {
    id: "changeRole",
    summary: "Give somebody another role, on all tenants or in one, or take it away",
    body: roleBody,
    errors: [...OTHERS, "tenant.not_found", "operator.grant_limit"],
  };
  act(app, "operators.change_role", "/people/:id/role", role, async ({ c, ctx, origin }, { reason: _reason, ...to }) =>
    withMessage(c, await changeOperatorRole(ctx, origin, personOf(c), to), roleGiven(to)),
  );
  for (const verb of ["disable", "enable", "reset-two-factor"] as const) {
    const { permission, id, summary, run, done } = SIMPLE[verb];
    const about = { id, summary, body: reasonBody, errors: OTHERS };
    act(app, permission, `/people/:id/${verb}`, about, async ({ c, ctx, origin }) =>
      withMessage(c, await run(ctx, origin, personOf(c)), done),
    );
  }
  const sessions = { id: "endSessions", summary: "End somebody's sessions", body: sessionsBody, errors: OTHERS };
  act(app, "operators.end_sessions", "/people/:id/end-sessions", sessions, async ({ c, ctx, origin }, { session }) =>
    withMessage(c, await endSessionsOf(ctx, origin, personOf(c), session), "The session is over."),
  );
}

function roleGiven({ role, tenant: of }: GivenRole): string {
  const where = of === undefined ? "on all tenants" : `in ${of}`;
  return role === "none"
    ? `From their next request on they have no role of their own ${where}.`
    : `From their next request on they are ${role} ${where}.`;
}

/** What needs nothing but a reason. */
const SIMPLE = {
  disable: {
    permission: "operators.disable",
    id: "disablePerson",
    summary: "Disable a person",
    run: shutOut,
    done: "They are disabled, and their sessions have ended.",
  },
  enable: {
    permission: "operators.enable",
    id: "enablePerson",
    summary: "Enable a person",
    run: letIn,
    done: "They may sign in again.",
  },
  "reset-two-factor": {
    permission: "operators.reset_two_factor",
    id: "resetTwoFactor",
    summary: "Reset a second factor",
    run: resetTwoFactor,
    done: "Their password alone signs them in now.",
  },
} as const;

function personOf(c: AdminCall): string {
  return idOf(c, "operator.not_found");
}

function publicUrl(c: AdminCall): string {
  return c.get("deps").config.publicUrl;
}

function withLink(c: AdminCall, { link, ...result }: InviteResult, done: string) {
  const { changed, skipped } = result.answer;
  const lost = changed ? `${done} Their link was shown once and is not shown again.` : (skipped[0]?.why ?? "");
  return actionAnswer(c, result, { message: link === undefined ? lost : done, link });
}
