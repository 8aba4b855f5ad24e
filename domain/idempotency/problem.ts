import type { AppError } from "../errors";

/** `application/problem+json` (RFC 9457) with the members that our clients rely on. */
export interface ProblemDocument {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly retryable: boolean;
  readonly [extension: string]: unknown;
}

/** Where a code is explained; relative, so that it holds behind any host name. */
const TYPE_BASE = "/api/v1/docs#error-";

/**
 * @param instance what this occurrence is: `urn:onceboard:operation:<id>` for a kept refusal, so that every replay has the
 *   same bytes, or the request's urn otherwise
 */
export function problemDocument(
  error: Pick<AppError, "code" | "status" | "title" | "message" | "retryable" | "extensions">,
  instance: string,
  extensions: Readonly<Record<string, unknown>> = {},
): ProblemDocument {
  return {
    type: TYPE_BASE + error.code.replaceAll(".", "-"),
    title: error.title,
    status: error.status,
    detail: error.message,
    instance,
    code: error.code,
    retryable: error.retryable,
    ...error.extensions,
    ...extensions,
  };
}

export function operationUrn(operationId: string): string {
  return `urn:onceboard:operation:${operationId}`;
}
