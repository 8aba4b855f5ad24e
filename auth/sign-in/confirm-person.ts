import { operatorPasswordHash } from "@/db/access/operator-facts";
import { confirmSessionRow } from "@/db/access/sessions";
import { AppError } from "@/domain/errors";
import { callLibrary } from "./call-library";
import type { AuthCore } from "./library";
import type { Operator } from "../operator-session";
import { isTotp, pathOfCode } from "./sign-in-code";
import { countProof } from "./sign-in-limit";
import { spendCode } from "./spend-code";

/** What a person shows: one of the two. */
export interface Proof {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
}

export interface ConfirmingPerson {
  readonly operator: Operator;
  /** Of the request, for the library. */
  readonly cookie: string | null;
  /** From the socket or a trusted proxy. */
  readonly address: string | undefined;
  /** Of the browser: a session that replaces this one says it too. */
  readonly userAgent?: string | undefined;
}

/**
 * Step-up: somebody who is signed in proves again who they are, and their session counts as confirmed for the next minutes. Wrong
 * tries are counted like sign-ins.
 * @throws AppError `auth.confirmation_failed` 403, `rate_limit.exceeded` 429
 */
export async function confirmPerson(auth: AuthCore, caller: ConfirmingPerson, proof: Proof): Promise<void> {
  await requireProof(auth, caller, proof);
  await confirmSessionRow(auth.db.pool, caller.operator.sessionId);
}

/** @throws AppError `auth.confirmation_failed` 403 unless everything that is shown is right, `rate_limit.exceeded` 429 */
export async function requireProof(auth: AuthCore, caller: ConfirmingPerson, { password, code }: Proof): Promise<void> {
  const attempt = await countProof(auth, caller.operator.id, caller.address);
  if (password === undefined && code === undefined) throw wrong("Nothing was shown.");
  if (password !== undefined && !(await isPassword(auth, caller.operator.id, password))) {
    throw wrong("The password is wrong.");
  }
  if (code !== undefined && !(await isCode(auth, caller, code)))
    throw wrong("The code is wrong, or it was used already.");
  await attempt.succeeded();
}

async function isPassword(auth: AuthCore, operatorId: string, password: string): Promise<boolean> {
  const hash = await operatorPasswordHash(auth.db.pool, operatorId);
  if (hash === undefined) return false;
  const { password: passwords } = await auth.library.$context;
  return passwords.verify({ hash, password });
}

/**
 * Only where a second factor is on: a secret that nobody confirmed proves nothing. A code of the authenticator proves it once,
 * here or at sign-in.
 */
async function isCode(auth: AuthCore, { operator, cookie, address }: ConfirmingPerson, code: string): Promise<boolean> {
  if (!operator.twoFactor) return false;
  const answer = await callLibrary(auth, { path: pathOfCode(code), cookie, address, body: { code } });
  return answer.ok && (!isTotp(code) || (await spendCode(auth, operator.id, code)));
}

function wrong(why: string): AppError {
  return new AppError("auth.confirmation_failed", 403, "This did not prove who you are", {
    detail: `${why} Nothing was changed.`,
  });
}
