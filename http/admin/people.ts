import type { Hono } from "hono";
import { z } from "zod";
import {
  changeOperatorRole,
  endSessionsOf,
  inviteInput,
  inviteOperator,
  type InviteResult,
  letIn,
  renewInvitation,
  resetTwoFactor,
  shutOut,
} from "@/auth/people/people-actions";
import { readPeople } from "@/console/read/access/read-people";
import { ROLES } from "@/domain/idempotency/states";
import type { ActionAnswer } from "@/engine/actions/action-answer";
import type { AdminEnv } from "../env";
import type { JsonResponse } from "../profiles/plain";
import { actionAnswer, actionOrigin, idOf, withMessage } from "./action-answer";
import { reason, reasonBody } from "./action-bodies";
import { act, read, type AdminCall } from "./declare";

const inviteBody = inviteInput.extend({ reason });
const roleBody = z.strictObject({ role: z.enum(ROLES), reason });
const sessionsBody = z.strictObject({ session: z.uuid().optional(), reason });

const PERSON = ["auth.person_only", "operator.not_found"];
/** Of what nobody may do to themselves, and not to the last admin. */
const OTHERS = [...PERSON, "operator.self", "operator.last_admin"];

/** Who may sign in, as an admin decides it. A link is in the answer that made it and in no other. */
export function registerPeople(app: Hono<AdminEnv>): void {
  const people = { id: "listPeople", summary: "Who may sign in, and their sessions", errors: ["auth.person_only"] };
  read(app, "/people", people, (c) => readPeople(c.get("ctx"), c.get("operator")?.sessionId));
  const invite = {
    id: "invitePerson",
    summary: "Invite somebody; their link is in this answer and in no other",
    body: inviteBody,
    errors: ["auth.person_only", "operator.exists"],
  };
  act(app, "/people", invite, async (c, { reason: why, ...person }) =>
    withLink(c, await inviteOperator(c.get("ctx"), publicUrl(c), actionOrigin(c, why), person), "They are invited."),
  );
  const link = { id: "renewInvitation", summary: "Make a new link", body: reasonBody, errors: OTHERS };
  act(app, "/people/:id/link", link, async (c, body) => {
    const { origin, person } = aboutPerson(c, body);
    return withLink(c, await renewInvitation(c.get("ctx"), publicUrl(c), origin, person), "They have a new link.");
  });
  registerChanges(app);
}

function registerChanges(app: Hono<AdminEnv>): void {
  const role = { id: "changeRole", summary: "Give somebody another role", body: roleBody, errors: OTHERS };
  act(app, "/people/:id/role", role, async (c, body) => {
    const { origin, person } = aboutPerson(c, body);
    const result = await changeOperatorRole(c.get("ctx"), origin, person, body.role);
    return withMessage(c, result, `From their next request on they are ${body.role}.`);
  });
  for (const verb of ["disable", "enable", "reset-two-factor"] as const) {
    const { id, summary, run, done } = SIMPLE[verb];
    act(app, `/people/:id/${verb}`, { id, summary, body: reasonBody, errors: OTHERS }, async (c, body) => {
      const { origin, person } = aboutPerson(c, body);
      return withMessage(c, await run(c.get("ctx"), origin, person), done);
    });
  }
  const sessions = { id: "endSessions", summary: "End somebody's sessions", body: sessionsBody, errors: OTHERS };
  act(app, "/people/:id/end-sessions", sessions, async (c, body) => {
    const { origin, person } = aboutPerson(c, body);
    return withMessage(c, await endSessionsOf(c.get("ctx"), origin, person, body.session), "The session is over.");
  });
}

/** What needs nothing but a reason. */
const SIMPLE = {
  disable: {
    id: "disablePerson",
    summary: "Shut somebody out",
    run: shutOut,
    done: "They are shut out, their sessions are over.",
  },
  enable: { id: "enablePerson", summary: "Let somebody in again", run: letIn, done: "They may sign in again." },
  "reset-two-factor": {
    id: "resetTwoFactor",
    summary: "Take a second factor off",
    run: resetTwoFactor,
    done: "Their password alone signs them in now.",
  },
} as const;

function aboutPerson(c: AdminCall, body: { readonly reason: string }) {
  return { origin: actionOrigin(c, body.reason), person: idOf(c, "operator.not_found") };
}

function publicUrl(c: AdminCall): string {
  return c.get("deps").config.publicUrl;
}

function withLink(
  c: AdminCall,
  { link, ...result }: InviteResult,
  done: string,
): JsonResponse<ActionAnswer & { message: string; link?: string }> {
  if (link !== undefined) return actionAnswer(c, result, { message: done, link });
  const { changed, skipped } = result.answer;
  const why = changed ? `${done} Their link was shown once and is not shown again.` : (skipped[0]?.why ?? "");
  return actionAnswer(c, result, { message: why });
}
