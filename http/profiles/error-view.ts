import type { AppError } from "@/domain/errors";
import type { OperationFacts, StoredResponse } from "@/engine/execute/answer";
import type { RequestMeta } from "./request-meta";

export const PROBLEM_TYPE = "application/problem+json";

/** A refusal before it is rendered: everything that any profile says of it. */
export interface ErrorView {
  readonly code: string;
  readonly status: number;
  /** One short sentence. */
  readonly title: string;
  /** What it means for the caller; the title where there is nothing more to say. */
  readonly message: string;
  readonly retryable: boolean;
  readonly extensions: Readonly<Record<string, unknown>>;
  /** Seconds. */
  readonly retryAfter: number | undefined;
  readonly operation: { readonly operationId: string; readonly operationState?: string | undefined } | undefined;
  readonly occurrence: Occurrence;
}

/**
 * What makes this refusal findable. A kept one is the answer of its key for good: whatever identifies it comes from the
 * operation, so that every replay has the same bytes.
 */
export type Occurrence =
  | { readonly kind: "request"; readonly requestId: string; readonly traceId: string | undefined }
  | { readonly kind: "kept"; readonly operationId: string };

/** @param operation of the key, when there is one that may be named */
export function errorViewOf(
  error: AppError,
  meta: Pick<RequestMeta, "requestId" | "traceId">,
  operation: OperationFacts | undefined,
): ErrorView {
  const { code, status, title, message, retryable, extensions, retryAfter } = error;
  return {
    code,
    status,
    title,
    message,
    retryable,
    extensions,
    retryAfter: retryAfter === undefined ? undefined : Math.max(1, Math.ceil(retryAfter)),
    operation: operation && { operationId: operation.operationId, operationState: operation.state },
    occurrence: { kind: "request", requestId: meta.requestId, traceId: meta.traceId },
  };
}

/** Members of a kept problem document that are no extension. */
const OWN_MEMBERS = new Set(["type", "title", "status", "detail", "instance", "code", "retryable", "operationId"]);

/**
 * A refusal that is the answer of its key is kept as a problem document (payments/settlements.ts); this reads it back for
 * the other error formats.
 *
 * @returns undefined for a stored success, and for whatever is no problem document of ours
 */
export function keptRefusal(response: StoredResponse, operationId: string): ErrorView | undefined {
  if (response.status < 400 || response.headers["content-type"] !== PROBLEM_TYPE) return undefined;
  const document = parse(response.body);
  const { title, detail, code } = document;
  if (typeof title !== "string" || typeof detail !== "string" || typeof code !== "string") return undefined;
  return {
    code,
    status: response.status,
    title,
    message: detail,
    retryable: false,
    extensions: Object.fromEntries(Object.entries(document).filter(([name]) => !OWN_MEMBERS.has(name))),
    retryAfter: undefined,
    operation: { operationId },
    occurrence: { kind: "kept", operationId },
  };
}

function parse(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** What was wrong with a body, by member (http/body/validate.ts). */
export function bodyFindingsOf(view: ErrorView): readonly { readonly path: string; readonly message: string }[] {
  const errors = view.extensions["errors"];
  return Array.isArray(errors) ? (errors as readonly { path: string; message: string }[]) : [];
}
