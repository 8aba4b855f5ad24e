import type { Renderer } from "./renderer";
import { findingsInWords, messageInWords } from "./sentences";
import { articleName } from "./names";
import type { ErrorView } from "./error-view";

/** Messages that clients of this profile may compare with: they stay as they are. */
const MESSAGES: Readonly<Record<string, string>> = {
  "idempotency.payload_mismatch": "This idempotency key was already used with a different request.",
  "payment.insufficient_funds": "The account has insufficient funds for this payment.",
};

/** A stable code and one message, and nothing else; what a program needs beside them is in the headers. */
export const articleRenderer: Renderer = {
  errorType: "application/json",
  body: (view) => ({ errorCode: articleName(view.code), message: MESSAGES[view.code] ?? messageOf(view) }),
};

function messageOf(view: ErrorView): string {
  const findings = findingsInWords(view);
  return findings.length === 0 ? messageInWords(view) : `${view.title}: ${findings.join("; ")}.`;
}
