import { z } from "zod";
import { isInvitationOpen, spendInvitation } from "@/db/access/invitations";
import { inTransaction } from "@/db/transaction";
import { AppError } from "@/domain/errors";
import { recordAccess } from "../access-log";
import { COMMON_PASSWORD_WORDS, isCommonPassword } from "./common-password";
import { parseInvitation } from "./invitation";
import { PASSWORD_MAX, PASSWORD_MIN, type AuthCore } from "./library";
import { readBody } from "./read-body";
import { countAttempt } from "./sign-in-limit";

const TOKEN_MAX = 128;
const body = z.object({ token: z.string().max(TOKEN_MAX), password: z.string().max(PASSWORD_MAX) });

const link = z.object({ token: z.string().max(TOKEN_MAX) });

/**
 * Says whether a link still opens, before anybody chooses a password by it. Guesses are counted as attempts to use it are.
 * @returns 204
 * @throws AppError `auth.link_over` 403, `rate_limit.exceeded` 429
 */
export async function checkLink(auth: AuthCore, request: Request, address: string | undefined): Promise<Response> {
  const invitation = parseInvitation((await readBody(request, link))?.token ?? "");
  const attempt = await countAttempt(auth, `join ${invitation?.operatorId ?? ""}`, address);
  if (invitation === undefined || !(await isInvitationOpen(auth.db.pool, invitation))) throw over();
  await attempt.succeeded();
  return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
}

/**
 * Somebody follows the link that an admin gave them and chooses a password. The link opens once; signing in is the next step, so
 * that a second factor is still asked for.
 * @returns 200 `{"email"}`
 * @throws AppError `validation.operator` 422, `auth.link_over` 403, `rate_limit.exceeded` 429
 */
export async function join(auth: AuthCore, request: Request, address: string | undefined): Promise<Response> {
  const sent = await readBody(request, body);
  const password = sent?.password ?? "";
  if (password.length < PASSWORD_MIN) {
    throw new AppError("validation.operator", 422, "This password cannot be used", {
      detail: `A password has at least ${String(PASSWORD_MIN)} and at most ${String(PASSWORD_MAX)} characters.`,
    });
  }
  if (await isCommonPassword(password)) {
    throw new AppError("validation.operator", 422, "This password cannot be used", { detail: COMMON_PASSWORD_WORDS });
  }
  const invitation = parseInvitation(sent?.token ?? "");
  const attempt = await countAttempt(auth, `join ${invitation?.operatorId ?? ""}`, address);
  if (invitation === undefined) throw over();
  const { password: passwords } = await auth.library.$context;
  const passwordHash = await passwords.hash(password);
  const email = await inTransaction(auth.db, async (tx) => {
    const person = await spendInvitation(tx, { ...invitation, passwordHash });
    if (person === undefined) return undefined;
    const { operatorId: id } = invitation;
    await recordAccess(tx, {
      actor: { kind: "operator", id, name: person.name, role: person.role },
      action: "operators.join",
      operatorId: id,
      requestId: auth.requestId,
      after: { email: person.email, role: person.role, password: "chosen by a link", sessionsEnded: true },
    });
    return person.email;
  });
  if (email === undefined) throw over();
  await attempt.succeeded();
  return Response.json({ email }, { headers: { "cache-control": "no-store" } });
}

function over(): AppError {
  return new AppError("auth.link_over", 403, "This link is not valid any more", {
    detail: "It was used, replaced by a newer one, is too old, or its person was disabled. Ask an admin for another.",
  });
}
