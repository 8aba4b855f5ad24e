import type { OnceboardError } from "./errors";
import type { PendingAction } from "./pending-store";
import type { AttemptRecord } from "./retry-log";
import type { Answer } from "./send";

/** For logs and metrics. A hook that throws changes nothing: the action goes on. Never log the key as it is. */
export interface Hooks {
  /** After each attempt, whatever it brought. */
  readonly onAttempt?: (record: AttemptRecord, action: PendingAction) => void;
  /** Before each wait. */
  readonly onRetry?: (retry: Retry, action: PendingAction) => void;
  /** At the end, answered or not. */
  readonly onSettled?: (settled: Settled, action: PendingAction) => void;
}

export interface Retry {
  /** Waited until the next attempt, ms. */
  readonly delayMs: number;
  readonly after: AttemptRecord;
}

/** Either `answer` or `error` is there; `error.pending` says that the key is kept and the outcome is not known. */
export interface Settled {
  readonly answer?: Answer;
  readonly error?: OnceboardError;
  /** The outcome is known but the store did not forget the key: it will be asked for once more. */
  readonly storeError?: unknown;
}

export function callHook(hook: () => void): void {
  try {
    hook();
  } catch {
    // A broken log must not cost a payment.
  }
}
