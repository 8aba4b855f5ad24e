import type { Dress } from "./dress";
import { findingsInWords, inWords } from "./in-words";
import { articleName } from "./names";
import type { Told } from "./told";

/** Messages that clients of this profile may compare with: they stay as they are. */
const MESSAGES: Readonly<Record<string, string>> = {
  "idempotency.payload_mismatch": "This idempotency key was already used with a different request.",
  "payment.insufficient_funds": "The account has insufficient funds for this payment.",
};

/** A stable code and one message, and nothing else; what a program needs beside them is in the headers. */
export const articleDress: Dress = {
  errorType: "application/json",
  body: (told) => ({ errorCode: articleName(told.code), message: MESSAGES[told.code] ?? messageOf(told) }),
};

function messageOf(told: Told): string {
  const findings = findingsInWords(told);
  return findings.length === 0 ? inWords(told) : `${told.title}: ${findings.join("; ")}.`;
}
