import { createHmac } from "node:crypto";
import type { Database } from "@/db/client";
import { countSignIn, forgetCount, forgiveSignIn } from "@/db/access/count-sign-in";
import { AppError } from "@/domain/errors";
import { addressBucket, UNKNOWN_ADDRESS } from "../address";

/** Wrong passwords for one e-mail from one address before the window must pass. */
export const SIGN_IN_ATTEMPTS = 5;
/** Wrong passwords from one address, whatever the e-mail: a list of stolen passwords stops here. */
export const SIGN_IN_ATTEMPTS_PER_ADDRESS = 50;
/**
 * The same where no address is known (behind Next's own server): everybody is in that one count, so it is wide, and beyond it
 * only an e-mail that failed in this window waits. Whoever guesses for one e-mail locks that one, and nobody else.
 */
export const SIGN_IN_ATTEMPTS_OF_UNKNOWN = 2_000;
/** Wrong proofs of one person who is signed in, from wherever: the login library counts none where a session is. */
export const PROOF_ATTEMPTS = 10;
/** Sign-ins at the OIDC issuer that one network begins in the window: each asks the issuer and leaves a row. */
export const OIDC_BEGINS_PER_ADDRESS = 300;
/** The same of everybody together, where no address is known. */
export const OIDC_BEGINS_OF_UNKNOWN = 10_000;
export const SIGN_IN_WINDOW_SECONDS = 15 * 60;

export interface SignInAttempt {
  /** Tells the count that the password was right. */
  succeeded(): Promise<void>;
}

/**
 * Counts an attempt before the password is looked at. Rows hold a keyed hash, no e-mail and no address.
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
  const ofSender = await countIn(db, senderName);
  if (sender !== UNKNOWN_ADDRESS) requireAtMost(ofSender, SIGN_IN_ATTEMPTS_PER_ADDRESS);
  const ofPair = await countIn(db, pairName);
  requireAtMost(ofPair, SIGN_IN_ATTEMPTS);
  if (sender === UNKNOWN_ADDRESS && ofPair.attempts > 1) requireAtMost(ofSender, SIGN_IN_ATTEMPTS_OF_UNKNOWN);
  return { succeeded: () => forgiveSignIn(db.pool, pairName, senderName) };
}

/**
 * Counts a proof of somebody who is signed in: by address, and by person whatever the address, so that a session that was taken
 * guesses no further from many of them.
 * @throws AppError `rate_limit.exceeded` (429, Retry-After)
 */
export async function countProof(
  auth: { readonly db: Database; readonly secret: string },
  operatorId: string,
  address: string | undefined,
): Promise<SignInAttempt> {
  const attempt = await countAttempt(auth, `confirm ${operatorId}`, address);
  const everywhere = bucketOf(auth.secret, "proof", "everywhere", operatorId);
  requireAtMost(await countIn(auth.db, everywhere), PROOF_ATTEMPTS);
  return {
    succeeded: async () => {
      await attempt.succeeded();
      await forgetCount(auth.db.pool, everywhere);
    },
  };
}

/**
 * Counts a sign-in that begins at the OIDC issuer, apart from those by password.
 * @throws AppError `rate_limit.exceeded` (429, Retry-After)
 */
export async function countBegin(
  { db, secret }: { readonly db: Database; readonly secret: string },
  address: string | undefined,
): Promise<void> {
  const sender = addressBucket(address);
  const most = sender === UNKNOWN_ADDRESS ? OIDC_BEGINS_OF_UNKNOWN : OIDC_BEGINS_PER_ADDRESS;
  requireAtMost(await countIn(db, `begun:${bucketOf(secret, "oidc", sender)}`), most);
}

function bucketOf(secret: string, ...parts: readonly string[]): string {
  return `sign-in:${createHmac("sha256", secret).update(JSON.stringify(parts)).digest("base64url")}`;
}

interface Count {
  readonly attempts: number;
  readonly secondsLeft: number;
}

function countIn(db: Database, bucket: string): Promise<Count> {
  return countSignIn(db.pool, bucket, SIGN_IN_WINDOW_SECONDS);
}

function requireAtMost({ attempts, secondsLeft }: Count, most: number): void {
  if (attempts <= most) return;
  const minutes = Math.ceil(secondsLeft / 60);
  throw new AppError("rate_limit.exceeded", 429, "Too many attempts to sign in", {
    detail: `Try again in ${String(minutes)} ${minutes === 1 ? "minute" : "minutes"}.`,
    retryable: true,
    retryAfter: secondsLeft,
  });
}
