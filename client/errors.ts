import { IN_PROGRESS, OUTCOME_UNKNOWN } from "./schedule";
import type { AttemptRecord } from "./retry-log";

export interface ClientErrorFacts {
  readonly key: string;
  readonly attempts: readonly AttemptRecord[];
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly operationId?: string | undefined;
  readonly differingFields?: readonly string[] | undefined;
  /** Milliseconds the server asked to wait, when that was longer than the budget. */
  readonly retryAfterMs?: number | undefined;
}

/** Base of all errors of this library. `pending` means: the outcome is not known, resend with the same key. */
export class OnceboardError extends Error {
  override readonly name: string = "OnceboardError";
  readonly pending: boolean = false;
  readonly facts: ClientErrorFacts;

  constructor(message: string, facts: ClientErrorFacts) {
    super(message);
    this.facts = facts;
  }

  get key(): string {
    return this.facts.key;
  }

  get status(): number | undefined {
    return this.facts.status;
  }

  get code(): string | undefined {
    return this.facts.code;
  }
}

/** The key was used before for another command; nothing ran. A new key is needed for a new command. */
export class ConflictError extends OnceboardError {
  override readonly name = "ConflictError";
}
/** A final refusal (4xx): nothing will change it, the key is used up. */
export class RefusedError extends OnceboardError {
  override readonly name = "RefusedError";
}
/** The window of the key is over: look at the operation before using a new one. */
export class KeyExpiredError extends OnceboardError {
  override readonly name = "KeyExpiredError";
}
/** 401 or 403. It says nothing about the action, so the action stays pending. */
export class AuthError extends OnceboardError {
  override readonly name = "AuthError";
  override readonly pending = true;
}
/** Another request with this key still runs. */
export class InProgressError extends OnceboardError {
  override readonly name = "InProgressError";
  override readonly pending = true;
}
/** The provider may have acted; the server finds out and sends nothing again meanwhile. */
export class OutcomeUnknownError extends OnceboardError {
  override readonly name = "OutcomeUnknownError";
  override readonly pending = true;
}
/** The budget is used up on 429, 5xx or a broken network. */
export class UnavailableError extends OnceboardError {
  override readonly name = "UnavailableError";
  override readonly pending = true;
}
/** The same named action is pending with other content: resume or forget it first. */
export class PendingActionError extends OnceboardError {
  override readonly name = "PendingActionError";
  override readonly pending = true;
}

/** @returns the typed error for the last answer of an action; no status means that none came. */
export function errorFor(detail: string, facts: ClientErrorFacts): OnceboardError {
  const { status, code } = facts;
  if (status === undefined || status === 408 || status === 429 || status >= 500 || status < 400)
    return new UnavailableError(detail, facts);
  if (code === IN_PROGRESS) return new InProgressError(detail, facts);
  if (code === OUTCOME_UNKNOWN) return new OutcomeUnknownError(detail, facts);
  if (code === "idempotency.payload_mismatch") return new ConflictError(detail, facts);
  if (status === 410 || code === "idempotency.key_expired") return new KeyExpiredError(detail, facts);
  if (status === 401 || status === 403) return new AuthError(detail, facts);
  return new RefusedError(detail, facts);
}
