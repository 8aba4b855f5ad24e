import type { Context, Hono } from "hono";
import { z } from "zod";
import { confirmPerson, type Caller } from "@/auth/confirm-person";
import { PASSWORD_MAX } from "@/auth/library";
import { endOwnSessions } from "@/auth/people/end-own-sessions";
import type { Operator } from "@/auth/operator-session";
import { requirePerson } from "@/auth/people/click";
import { readOwnSessions } from "@/auth/people/read-people";
import { confirmTwoFactor, startTwoFactor, stopTwoFactor } from "@/auth/two-factor";
import { inTransaction } from "@/db/transaction";
import { audit } from "@/engine/audit";
import { requirePermission } from "@/engine/read/require";
import type { AdminEnv } from "../env";
import { incomingOf } from "../guard/incoming";
import { needsKey } from "../guard/keyed-routes";
import { requireKey } from "../guard/require-key";
import { readJson } from "../body/read-json";
import { validate } from "../body/validate";
import { jsonAnswer } from "../profiles/plain";
import { actionAnswer, bodyOf } from "./actions";

type Call = Context<AdminEnv>;

const CODE_MAX = 32;
const password = z.string().min(1).max(PASSWORD_MAX);
const code = z.string().trim().min(1).max(CODE_MAX);
const stepUpBody = z.union([z.strictObject({ password }), z.strictObject({ code })], "a password or a code");
const endBody = z.strictObject({ session: z.uuid().optional() });

/**
 * What a person does about their own sign-in (C.12). Nothing here is kept under a key where it holds a secret: a password, a code
 * and a new secret are in one request and its answer, and nowhere else.
 */
export function registerOwnAccess(app: Hono<AdminEnv>): void {
  app.post("/step-up", async (c) => {
    const proof = validate(stepUpBody, await readJson(c.req.raw));
    await confirmPerson(c.get("deps").auth, callerOf(c), proof);
    return jsonAnswer(c, { confirmed: true });
  });
  app.get("/sessions", async (c) => jsonAnswer(c, await readOwnSessions(c.get("ctx"), c.get("operator")?.sessionId)));
  app.post(
    "/sessions/end",
    needsKey(async (c: Call) => {
      const { session } = await bodyOf(c, endBody);
      const click = { idempotencyKey: requireKey(c), receivedAt: c.get("receivedAt"), reason: undefined };
      const current = operatorOf(c).sessionId;
      const result = await endOwnSessions(c.get("ctx"), click, current, session);
      const { changed, affected, skipped } = result.answer;
      const message = changed ? `${String(affected)} ended. Its next request is nobody's.` : (skipped[0]?.why ?? "");
      return actionAnswer(c, result, { message });
    }),
  );
  registerTwoFactor(app);
}

function registerTwoFactor(app: Hono<AdminEnv>): void {
  app.post("/two-factor/start", async (c) => {
    const sent = await bodyOf(c, z.strictObject({ password }));
    return jsonAnswer(c, await startTwoFactor(c.get("deps").auth, callerOf(c), sent.password), {
      headers: { "cache-control": "no-store" },
    });
  });
  app.post("/two-factor/confirm", async (c) => {
    const sent = await bodyOf(c, z.strictObject({ code }));
    const headers = await confirmTwoFactor(c.get("deps").auth, callerOf(c), sent.code);
    await tell(c, true);
    return withCookies(jsonAnswer(c, { on: true }), headers);
  });
  app.post("/two-factor/stop", async (c) => {
    const sent = await bodyOf(c, z.strictObject({ password, code }));
    const headers = await stopTwoFactor(c.get("deps").auth, callerOf(c), sent);
    await tell(c, false);
    return withCookies(jsonAnswer(c, { on: false }), headers);
  });
}

/** @throws AppError `auth.person_only` 403 for a key */
function operatorOf(c: Call): Operator {
  requirePerson(c.get("ctx"));
  const operator = c.get("operator");
  if (operator === undefined) throw new Error("a person without a session");
  return operator;
}

/** Who asks, with what their proof is checked against. @throws AppError `auth.person_only` 403 for a key */
function callerOf(c: Call): Caller {
  const operator = operatorOf(c);
  requirePermission(c.get("ctx"), "two_factor.change_own");
  return {
    operator,
    cookie: c.req.header("cookie") ?? null,
    address: incomingOf(c)?.socket.remoteAddress,
    userAgent: c.req.header("user-agent"),
  };
}

/** The login library changes its own tables, so the entry follows in a transaction of its own. */
async function tell(c: Call, on: boolean): Promise<void> {
  const ctx = c.get("ctx");
  const { id } = requirePerson(ctx);
  await inTransaction(ctx.db, (tx) =>
    audit(ctx, tx, {
      action: "two_factor.change_own",
      subject: { type: "operator", id },
      before: { twoFactor: !on },
      after: { twoFactor: on },
    }),
  );
}

function withCookies(answer: Response, from: Headers): Response {
  for (const cookie of from.getSetCookie()) answer.headers.append("set-cookie", cookie);
  return answer;
}
