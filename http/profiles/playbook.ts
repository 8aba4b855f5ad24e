import type { Renderer } from "./renderer";
import { sentencesOf } from "./sentences";
import { type Category, categoryOf, playbookName, snakeMembers } from "./names";
import type { ErrorView } from "./error-view";

/** What a caller should do, by the class of the error. */
const HINTS: Readonly<Record<Category, string>> = {
  VALIDATION: "Fix input",
  AUTH: "Re-auth or permission",
  CONFLICT: "Look at the operation before you send anything again",
  RATE_LIMIT: "Wait & retry",
  DEPENDENCY: "Retry",
  TRANSIENT: "Retry",
  PROVIDER: "Final; a new try is a new key",
};
const HINTS_OF_CODE: Readonly<Record<string, string>> = {
  "idempotency.payload_mismatch": "Generate new key",
  "idempotency.attempts_exhausted": "Generate new key",
  "tenant.wrong_region": "Send it to the home region",
  "dependency.refused": "Remove the cause first",
  "dependency.timeout": "Retry with backoff",
  "payment.duplicate_reference": "Surface existing result",
};

/**
 * The code with its class in front, the class, and what to do. `error_code`, in the body and as a header, is
 * the same in every profile, in logs and in events.
 */
export const playbookRenderer: Renderer = {
  errorType: "application/json",
  // The playbook knows one status for a key that is used again with another payload, whatever the operation's policy says.
  status: (view) => (view.code === "idempotency.payload_mismatch" ? 409 : view.status),
  headers: (view) => ({ "error-code": view.code }),
  body: (view) => ({
    code: playbookName(view),
    category: categoryOf(view),
    error_code: view.code,
    message: sentencesOf(view),
    retryable: view.retryable,
    hint: hintOf(view),
    ...idsOf(view),
    ...snakeMembers(view.extensions),
  }),
};

function hintOf(view: ErrorView): string {
  return HINTS_OF_CODE[view.code] ?? HINTS[categoryOf(view)];
}

function idsOf({ operation, occurrence }: ErrorView): Record<string, unknown> {
  return {
    ...(occurrence.kind === "request" && { request_id: occurrence.requestId }),
    ...(operation && snakeMembers(operation)),
  };
}
