import { z } from "zod";
import { pendingOperator } from "@/db/access/operator-facts";
import { endSessionByToken } from "@/db/access/sessions";
import { AppError } from "@/domain/errors";
import { callLibrary, codeOf, withCookiesOf } from "./call-library";
import type { AuthCore } from "./library";
import { readBody } from "./read-body";
import { notNow } from "./sign-in";
import { countAttempt } from "./sign-in-limit";
import { spendCode } from "./spend-code";
import { recordRefusedSignIn, recordSignIn } from "./record-sign-in";

const CODE_MAX = 32;
const body = z.object({ code: z.string().trim().min(1).max(CODE_MAX) });
const TOTP = /^\d{6}$/;
/** The library's cookie of a sign-in that waits for its code. */
const PENDING_COOKIE = /^(?:__Secure-)?onceboard\.two_factor=/;

/** @returns whether this is a code of an authenticator; every other one is a backup code */
export function isTotp(code: string): boolean {
  return TOTP.test(code);
}

/** A code of the authenticator or one of the backup codes, and the library's path that checks it. */
export function pathOfCode(code: string): string {
  return isTotp(code) ? "/two-factor/verify-totp" : "/two-factor/verify-backup-code";
}

/**
 * The second step of signing in: the code of the authenticator, or a backup code, which works once. Five wrong ones end the step,
 * ten in a row lock the second factor for a quarter of an hour.
 * @returns 204 with the session cookie
 * @throws AppError `validation.sign_in` (400), `auth.code_wrong` (401), `auth.sign_in_over` (401), `rate_limit.exceeded` (429)
 */
export async function signInByCode(auth: AuthCore, request: Request, address: string | undefined): Promise<Response> {
  const sent = await readBody(request, body);
  if (sent === undefined) {
    throw new AppError("validation.sign_in", 400, "Send a code", {
      detail: "The body is a JSON object with the text code.",
    });
  }
  const cookie = pendingOf(request.headers.get("cookie"));
  const attempt = await countAttempt(auth, `code ${cookie}`, address);
  const operatorId = await pendingOperator(auth.db.pool, identifierOf(cookie));
  const refused = (why: "wrong code" | "code used before"): void => {
    if (operatorId !== undefined) recordRefusedSignIn(auth, { request, address }, { operatorId }, why);
  };
  const answer = await callLibrary(auth, {
    path: pathOfCode(sent.code),
    cookie,
    userAgent: request.headers.get("user-agent"),
    address,
    body: { code: sent.code },
  });
  if (!answer.ok) {
    const refusal = await refusalOf(answer);
    if (refusal.code === "auth.code_wrong") refused("wrong code");
    throw refusal;
  }
  if (!(await isUnspent(auth, answer, sent.code))) {
    refused("code used before");
    throw wrongCode("It signed somebody in already. Wait for the next one.");
  }
  await attempt.succeeded();
  const headers = withCookiesOf(answer);
  const method = isTotp(sent.code) ? "password and code" : "password and backup code";
  await recordSignIn(auth, { request, address }, headers, method);
  return new Response(null, { status: 204, headers });
}

/** Nothing but the step that waits: with a session beside it the library would check the code for that one, and count no wrong ones. */
function pendingOf(cookie: string | null): string {
  return (cookie ?? "").split(/;\s*/).find((pair) => PENDING_COOKIE.test(pair)) ?? "";
}

/** What the library calls the step, without the signature behind it; it is as secret as the cookie. */
function identifierOf(cookie: string): string {
  try {
    return decodeURIComponent(cookie.split("=", 2)[1] ?? "").split(".", 1)[0] ?? "";
  } catch {
    return "";
  }
}

/** The library lets a code in twice while it lives, and the second one's session goes again; backup codes it counts itself. */
async function isUnspent(auth: AuthCore, answer: Response, code: string): Promise<boolean> {
  if (!isTotp(code)) return true;
  const { token, user } = (await answer.json()) as { readonly token: string; readonly user: { readonly id: string } };
  if (await spendCode(auth, user.id, code)) return true;
  await endSessionByToken(auth.db.pool, token);
  return false;
}

function wrongCode(detail: string): AppError {
  return new AppError("auth.code_wrong", 401, "The code is wrong", { detail });
}

async function refusalOf(answer: Response): Promise<AppError> {
  switch (await codeOf(answer)) {
    case "INVALID_CODE":
    case "INVALID_BACKUP_CODE":
      return wrongCode("It is neither the current code nor an unused backup code.");
    case "ACCOUNT_TEMPORARILY_LOCKED":
      return new AppError("rate_limit.exceeded", 429, "Too many wrong codes", {
        detail: "Try again in 15 minutes.",
        retryable: true,
        retryAfter: LOCK_SECONDS,
      });
    default:
      if (answer.status >= 500) return notNow();
      return new AppError("auth.sign_in_over", 401, "Start the sign-in again", {
        detail: "The time for the code is over, or there were too many wrong ones. Enter e-mail and password again.",
      });
  }
}

/** How long the library's lock holds. */
const LOCK_SECONDS = 900;
