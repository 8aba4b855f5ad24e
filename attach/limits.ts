/** A statement on somebody else's database ends after this, ms. */
export const FOREIGN_STATEMENT_MS = 5_000;
/** It waits so long for a lock, ms. */
export const FOREIGN_LOCK_MS = 2_000;
/** The driver waits so long for an answer, for a server that does not keep its own limit, ms. */
export const FOREIGN_ANSWER_MS = FOREIGN_STATEMENT_MS * 2;

/** Which limit ended a statement. */
export const FOREIGN_LIMITS = ["statement", "lock", "answer"] as const;
export type ForeignLimit = (typeof FOREIGN_LIMITS)[number];

const CANCELED = "57014";
const NO_LOCK = "55P03";

/** @returns which of our limits ended a statement; undefined for every other error, also for what somebody there stopped by hand */
export function limitOf(error: unknown): ForeignLimit | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = "code" in error ? error.code : undefined;
  if (code === NO_LOCK) return "lock";
  // Its text is in the language of their server; what is stopped by hand is told apart where that is English.
  if (code === CANCELED) return /user request/.test(error.message) ? undefined : "statement";
  return code === undefined && error.message === "Query read timeout" ? "answer" : undefined;
}
