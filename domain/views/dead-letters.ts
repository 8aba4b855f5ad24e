import type { ActionView } from "./common";

export interface DeadLettersView {
  readonly at: string;
  /** Open dead letters, exact. */
  readonly open: number;
  readonly groups: readonly DeadLetterGroup[];
  /** True: more groups than are shown. */
  readonly more: boolean;
  readonly requeue: ActionView;
}

/** Dead letters of one error at one place. */
export interface DeadLetterGroup {
  readonly fingerprint: string;
  readonly side: "outbox" | "inbox";
  readonly place: string;
  readonly errorCode: string;
  readonly error: string;
  readonly count: number;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly types: readonly string[];
  /** Newest first, at most DEAD_LETTERS_PER_GROUP. */
  readonly rows: readonly DeadLetterRow[];
}

export interface DeadLetterRow {
  readonly id: string;
  readonly side: "outbox" | "inbox";
  /** Id of the outbox or inbox row. */
  readonly messageId: string;
  readonly place: string;
  readonly type: string;
  readonly operationId?: string | undefined;
  readonly errorCode: string;
  readonly error: string;
  readonly attempts: number;
  readonly deadAt: string;
  readonly requeuedAt?: string | undefined;
  readonly requeuedBy?: string | undefined;
}
