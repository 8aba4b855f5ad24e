/** What a program that uses Onceboard did wrong; a caller of that program can mend none of it. */
export type UsageCode =
  /** The answer is a stream, or was sent by other means: only bytes can be kept for the replay. */
  | "answer.streaming"
  | "answer.sent"
  | "answer.status"
  /** It is no answer, or its body is no JSON. */
  | "answer.value"
  /** A header that no replay repeats, or that nobody could send. */
  | "answer.header"
  /** Somebody read the body before, and kept nothing of it. */
  | "request.body"
  | "command.value"
  | "operation.name"
  /** A tenant, a principal or a window that is none. */
  | "request.value";

/** Thrown at once, with the transaction taken back. */
export class UsageError extends Error {
  readonly code: UsageCode;
  constructor(code: UsageCode, message: string) {
    super(message);
    this.name = "UsageError";
    this.code = code;
  }
}
