import type { OperationRecord } from "../views/operations";

/** What claim() makes of the next request with the same key and command, where a failure did not end in an answer. */
export type KeyRetry = "runs" | "is refused" | "its service decides" | undefined;

/** @returns undefined where it is another state's to say, or where the window of the key is over */
export function keyRetry({
  state,
  expiresAt,
  at,
  attempts,
  maxAttempts,
}: Pick<OperationRecord, "state" | "expiresAt" | "at" | "attempts" | "maxAttempts">): KeyRetry {
  if (state !== "FAILED_RETRYABLE" || expiresAt <= at) return undefined;
  if (maxAttempts === undefined) return "its service decides";
  return attempts < maxAttempts ? "runs" : "is refused";
}
