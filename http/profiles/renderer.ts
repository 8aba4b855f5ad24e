import type { AppError } from "@/domain/errors";
import type { ExecuteAnswer, OperationFacts, StoredResponse } from "@/engine/execute/answer";
import { baseHeaders, type HeaderRecord, neverRetry, operationHeaders, refusalHeaders, storedHeaders } from "./headers";
import { refusalOf } from "./refusal-of";
import { keptRefusal, errorViewOf, type ErrorView } from "./error-view";
import type { RequestMeta } from "./request-meta";
import type { OperationPolicy } from "@/domain/idempotency/policy";

/** What one profile says differently: how a refusal looks. Everything else is the same in all of them. */
export interface Renderer {
  /** Content-Type of a refusal. */
  readonly errorType: string;
  /** Status of a refusal, where the renderer has its own. */
  status?(view: ErrorView): number;
  /** Headers beside the common ones. */
  headers?(view: ErrorView): HeaderRecord;
  /** Written as JSON. The same refusal of an operation that is kept must give the same bytes every time. */
  body(view: ErrorView): unknown;
}

/** A Response of such a status takes no body, not even an empty one. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

type Stored = Extract<ExecuteAnswer, { readonly outcome: "executed" | "replayed" }>;

/** Renders the engine's decisions and makes none. */
export function createProfile(renderer: Renderer) {
  return {
    answer(answer: ExecuteAnswer, policy: Pick<OperationPolicy, "mismatchStatus">, meta: RequestMeta): Response {
      switch (answer.outcome) {
        case "executed":
        case "replayed":
          return stored(renderer, answer, meta);
        default:
          return answer.outcome === "in_progress" && answer.mode === "accepted" && answer.operation !== undefined
            ? acceptedAnswer(answer.operation, answer.retryAfterSeconds, meta)
            : refusal(renderer, refusalOf(answer, policy), meta, answer.operation);
      }
    },
    error: (error: AppError, meta: RequestMeta): Response => refusal(renderer, error, meta, undefined),
  };
}

/** The bytes of the first answer, and around them what is true of this one. */
function stored(renderer: Renderer, answer: Stored, meta: RequestMeta): Response {
  const { response, operation } = answer;
  const headers = storedHeaders(answer, meta);
  if (response.status < 400) {
    return meta.minimal ? minimal(response.status, headers) : asStored(response, headers);
  }
  // A refusal that is kept is the answer for good.
  neverRetry(headers);
  const isRendered = response.headers["content-type"] === renderer.errorType;
  const view = isRendered ? undefined : keptRefusal(response, operation.operationId);
  return view === undefined ? asStored(response, headers) : rendered(renderer, view, headers);
}

function asStored({ status, body }: StoredResponse, headers: HeaderRecord): Response {
  return new Response(WITHOUT_BODY.has(status) ? null : bytesOf(body), { status, headers });
}

function minimal(status: number, headers: HeaderRecord): Response {
  delete headers["content-type"];
  headers["preference-applied"] = "return=minimal";
  return new Response(null, { status, headers });
}

function refusal(
  renderer: Renderer,
  error: AppError,
  meta: RequestMeta,
  operation: OperationFacts | undefined,
): Response {
  const headers = refusalHeaders(error, meta, operation);
  return rendered(renderer, errorViewOf(error, meta, operation), headers);
}

function rendered(renderer: Renderer, view: ErrorView, headers: HeaderRecord): Response {
  Object.assign(headers, renderer.headers?.(view), { "content-type": renderer.errorType });
  return new Response(JSON.stringify(renderer.body(view)), { status: renderer.status?.(view) ?? view.status, headers });
}

/** The memory behind a Buffer may be shared with others; a Response wants exactly these bytes. */
function bytesOf(body: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.byteLength);
}

/**
 * The first request of the key is still at work, and its operation answers such retries with 202 and where to look.
 * No refusal, so it looks the same in every profile.
 */
function acceptedAnswer(operation: OperationFacts, retryAfterSeconds: number, meta: RequestMeta): Response {
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
