import type { OperationFacts } from "@/engine/execute/answer";
import { baseHeaders, operationHeaders } from "./headers";
import type { RequestMeta } from "./profile";

/**
 * The first request of the key is still at work, and its operation answers such retries with 202 and where to look.
 * No refusal, so it looks the same in every profile.
 */
export function acceptedAnswer(operation: OperationFacts, retryAfterSeconds: number, meta: RequestMeta): Response {
  const location = `/api/v1/operations/${operation.operationId}`;
  const headers = { ...baseHeaders(meta), "content-type": "application/json", location };
  operationHeaders(headers, operation);
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  const body = {
    operationId: operation.operationId,
    operationState: operation.state,
    href: location,
    retryAfterSeconds: seconds,
  };
  return new Response(JSON.stringify(body), { status: 202, headers: { ...headers, "retry-after": String(seconds) } });
}
