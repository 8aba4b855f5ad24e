import { z } from "zod";
import { clearEndedSignIns } from "@/db/access/count-sign-in";
import { AppError } from "@/domain/errors";
import { callLibrary, withCookiesOf } from "./call-library";
import { PASSWORD_MAX, type AuthCore } from "./library";
import { readBody } from "./read-body";
import { knownDevice, knownDeviceCookie } from "./known-device";
import { countPassword } from "./sign-in-limit";
import { recordRefusedSignIn, recordSignIn } from "./record-sign-in";

const EMAIL_MAX = 254;

const credentials = z.object({
  email: z.string().min(1).max(EMAIL_MAX),
  password: z.string().min(1).max(PASSWORD_MAX),
});

/**
 * Signs an operator in. A wrong password, an unknown e-mail and a disabled operator get one and the same answer after the same
 * work.
 * @param address of the caller, from the socket or a trusted proxy
 * @returns 204 with the session cookie; 200 `{"next":"code"}` with a short-lived cookie when a code is to follow; the token
 * itself is never in a body
 * @throws AppError `validation.sign_in` (400), `auth.sign_in_failed` (401), `rate_limit.exceeded` (429)
 */
export async function signIn(auth: AuthCore, request: Request, address: string | undefined): Promise<Response> {
  const sent = await readBody(request, credentials);
  if (sent === undefined) {
    throw new AppError("validation.sign_in", 400, "Send an e-mail and a password", {
      detail: "The body is a JSON object with the texts email and password.",
    });
  }
  const { email, password } = sent;
  const device = knownDevice(auth, email, request.headers.get("cookie"));
  const attempt = await countPassword(auth, email, { address, device });
  const answer = await callLibrary(auth, {
    path: "/sign-in/email",
    userAgent: request.headers.get("user-agent"),
    address,
    // Only these two: other members of the body could lengthen the session or send the browser elsewhere.
    body: { email: email.trim(), password },
  });
  if (answer.status >= 500) throw notNow();
  if (!answer.ok) {
    recordRefusedSignIn(auth, { request, address }, { email }, "wrong password");
    throw new AppError("auth.sign_in_failed", 401, "E-mail or password is wrong", {
      detail: "No operator signs in with this e-mail and password.",
    });
  }
  await attempt.succeeded();
  await clearEndedSignIns(auth.db.pool);
  const headers = withCookiesOf(answer);
  if (device === undefined) headers.append("set-cookie", knownDeviceCookie(auth, email));
  const next = (await answer.json()) as { readonly twoFactorRedirect?: unknown };
  if (next.twoFactorRedirect === true) return Response.json({ next: "code" }, { headers });
  await recordSignIn(auth, { request, address }, headers, "password");
  return new Response(null, { status: 204, headers });
}

/** The database or the library failed: nobody learns whether the password was right. */
export function notNow(): AppError {
  return new AppError("dependency.unavailable", 503, "Signing in does not work right now", {
    detail: "The sign-in could not be checked. Try again in a moment.",
    retryable: true,
    retryAfter: 2,
  });
}
