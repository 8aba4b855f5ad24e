import { GONE_CODES } from "./read-facts";
import { canRecover, IN_PROGRESS, isSuccess, KEY_EXPIRED, MISMATCH, OUTCOME_UNKNOWN } from "./schedule";
import type { AttemptRecord } from "./retry-log";
import type { ClientRequest, Tried } from "./try-once";

export interface ClientErrorFacts {
  /** Absent for a read, which needs none. */
  readonly key?: string | undefined;
  readonly attempts: readonly AttemptRecord[];
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly operationId?: string | undefined;
  readonly differingFields?: readonly string[] | undefined;
  /** Milliseconds the server asked to wait, when that was longer than the budget. */
  readonly retryAfterMs?: number | undefined;
  /** Parsed body of the last answer. */
  readonly body?: unknown;
  /** The outcome is not known and the key is kept. */
  readonly pending: boolean;
}

/**
 * Base of all errors of this library. `pending` means: the outcome is not known, and the key is kept in the store. Go on with
 * the same key (`resume()`, or the same named action), never with a new one.
 */
export class OnceboardError extends Error {
  override readonly name: string = "OnceboardError";
  readonly facts: ClientErrorFacts;

  constructor(message: string, facts: ClientErrorFacts) {
    super(message);
    this.facts = facts;
  }

  get pending(): boolean {
    return this.facts.pending;
  }

  get key(): string | undefined {
    return this.facts.key;
  }

  get status(): number | undefined {
    return this.facts.status;
  }

  get code(): string | undefined {
    return this.facts.code;
  }

  get operationId(): string | undefined {
    return this.facts.operationId;
  }

  get attempts(): readonly AttemptRecord[] {
    return this.facts.attempts;
  }
}

/** The key was used before for another command; this one did not run. It needs a key of its own, if it is meant. */
export class ConflictError extends OnceboardError {
  override readonly name = "ConflictError";
}
/**
 * Refused (4xx). Usually final, and its key forgotten. `pending` only where an earlier attempt may have acted and what
 * refused this one did not look at the key.
 */
export class RefusedError extends OnceboardError {
  override readonly name = "RefusedError";
}
/** The window of the key is over. Look at the operation first; then `forget(key)`, and act anew only if it never ran. */
export class KeyExpiredError extends OnceboardError {
  override readonly name = "KeyExpiredError";
}
/** The operation is settled and ran once, but its answer is not kept any more: read its result by `operationId`. */
export class AnswerGoneError extends OnceboardError {
  override readonly name = "AnswerGoneError";
}
/** 401 or 403. It says nothing about the action, so the action stays pending. */
export class AuthError extends OnceboardError {
  override readonly name = "AuthError";
}
/** The same named action, or key, is pending with other content: `resume()` or `forget(key)` first. */
export class PendingActionError extends OnceboardError {
  override readonly name = "PendingActionError";
}
/** A read that the budget was too short for. */
export class UnavailableError extends OnceboardError {
  override readonly name = "UnavailableError";
}

export type UnknownReason =
  /** Nothing came back, in time or at all, or nothing that can be read. */
  | "timeout"
  | "network"
  | "unreadable"
  /** The first request of this key still runs, or the server itself does not know yet. */
  | "in_progress"
  | "outcome_unknown"
  /** 429; 408 and 5xx; a redirect, which is not followed. */
  | "rate_limited"
  | "unavailable"
  | "redirected"
  /** The caller gave up. */
  | "aborted";

/** The budget is used up, or waiting cannot help, and the outcome is unknown. The key stays the key of this action. */
export class OutcomeUnknownError extends OnceboardError {
  override readonly name = "OutcomeUnknownError";
  readonly reason: UnknownReason;

  constructor(message: string, facts: ClientErrorFacts & { readonly key: string }, reason: UnknownReason) {
    super(message, facts);
    this.reason = reason;
  }

  override get key(): string {
    return this.facts.key ?? "";
  }
}

/** @returns the typed error for the last attempt of an exchange. @param settled its key may be forgotten */
export function errorFor(
  tried: Tried,
  exchange: ClientRequest,
  attempts: readonly AttemptRecord[],
  settled: boolean,
): OnceboardError {
  const { key } = exchange;
  const pending = key !== undefined && !settled;
  if (tried.kind === "silent") {
    const facts = { key, attempts, status: tried.status, pending };
    return unknown(`No answer: ${tried.notes}.`, facts, tried.reason);
  }
  const { status, code, operationId, differingFields, retryAfterMs } = tried.facts;
  const facts = { key, attempts, status, code, operationId, differingFields, retryAfterMs, body: tried.body, pending };
  const detail = tried.facts.detail ?? `The server answered ${String(status)}.`;
  const reason = reasonOf(tried);
  if (reason !== undefined) return unknown(detail, facts, reason);
  if (code === MISMATCH) return new ConflictError(detail, facts);
  if (GONE_CODES.includes(code)) return new AnswerGoneError(detail, facts);
  if (code === KEY_EXPIRED || status === 410) return new KeyExpiredError(lookFirst(detail, operationId), facts);
  if (status === 401 || status === 403) return new AuthError(detail, facts);
  return new RefusedError(detail, facts);
}

function unknown(detail: string, facts: ClientErrorFacts, reason: UnknownReason): OnceboardError {
  const { key } = facts;
  if (key === undefined) return new UnavailableError(detail, facts);
  return new OutcomeUnknownError(
    `${detail} The outcome is not known; go on with the same key.`,
    { ...facts, key },
    reason,
  );
}

function lookFirst(detail: string, operationId: string | undefined): string {
  const what = operationId === undefined ? "whether it ran" : `at operation ${operationId}`;
  return `${detail} Look ${what} before a new key is used.`;
}

/** @returns why the outcome stays unknown, `undefined` when the answer is a refusal. */
function reasonOf({ facts }: Tried & { readonly kind: "answered" }): UnknownReason | undefined {
  const { status, code } = facts;
  if (status === 429) return "rate_limited";
  if (status === 408 || status >= 500) return "unavailable";
  if (code === OUTCOME_UNKNOWN) return "outcome_unknown";
  if (code === IN_PROGRESS) return "in_progress";
  if (status === 409 && canRecover(facts)) return "in_progress";
  // A success that did not end it is the status of an operation that was asked for.
  if (isSuccess(status)) return "in_progress";
  return status < 400 ? "redirected" : undefined;
}
