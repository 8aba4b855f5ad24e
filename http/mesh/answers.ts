import type { AppError } from "@/domain/errors";
import type { ExecuteAnswer, OperationFacts } from "@/engine/execute/answer";
import { meshName } from "../profiles/names";
import { baseHeaders, neverRetry, refusalHeaders, storedHeaders, type HeaderRecord } from "../profiles/headers";
import { refusalOf } from "../profiles/refusal-of";
import { keptRefusal, errorViewOf, type ErrorView } from "../profiles/error-view";
import { IDEMPOTENCY_URN, inSeconds, PROTOCOL } from "./protocol";
import { snakeMembers } from "@/http/profiles/names";
import type { RequestMeta } from "@/http/profiles/request-meta";

/** The call that is answered. */
export interface MeshRequestMeta extends RequestMeta {
  /** Of the envelope; null when it had none that is usable. */
  readonly id: string | null;
  readonly key: string | undefined;
}

interface Decided extends MeshRequestMeta {
  readonly key: string;
  /** Id of the request that used the key first; absent when there is no operation that may be named. */
  readonly firstRequestId: string | undefined;
}

type Members = Readonly<Record<string, unknown>>;

/** Statuses and codes of the mesh do not follow an operation's policy. */
const POLICY = { mismatchStatus: 409 } as const;
/** Errors whose details the mesh names itself, and nothing else. */
const MISMATCH_TEXT = "Idempotency key already used with different arguments";
const PROCESSING_TEXT = "Previous request with this key is still processing";

/** The engine's decision as an envelope. */
export function answerToMesh(answer: ExecuteAnswer, meta: Decided): Response {
  switch (answer.outcome) {
    case "executed":
    case "replayed":
      return settled(answer, meta);
    case "conflict": {
      const details = { key: meta.key, ...hashOf(answer.originalArgumentsHash) };
      return refusal(refusalOf(answer, POLICY), meta, answer.operation, {
        error: { code: "IDEMPOTENCY_CONFLICT", message: MISMATCH_TEXT, retryable: false, details },
        data: { key: meta.key, status: "conflict", ...originalOf(meta) },
      });
    }
    case "in_progress": {
      const details = { key: meta.key, retry_after: inSeconds(Math.max(1, Math.ceil(answer.retryAfterSeconds))) };
      // A mesh has no 202: a caller of an operation that would accept is asked to come back as well.
      return refusal(refusalOf(answer, POLICY), meta, answer.operation, {
        error: { code: "IDEMPOTENCY_PROCESSING", message: PROCESSING_TEXT, retryable: true, details },
      });
    }
    case "unknown":
      return refusal(refusalOf(answer, POLICY), meta, answer.operation, {
        data: dataOf("processing", answer.operation, meta),
      });
    case "expired":
    case "purged":
      return refusal(refusalOf(answer, POLICY), meta, answer.operation, {
        data: answer.operation && dataOf(answer.outcome, answer.operation, meta),
      });
    case "refused":
      return refusal(answer.error, meta, answer.operation, {});
  }
}

/** A call that no decision was made about. */
export function meshError(error: AppError, meta: MeshRequestMeta): Response {
  return refusal(error, meta, undefined, {});
}

/** What the key's operation came to: its result, or the refusal that is its answer for good. */
function settled(
  answer: Extract<ExecuteAnswer, { readonly outcome: "executed" | "replayed" }>,
  meta: Decided,
): Response {
  const { operation, response, outcome } = answer;
  const headers = storedHeaders(answer, meta);
  delete headers["location"];
  const status = outcome === "executed" ? "processed" : "cached";
  const cachedAt =
    outcome === "replayed" && operation.completedAt ? { cached_at: operation.completedAt.toISOString() } : {};
  const { expires_at, ...data } = dataOf(status, operation, meta);
  const extension = { ...data, ...cachedAt, expires_at };
  const view = keptRefusal(response, operation.operationId);
  if (view !== undefined) {
    neverRetry(headers);
    return envelope(200, headers, meta, { result: null, errors: [errorOf(view, meta)] }, extension);
  }
  return envelope(200, headers, meta, { result: resultOf(membersOf(response.body)) }, extension);
}

/** An answer without a body (204, 202) has none. */
function membersOf(body: Buffer): Members {
  return body.length === 0 ? {} : (JSON.parse(body.toString()) as Members);
}

/** The members of the HTTP answer, and the names that the mesh has for its ids. */
function resultOf(body: Members): Members {
  return {
    ...(body["refundId"] !== undefined && { refund_id: body["refundId"] }),
    ...(body["paymentId"] !== undefined && { charge_id: body["paymentId"] }),
    ...body,
  };
}

function refusal(
  error: AppError,
  meta: MeshRequestMeta,
  operation: OperationFacts | undefined,
  own: { readonly error?: Members; readonly data?: Members | undefined },
): Response {
  const headers = refusalHeaders(error, meta, operation);
  const view = own.error ?? errorOf(errorViewOf(error, meta, operation), meta);
  return envelope(error.status, headers, meta, { result: null, errors: [view] }, own.data);
}

function errorOf(view: ErrorView, meta: MeshRequestMeta): Members {
  const details = {
    ...(meta.key !== undefined && { key: meta.key }),
    ...(view.operation && snakeMembers(view.operation)),
    ...snakeMembers(view.extensions),
    ...(view.retryAfter !== undefined && { retry_after: inSeconds(view.retryAfter) }),
  };
  return { code: meshName(view.code), message: view.message, retryable: view.retryable, details };
}

function dataOf(status: string, operation: OperationFacts, meta: Decided): Record<string, unknown> {
  return { key: meta.key, status, ...originalOf(meta), expires_at: operation.expiresAt.toISOString() };
}

function originalOf({ firstRequestId }: Decided): Members {
  return firstRequestId === undefined ? {} : { original_request_id: firstRequestId };
}

/** Told only to the client that sent them first: the hash has no secret in it, so others could guess an amount from it. */
function hashOf(original: string | undefined): Members {
  return original === undefined ? {} : { original_arguments_hash: original };
}

function envelope(
  status: number,
  headers: HeaderRecord,
  meta: MeshRequestMeta,
  members: Members,
  data?: Members,
): Response {
  const body = {
    protocol: PROTOCOL,
    id: meta.id,
    ...members,
    ...(data && { extensions: [{ urn: IDEMPOTENCY_URN, data }] }),
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, ...baseHeaders(meta), "content-type": "application/json" },
  });
}
