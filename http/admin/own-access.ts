import type { Hono } from "hono";
import { z } from "zod";
import { confirmPerson, type ConfirmingPerson } from "@/auth/sign-in/confirm-person";
import { PASSWORD_MAX } from "@/auth/sign-in/library";
import type { Operator } from "@/auth/operator-session";
import { readOwnSessions } from "@/console/read/access/read-people";
import { confirmTwoFactor, startTwoFactor, stopTwoFactor } from "@/auth/sign-in/two-factor";
import { isZone, readZone, ZONE_MAX } from "@/domain/time-zone";
import { inTransaction } from "@/db/transaction";
import { audit } from "@/engine/actions/audit";
import type { AdminEnv } from "../env";
import { jsonAnswer } from "../profiles/plain";
import { actionAnswer } from "./action-answer";
import { act, read, type AdminCall } from "./declare";
import { clientAddress } from "../guard/client-address";
import { chooseOwnZone, endOwnSessions, requirePerson } from "@/auth/people/people-actions";

const CODE_MAX = 32;
const password = z.string().min(1).max(PASSWORD_MAX);
const code = z.string().trim().min(1).max(CODE_MAX);
const stepUpBody = z.union([z.strictObject({ password }), z.strictObject({ code })], "a password or a code");
const zoneBody = z.strictObject({
  zone: z.string().max(ZONE_MAX).refine(isZone, "is utc, local or a name of the IANA database"),
});
const endBody = z.strictObject({ session: z.uuid().optional() });

/**
 * What a person does about their own sign-in. Nothing here is kept under a key where it holds a secret: a password, a code and a
 * new secret are in one request and its answer, and nowhere else.
 */
export function registerOwnAccess(app: Hono<AdminEnv>): void {
  const stepUp = {
    id: "confirmPerson",
    summary: "Prove again who you are, by password or code",
    body: stepUpBody,
    otherwise: "it renews the caller's own proof, again is the same",
    errors: ["auth.person_only", "auth.confirmation_failed"],
  };
  act(app, "two_factor.change_own", "/step-up", stepUp, async ({ c }, proof) => {
    await confirmPerson(c.get("deps").auth, callerOf(c), proof);
    return jsonAnswer(c, { confirmed: true as const });
  });
  const sessions = { id: "listOwnSessions", summary: "Your own sessions", errors: ["auth.person_only"] };
  read(app, "sessions.read_own", "/sessions", sessions, (ctx, c) => readOwnSessions(ctx, c.get("operator")?.sessionId));
  const end = {
    id: "endOwnSessions",
    summary: "End one of your other sessions, or all of them",
    body: endBody,
    errors: ["auth.person_only", "session.own"],
  };
  act(app, "sessions.revoke_own", "/sessions/end", end, async ({ c, ctx, origin }, { session }) => {
    const result = await endOwnSessions(ctx, origin, operatorOf(c).sessionId, session);
    const { changed, affected, skipped } = result.answer;
    const message = changed ? `${String(affected)} ended. Ended sessions stop at once.` : (skipped[0]?.why ?? "");
    return actionAnswer(c, result, { message });
  });
  const zone = {
    id: "chooseTimeZone",
    summary: "Choose the zone in which you read times",
    body: zoneBody,
    errors: ["auth.person_only"],
  };
  act(app, "time_zone.change_own", "/time-zone", zone, async ({ c, ctx, origin }, body) =>
    actionAnswer(c, await chooseOwnZone(ctx, origin, readZone(body.zone))),
  );
  registerTwoFactor(app);
}

function registerTwoFactor(app: Hono<AdminEnv>): void {
  const start = {
    id: "startTwoFactor",
    summary: "Begin to turn a second factor on",
    body: z.strictObject({ password }),
    otherwise: "nothing is on before its code is confirmed, the last start counts",
    errors: ["auth.person_only", "auth.confirmation_failed", "auth.two_factor_on"],
  };
  act(app, "two_factor.change_own", "/two-factor/start", start, async ({ c }, sent) =>
    jsonAnswer(c, await startTwoFactor(c.get("deps").auth, callerOf(c), sent.password), {
      headers: { "cache-control": "no-store" },
    }),
  );
  const confirm = {
    id: "confirmTwoFactor",
    summary: "Turn a second factor on",
    body: z.strictObject({ code }),
    otherwise: "a second factor that is on stays on",
    errors: ["auth.person_only", "auth.code_wrong"],
  };
  act(app, "two_factor.change_own", "/two-factor/confirm", confirm, async ({ c }, sent) => {
    const headers = await confirmTwoFactor(c.get("deps").auth, callerOf(c), sent.code);
    await auditTwoFactor(c, true);
    return withCookies(jsonAnswer(c, { on: true as const }), headers);
  });
  const stop = {
    id: "stopTwoFactor",
    summary: "Turn a second factor off",
    body: z.strictObject({ password, code }),
    otherwise: "one that is off is refused",
    errors: ["auth.person_only", "auth.confirmation_failed", "auth.code_wrong", "auth.two_factor_off"],
  };
  act(app, "two_factor.change_own", "/two-factor/stop", stop, async ({ c }, sent) => {
    const headers = await stopTwoFactor(c.get("deps").auth, callerOf(c), sent);
    await auditTwoFactor(c, false);
    return withCookies(jsonAnswer(c, { on: false as const }), headers);
  });
}

/** @throws AppError `auth.person_only` 403 for a key */
function operatorOf(c: AdminCall): Operator {
  requirePerson(c.get("ctx"));
  const operator = c.get("operator");
  if (operator === undefined) throw new Error("a person without a session");
  return operator;
}

/** Who asks, with what their proof is checked against. @throws AppError `auth.person_only` 403 for a key */
function callerOf(c: AdminCall): ConfirmingPerson {
  const operator = operatorOf(c);
  return {
    operator,
    cookie: c.req.header("cookie") ?? null,
    address: clientAddress(c),
    userAgent: c.req.header("user-agent"),
  };
}

/** The login library changes its own tables, so the entry follows in a transaction of its own. */
async function auditTwoFactor(c: AdminCall, on: boolean): Promise<void> {
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

function withCookies<Answer extends Response>(answer: Answer, from: Headers): Answer {
  for (const cookie of from.getSetCookie()) answer.headers.append("set-cookie", cookie);
  return answer;
}
