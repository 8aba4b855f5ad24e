import { AppError } from "@/domain/errors";
import { callLibrary, withCookiesOf } from "./call-library";
import { requireProof, type ConfirmingPerson } from "./confirm-person";
import type { AuthCore } from "./library";
import { qrPath, type QrPath } from "./qr-path";
import { notNow } from "./sign-in";
import { countAttempt } from "./sign-in-limit";
import { spendCode } from "./spend-code";

export interface TwoFactorStart {
  /** In base32, for an authenticator that cannot see. */
  readonly secret: string;
  readonly qr: QrPath;
  /** Each opens once, instead of a code. */
  readonly backupCodes: readonly string[];
}

/**
 * Makes a secret and ten backup codes, which are shown this once and never again. Nothing is on before the first code is
 * confirmed; another start throws the unconfirmed secret away.
 * @throws AppError `auth.two_factor_on` 409, `auth.confirmation_failed` 403, `rate_limit.exceeded` 429
 */
export async function startTwoFactor(
  auth: AuthCore,
  caller: ConfirmingPerson,
  password: string,
): Promise<TwoFactorStart> {
  if (caller.operator.twoFactor) throw onAlready();
  await requireProof(auth, caller, { password });
  const answer = await callFor(auth, caller, "enable", { password });
  if (!answer.ok) throw notNow();
  const { totpURI, backupCodes } = (await answer.json()) as {
    readonly totpURI: string;
    readonly backupCodes: string[];
  };
  return { secret: new URL(totpURI).searchParams.get("secret") ?? "", qr: qrPath(totpURI), backupCodes };
}

/**
 * Turns it on by a first code, which is used up by that. The session is another one from here on.
 * @returns headers with the new session's cookie
 * @throws AppError `auth.two_factor_on` 409, `auth.code_wrong` 403, `rate_limit.exceeded` 429
 */
export async function confirmTwoFactor(auth: AuthCore, caller: ConfirmingPerson, code: string): Promise<Headers> {
  // The library would check the code again and count no wrong ones.
  if (caller.operator.twoFactor) throw onAlready();
  const attempt = await countAttempt(auth, `two-factor ${caller.operator.id}`, caller.address);
  const answer = await callFor(auth, caller, "verify-totp", { code });
  if (answer.status >= 500) throw notNow();
  if (!answer.ok) {
    throw new AppError("auth.code_wrong", 403, "The code is wrong", {
      detail: "It is not the current code. Check the clock of the authenticator. Nothing was changed.",
    });
  }
  // Whoever read it over a shoulder is too late: it signs nobody in and confirms nothing.
  if (!(await spendCode(auth, caller.operator.id, code))) {
    throw new AppError("auth.code_wrong", 403, "The code was used already", { detail: "Wait for the next one." });
  }
  await attempt.succeeded();
  return withCookiesOf(answer);
}

/**
 * Turns it off: a password and a code together, so that neither a lent console nor a stolen password is enough.
 * @returns headers with the new session's cookie
 * @throws AppError `auth.two_factor_off` 409, `auth.confirmation_failed` 403, `rate_limit.exceeded` 429
 */
export async function stopTwoFactor(
  auth: AuthCore,
  caller: ConfirmingPerson,
  proof: { readonly password: string; readonly code: string },
): Promise<Headers> {
  if (!caller.operator.twoFactor) {
    throw new AppError("auth.two_factor_off", 409, "No second factor is on", { detail: "Nothing was changed." });
  }
  await requireProof(auth, caller, proof);
  const answer = await callFor(auth, caller, "disable", { password: proof.password });
  if (!answer.ok) throw notNow();
  return withCookiesOf(answer);
}

function callFor(
  auth: AuthCore,
  { cookie, address, userAgent }: ConfirmingPerson,
  verb: "enable" | "verify-totp" | "disable",
  body: Readonly<Record<string, string>>,
): Promise<Response> {
  return callLibrary(auth, { cookie, address, userAgent, path: `/two-factor/${verb}`, body });
}

function onAlready(): AppError {
  return new AppError("auth.two_factor_on", 409, "A second factor is on already", {
    detail: "Turn it off first. Nothing was changed.",
  });
}
