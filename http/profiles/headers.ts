import type { OperationFacts } from "@/engine/answer";
import type { Asked } from "./profile";

export type HeaderRecord = Record<string, string>;

/** On every answer: nothing of this API belongs into a cache, and nothing is to be sniffed. */
export function baseHeaders(asked: Pick<Asked, "requestId" | "keyEcho">): HeaderRecord {
  const headers: HeaderRecord = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "request-id": asked.requestId,
  };
  if (asked.keyEcho !== undefined) headers["idempotency-key"] = asked.keyEcho;
  return headers;
}

export function operationHeaders(headers: HeaderRecord, operation: OperationFacts | undefined): void {
  if (operation === undefined) return;
  headers["operation-id"] = operation.operationId;
  headers["idempotency-expires"] = operation.expiresAt.toISOString();
}

/** Common SDKs retry every 409 by themselves; these two stop them where a retry changes nothing. */
export function neverRetry(headers: HeaderRecord): void {
  headers["x-should-retry"] = "false";
  headers["stripe-should-retry"] = "false";
}
