import { createHmac } from "node:crypto";
import type { Database } from "@/db/client";
import { countSignIn, forgetCount, forgiveSignIn } from "@/db/access/count-sign-in";
import { AppError } from "@/domain/errors";
import { addressBucket, networkBucket, UNKNOWN_ADDRESS } from "../address";

/** Wrong passwords for one e-mail from one address before the window must pass. */
export const SIGN_IN_ATTEMPTS = 5;
/** Wrong passwords from one address, whatever the e-mail: a list of stolen passwords stops here. */
export const SIGN_IN_ATTEMPTS_PER_ADDRESS = 50;
/** The same from one /24 or /48: addresses beside each other are one guesser's for little money. */
export const SIGN_IN_ATTEMPTS_PER_NETWORK = 100;
/**
 * Wrong passwords for one e-mail from all networks together, but for browsers that know its person. So a guesser with many addresses has no more
 * guesses than this in a window, and the person signs in meanwhile where they did before.
 */
export const SIGN_IN_ATTEMPTS_PER_PERSON = 20;
/**
 * The same where no address is known (where Next alone brings the requests): everybody is in that one count, so it is wide, and beyond it
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
  const networkName = `near:${bucketOf(secret, "network", networkBucket(address))}`;
  const pairName = bucketOf(secret, sender, email.trim().toLowerCase());
  const ofSender = await countIn(db, senderName);
  if (sender !== UNKNOWN_ADDRESS) {
    requireAtMost(ofSender, SIGN_IN_ATTEMPTS_PER_ADDRESS);
    requireAtMost(await countIn(db, networkName), SIGN_IN_ATTEMPTS_PER_NETWORK);
  }
  const ofPair = await countIn(db, pairName);
  requireAtMost(ofPair, SIGN_IN_ATTEMPTS);
  if (sender === UNKNOWN_ADDRESS && ofPair.attempts > 1) requireAtMost(ofSender, SIGN_IN_ATTEMPTS_OF_UNKNOWN);
  return { succeeded: () => forgiveSignIn(db.pool, pairName, [senderName, networkName]) };
}

/**
 * Counts a password for an e-mail: as {@link countAttempt}, and for that e-mail from wherever. A browser that knows the person has a count of
 * its own instead, so that nobody else's guesses shut them out.
 * @param from.device of knownDevice(); undefined: not known for this person
 * @throws AppError `rate_limit.exceeded` (429, Retry-After), the same for an e-mail that nobody has
 */
export async function countPassword(
  auth: { readonly db: Database; readonly secret: string },
  email: string,
  from: { readonly address: string | undefined; readonly device: string | undefined },
): Promise<SignInAttempt> {
  const { db, secret } = auth;
  const person = email.trim().toLowerCase();
  if (from.device !== undefined) {
    const ownName = bucketOf(secret, "device", person, from.device);
    requireAtMost(await countIn(db, ownName), SIGN_IN_ATTEMPTS);
    return { succeeded: () => forgetCount(db.pool, ownName) };
  }
  const attempt = await countAttempt(auth, email, from.address);
  const everywhere = `person:${bucketOf(secret, "person", person)}`;
  requireAtMost(await countIn(db, everywhere), SIGN_IN_ATTEMPTS_PER_PERSON);
  return {
    succeeded: async () => {
      await attempt.succeeded();
      await forgiveSignIn(db.pool, "", [everywhere]);
    },
  };
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
