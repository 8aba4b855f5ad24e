import { createHmac } from "node:crypto";
import type { Database } from "@/db/client";
import { countSignIn, forgetCount, forgiveSignIn } from "@/db/statements/count-sign-in";
import { AppError } from "@/domain/errors";
import { addressBucket } from "./address";

/** Wrong passwords for one e-mail from one address before the window must pass. */
export const SIGN_IN_ATTEMPTS = 5;
/** Wrong passwords from one address, whatever the e-mail: a list of stolen passwords stops here. */
export const SIGN_IN_ATTEMPTS_PER_ADDRESS = 50;
/** Wrong proofs of one person who is signed in, from wherever: the login library counts none where a session is. */
export const PROOF_ATTEMPTS = 10;
/** Sign-ins at the OIDC issuer that one network begins in the window: each asks the issuer and leaves a row. */
export const OIDC_BEGINS_PER_ADDRESS = 300;
export const SIGN_IN_WINDOW_SECONDS = 15 * 60;

export interface SignInAttempt {
  /** Tells the count that the password was right. */
  succeeded(): Promise<void>;
}

/**
 * Counts an attempt before the password is looked at. Rows hold a keyed hash, no e-mail and no address.
 *
 * @throws AppError `rate_limit.exceeded` (429, Retry-After), the same for an e-mail that nobody has
 */
export async function countAttempt(
  { db, secret }: { readonly db: Database; readonly secret: string },
  email: string,
  address: string | undefined,
): Promise<SignInAttempt> {
  const sender = addressBucket(address);
  const senderName = bucketOf(secret, sender);
  const pairName = bucketOf(secret, sender, email.trim().toLowerCase());
  await countOne(db, senderName, SIGN_IN_ATTEMPTS_PER_ADDRESS);
  await countOne(db, pairName, SIGN_IN_ATTEMPTS);
  return { succeeded: () => forgiveSignIn(db.pool, pairName, senderName) };
}

/**
 * Counts a proof of somebody who is signed in: by address, and by person whatever the address, so that a session that was taken
 * guesses no further from many of them.
 *
 * @throws AppError `rate_limit.exceeded` (429, Retry-After)
 */
export async function countProof(
  auth: { readonly db: Database; readonly secret: string },
  operatorId: string,
  address: string | undefined,
): Promise<SignInAttempt> {
  const attempt = await countAttempt(auth, `confirm ${operatorId}`, address);
  const everywhere = bucketOf(auth.secret, "proof", "everywhere", operatorId);
  await countOne(auth.db, everywhere, PROOF_ATTEMPTS);
  return {
    succeeded: async () => {
      await attempt.succeeded();
      await forgetCount(auth.db.pool, everywhere);
    },
  };
}

/**
 * Counts a sign-in that begins at the OIDC issuer, apart from those by password.
 *
 * @throws AppError `rate_limit.exceeded` (429, Retry-After)
 */
export function countBegin(
  { db, secret }: { readonly db: Database; readonly secret: string },
  address: string | undefined,
): Promise<void> {
  return countOne(db, `begun:${bucketOf(secret, "oidc", addressBucket(address))}`, OIDC_BEGINS_PER_ADDRESS);
}

function bucketOf(secret: string, ...parts: readonly string[]): string {
  return `sign-in:${createHmac("sha256", secret).update(JSON.stringify(parts)).digest("base64url")}`;
}

async function countOne(db: Database, bucket: string, most: number): Promise<void> {
  const { attempts, secondsLeft } = await countSignIn(db.pool, bucket, SIGN_IN_WINDOW_SECONDS);
  if (attempts <= most) return;
  const minutes = Math.ceil(secondsLeft / 60);
  throw new AppError("rate_limit.exceeded", 429, "Too many attempts to sign in", {
    detail: `Try again in ${String(minutes)} ${minutes === 1 ? "minute" : "minutes"}.`,
    retryable: true,
    retryAfter: secondsLeft,
  });
}
