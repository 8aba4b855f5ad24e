import type { AppError } from "@/domain/errors";
import type { ExecuteAnswer, OperationFacts } from "@/engine/execute/answer";
import type { RequestMeta } from "./request-meta";

export type HeaderRecord = Record<string, string>;

/** On every answer: nothing of this API belongs into a cache, and nothing is to be sniffed. */
export function baseHeaders(meta: Pick<RequestMeta, "requestId" | "keyEcho">): HeaderRecord {
  const headers: HeaderRecord = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "request-id": meta.requestId,
  };
  if (meta.keyEcho !== undefined) headers["idempotency-key"] = meta.keyEcho;
  return headers;
}

export function operationHeaders(headers: HeaderRecord, operation: OperationFacts | undefined): void {
  if (operation === undefined) return;
  headers["operation-id"] = operation.operationId;
  headers["idempotency-expires"] = operation.expiresAt.toISOString();
}

/** Around the answer that an operation keeps: those of the first one, and what is true of this exchange. */
export function storedHeaders(
  answer: Extract<ExecuteAnswer, { readonly outcome: "executed" | "replayed" }>,
  meta: Pick<RequestMeta, "requestId" | "keyEcho" | "unkeyed">,
): HeaderRecord {
  const replayed = answer.outcome === "replayed";
  const headers = baseHeaders(meta);
  // A kept header has none of these names (StoredResponse); if one had, ours would win.
  const kept = answer.response.headers;
  for (const name of Object.keys(kept)) headers[name] ??= kept[name] ?? "";
  operationHeaders(headers, answer.operation);
  // Had its answer been lost, nobody could have asked for it again: that is not what "stored" promises.
  if (meta.unkeyed !== true) headers["idempotency-status"] = replayed ? "replayed" : "stored";
  headers["response-schema-version"] = answer.schemaVersion;
  if (replayed) headers["idempotent-replayed"] = "true";
  // The resource as it is now, not the bytes of the first answer: the header marks every such replay.
  if (answer.by === "reference") headers["idempotency-replay"] = "reference";
  return headers;
}

/** Common SDKs retry every 409 by themselves; these two stop them where a retry changes nothing. */
export function neverRetry(headers: HeaderRecord): void {
  headers["x-should-retry"] = "false";
  headers["stripe-should-retry"] = "false";
}

/** What every refusal carries, whatever its body looks like. */
export function refusalHeaders(
  error: AppError,
  meta: Pick<RequestMeta, "requestId" | "keyEcho">,
  operation: OperationFacts | undefined,
): HeaderRecord {
  const headers = baseHeaders(meta);
  operationHeaders(headers, operation);
  if (error.retryAfter !== undefined) headers["retry-after"] = String(Math.max(1, Math.ceil(error.retryAfter)));
  if (!error.retryable) neverRetry(headers);
  if (error.status === 401) headers["www-authenticate"] = 'Bearer realm="onceboard"';
  if (error.code.startsWith("idempotency.key_")) headers["link"] = '</api/v1/docs#idempotency-key>; rel="describedby"';
  return headers;
}
