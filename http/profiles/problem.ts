import type { AppError } from "@/domain/errors";
import { problemDocument } from "@/domain/problem";
import type { OperationFacts, StoredResponse } from "@/engine/answer";
import { baseHeaders, neverRetry, operationHeaders, type HeaderRecord } from "./headers";
import type { Asked, Profile } from "./profile";
import { refusalOf } from "./refusal-of";

const PROBLEM_TYPE = "application/problem+json";

/** The default dress: resources as JSON, errors as `application/problem+json` (RFC 9457). */
export const problemProfile: Profile = {
  answer(answer, policy, asked) {
    switch (answer.outcome) {
      case "executed":
      case "replayed":
        return stored(answer.response, answer.operation, answer.outcome === "replayed", asked);
      case "conflict":
      case "in_progress":
      case "unknown":
      case "expired":
      case "purged":
      case "refused":
        return refusal(refusalOf(answer, policy), asked, answer.operation);
    }
  },
  error: (error, asked) => refusal(error, asked, undefined),
};

/** The bytes of the first answer, and around them what is true of this one. */
function stored(response: StoredResponse, operation: OperationFacts, replayed: boolean, asked: Asked): Response {
  const headers: HeaderRecord = { ...response.headers, ...baseHeaders(asked) };
  operationHeaders(headers, operation);
  headers["idempotency-status"] = replayed ? "replayed" : "stored";
  if (replayed) headers["idempotent-replayed"] = "true";
  // A refusal that is kept is the answer for good.
  if (response.status >= 400) neverRetry(headers);
  else if (asked.minimal) return minimal(response.status, headers);
  return new Response(bytesOf(response.body), { status: response.status, headers });
}

function minimal(status: number, headers: HeaderRecord): Response {
  delete headers["content-type"];
  headers["preference-applied"] = "return=minimal";
  return new Response(null, { status, headers });
}

function refusal(error: AppError, asked: Asked, operation: OperationFacts | undefined): Response {
  const headers: HeaderRecord = { ...baseHeaders(asked), "content-type": PROBLEM_TYPE };
  operationHeaders(headers, operation);
  if (error.retryAfter !== undefined) headers["retry-after"] = String(Math.max(1, Math.ceil(error.retryAfter)));
  if (!error.retryable) neverRetry(headers);
  if (error.status === 401) headers["www-authenticate"] = 'Bearer realm="onceboard"';
  if (error.code.startsWith("idempotency.key_")) headers["link"] = '</api/v1/docs#idempotency-key>; rel="describedby"';
  const facts = operation && { operationId: operation.operationId, operationState: operation.state };
  const body = problemDocument(error, `urn:onceboard:request:${asked.requestId}`, facts);
  return new Response(JSON.stringify(body), { status: error.status, headers });
}

/** The memory behind a Buffer may be shared with others; a Response wants exactly these bytes. */
function bytesOf(body: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.byteLength);
}
