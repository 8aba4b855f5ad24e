import type { Context, Handler, Hono } from "hono";
import { z } from "zod";
import { changeOperatorRole, endSessionsOf, letIn, resetTwoFactor, shutOut } from "@/auth/people/change-operator";
import { inviteInput, inviteOperator, renewInvitation, type Invited } from "@/auth/people/invite-operator";
import type { PeopleClick } from "@/auth/people/click";
import { readPeople } from "@/auth/people/read-people";
import { ROLES } from "@/domain/states";
import type { ActionResult } from "@/engine/action-answer";
import type { AdminEnv } from "../env";
import { needsKey } from "../guard/keyed-routes";
import { requireKey } from "../guard/require-key";
import { jsonAnswer } from "../profiles/plain";
import { reason, reasonBody } from "./action-bodies";
import { actionAnswer, bodyOf, idOf } from "./actions";

type Call = Context<AdminEnv>;

const inviteBody = inviteInput.extend({ reason });
const roleBody = z.strictObject({ role: z.enum(ROLES), reason });
const sessionsBody = z.strictObject({ session: z.uuid().optional(), reason });

/** Who may sign in, as an admin decides it. A link is in the answer that made it and in no other. */
export function registerPeople(app: Hono<AdminEnv>): void {
  const post = (path: string, handler: Handler<AdminEnv>): void => {
    app.post(`/people${path}`, needsKey(handler));
  };
  app.get("/people", async (c) => jsonAnswer(c, await readPeople(c.get("ctx"), c.get("operator")?.sessionId)));
  post("", async (c) => {
    const { reason: why, ...person } = await bodyOf(c, inviteBody);
    return withLink(c, await inviteOperator(c.get("ctx"), publicUrl(c), clickOf(c, why), person), "They are invited.");
  });
  post("/:id/link", async (c) => {
    const click = await reasoned(c);
    return withLink(c, await renewInvitation(c.get("ctx"), publicUrl(c), click, personOf(c)), "They have a new link.");
  });
  post("/:id/role", async (c) => {
    const { reason: why, role } = await bodyOf(c, roleBody);
    const result = await changeOperatorRole(c.get("ctx"), clickOf(c, why), personOf(c), role);
    return said(c, result, `From their next request on they are ${role}.`);
  });
  post("/:id/disable", async (c) => {
    const click = await reasoned(c);
    return said(c, await shutOut(c.get("ctx"), click, personOf(c)), "They are shut out, their sessions are over.");
  });
  post("/:id/enable", async (c) => {
    const click = await reasoned(c);
    return said(c, await letIn(c.get("ctx"), click, personOf(c)), "They may sign in again.");
  });
  post("/:id/reset-two-factor", async (c) => {
    const click = await reasoned(c);
    return said(c, await resetTwoFactor(c.get("ctx"), click, personOf(c)), "Their password alone signs them in now.");
  });
  post("/:id/end-sessions", async (c) => {
    const { reason: why, session } = await bodyOf(c, sessionsBody);
    return said(c, await endSessionsOf(c.get("ctx"), clickOf(c, why), personOf(c), session), "The session is over.");
  });
}

async function reasoned(c: Call): Promise<PeopleClick> {
  return clickOf(c, (await bodyOf(c, reasonBody)).reason);
}

function clickOf(c: Call, why: string | undefined): PeopleClick {
  return { idempotencyKey: requireKey(c), receivedAt: c.get("receivedAt"), reason: why };
}

function personOf(c: Call): string {
  return idOf(c, "operator.not_found");
}

function publicUrl(c: Call): string {
  return c.get("deps").config.publicUrl;
}

function said(c: Call, result: ActionResult, done: string): Response {
  const { changed, skipped } = result.answer;
  return actionAnswer(c, result, { message: changed ? done : `Nothing changed. ${skipped[0]?.why ?? ""}` });
}

function withLink(c: Call, { link, ...result }: Invited, done: string): Response {
  if (link !== undefined) return actionAnswer(c, result, { message: done, link });
  const { changed, skipped } = result.answer;
  const why = changed ? `${done} Their link was shown once and is not shown again.` : (skipped[0]?.why ?? "");
  return actionAnswer(c, result, { message: why });
}
