import type { Dress } from "./dress";
import { findingsInWords, inWords } from "./in-words";
import { articleName } from "./names";
import type { ErrorView } from "./told";

/** Messages that clients of this profile may compare with: they stay as they are. */
const MESSAGES: Readonly<Record<string, string>> = {
  "idempotency.payload_mismatch": "This idempotency key was already used with a different request.",
  "payment.insufficient_funds": "The account has insufficient funds for this payment.",
};

/** A stable code and one message, and nothing else; what a program needs beside them is in the headers. */
export const articleDress: Dress = {
  errorType: "application/json",
  body: (view) => ({ errorCode: articleName(view.code), message: MESSAGES[view.code] ?? messageOf(view) }),
};

function messageOf(view: ErrorView): string {
  const findings = findingsInWords(view);
  return findings.length === 0 ? inWords(view) : `${view.title}: ${findings.join("; ")}.`;
}
