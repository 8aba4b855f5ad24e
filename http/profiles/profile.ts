import type { AppError } from "@/domain/errors";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import type { ExecuteAnswer } from "@/engine/execute/answer";

/** What a profile needs to know of a request besides the decision. */
export interface RequestMeta {
  readonly requestId: string;
  /** Of the caller's `traceparent` when there is a good one, or of our own trace while spans are exported. */
  readonly traceId: string | undefined;
  /** The key as it was sent; absent where none was needed or none was good. */
  readonly keyEcho: string | undefined;
  /** `Prefer: return=minimal`: the body of a success is left out, on the first answer and on every replay. */
  readonly minimal: boolean;
}

/**
 * One way to render the engine's decisions. A profile only renders: status, headers and body of what was decided already.
 */
export interface ErrorProfile {
  answer(answer: ExecuteAnswer, policy: Pick<OperationPolicy, "mismatchStatus">, meta: RequestMeta): Response;
  error(error: AppError, meta: RequestMeta): Response;
}
