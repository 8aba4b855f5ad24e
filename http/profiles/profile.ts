import type { AppError } from "@/domain/errors";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import type { Answer } from "@/engine/execute/answer";

/** What a profile needs to know of a request besides the decision. */
export interface Asked {
  readonly requestId: string;
  /** Of the caller's `traceparent` when there is a good one, or of our own trace while spans are exported. */
  readonly traceId: string | undefined;
  /** The key as it was sent; absent where none was needed or none was good. */
  readonly keyEcho: string | undefined;
  /** `Prefer: return=minimal`: the body of a success is left out, on the first answer and on every replay. */
  readonly minimal: boolean;
}

/**
 * One dress for the engine's decisions. A profile only renders: status, headers and body of what was decided already.
 */
export interface Profile {
  answer(answer: Answer, policy: Pick<OperationPolicy, "mismatchStatus">, asked: Asked): Response;
  error(error: AppError, asked: Asked): Response;
}
