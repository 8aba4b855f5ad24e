import type { Renderer } from "./renderer";
import { findingsInWords, messageInWords } from "./sentences";
import { faultName } from "./names";
import type { ErrorView } from "./error-view";

const MISMATCH = "idempotency.payload_mismatch";
/** As the governance kit words it. */
const MISMATCH_TEXT = "An Idempotency-Key may not be reused with a different request body.";

/** One fault with an entry for each thing that is wrong; 422 for a conflicting body, 409 with guidance in flight. */
export const faultRenderer: Renderer = {
  errorType: "application/json",
  status: (view) => (view.code === MISMATCH ? 422 : view.status),
  body: (view) => ({ fault: { ...idsOf(view), errors: errorsOf(view) } }),
};

/**
 * `faultId` is this occurrence, to be found in logs and events; `traceId` the caller's trace, or the request where it has
 * none. A kept refusal is one occurrence for good: both come from its operation.
 */
function idsOf({ occurrence }: ErrorView): { faultId: string; traceId: string } {
  const faultId = occurrence.kind === "kept" ? occurrence.operationId : occurrence.requestId;
  const traceId = occurrence.kind === "kept" ? undefined : occurrence.traceId;
  return { faultId, traceId: traceId ?? faultId.replaceAll("-", "") };
}

function errorsOf(view: ErrorView): { errorCode: string; description: string }[] {
  const errorCode = faultName(view.code);
  if (view.code === MISMATCH) return [{ errorCode, description: MISMATCH_TEXT }];
  const findings = findingsInWords(view);
  if (findings.length > 0) return findings.map((description) => ({ errorCode, description }));
  return [{ errorCode, description: messageInWords(view) + guidanceOf(view) }];
}

function guidanceOf({ retryable, retryAfter }: ErrorView): string {
  if (!retryable || retryAfter === undefined) return "";
  return ` Retry after ${String(retryAfter)} ${retryAfter === 1 ? "second" : "seconds"}.`;
}
