/**
 * One error type for everything a caller may be told. `certainty` says whether it may have had an effect: a *definite*
 * error surely had no effect (or surely had one and says so); an *indefinite* one may have had an effect and never becomes "failed".
 */
export type Certainty = "definite" | "indefinite";

export interface AppErrorOptions {
  readonly detail?: string;
  readonly retryable?: boolean;
  readonly certainty?: Certainty;
  /** Seconds, for `Retry-After`. */
  readonly retryAfter?: number;
  /** Extension members of the problem document: names only, never values of a body. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

export class AppError extends Error {
  readonly code: string;
  readonly status: number;
  readonly retryable: boolean;
  readonly certainty: Certainty;
  readonly retryAfter: number | undefined;
  readonly extensions: Readonly<Record<string, unknown>>;

  /**
   * @param code stable machine-readable code that clients rely on, e.g. `idempotency.key_missing`
   * @param status HTTP status 400–599
   * @param title one short sentence without values
   */
  constructor(code: string, status: number, title: string, options: AppErrorOptions = {}) {
    super(options.detail ?? title, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.status = status;
    this.title = title;
    this.retryable = options.retryable ?? false;
    this.certainty = options.certainty ?? "definite";
    this.retryAfter = options.retryAfter;
    this.extensions = options.extensions ?? {};
  }

  readonly title: string;
}

/** @returns the error itself when it is ours, else an indefinite `transient.internal` that hides the cause's text. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError("transient.internal", 503, "Something went wrong on our side", {
    detail: "It is not known whether the request took effect. Retry it, with the same idempotency key if it had one.",
    retryable: true,
    certainty: "indefinite",
    retryAfter: 1,
    cause: error,
  });
}
