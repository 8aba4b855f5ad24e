import type { DeadLetterRow } from "./dead-letters";
import type { Hint } from "@/presentation/message/safe-to-act";
import type { InboxState } from "@/domain/idempotency/states";
import type { ActionView, Listed, VerdictView } from "./common";
import type { MessageCommon } from "./messages";
import type { PlacesView } from "./places";

export interface InboxRow {
  readonly id: string;
  readonly consumer: string;
  readonly source: string;
  readonly messageId: string;
  readonly type: string;
  readonly state: InboxState;
  readonly operationId?: string | undefined;
  readonly receivedAt: string;
  readonly ageMs: number;
  readonly processedAt?: string | undefined;
  /** From received to processed. */
  readonly lagMs?: number | undefined;
  readonly result?: string | undefined;
  readonly duplicates: number;
  /** Same id, other payload: flagged, never handled. */
  readonly mismatches: number;
  readonly attempts: number;
  /** Started attempts that never ended: this message stops its process. */
  readonly unfinished: number;
  readonly maxAttempts: number;
  readonly nextAttemptAt?: string | undefined;
  readonly owner?: string | undefined;
  readonly lockedUntil?: string | undefined;
  readonly errorCode?: string | undefined;
  readonly error?: string | undefined;
  /** Handled in a transaction of its own: it failed, was too slow, or ended its process once. */
  readonly alone: boolean;
}

/** With the verdict on handling it again. */
export type JudgedInboxRow = InboxRow & Hint;

export interface InboxView {
  readonly list: Listed<JudgedInboxRow>;
  readonly verdict: VerdictView;
  readonly recorded: number;
  readonly dead: number;
  readonly oldestMs?: number | undefined;
  /** Undefined: they could not be counted in time. */
  readonly places?: PlacesView | undefined;
}

export interface InboxDetail extends InboxRow, Hint, MessageCommon {
  readonly at: string;
  readonly payloadHash: string;
  readonly payload: readonly { readonly name: string; readonly value: string; readonly masked: boolean }[];
  readonly arrivals: readonly ArrivalRow[];
  readonly deadLetters: readonly DeadLetterRow[];
  /** The message on the sending side, when it is one of ours. */
  readonly outbox?: { readonly id: string; readonly state: string } | undefined;
  readonly actions: readonly ActionView[];
}

export interface ArrivalRow {
  readonly at: string;
  readonly outcome: "recorded" | "duplicate" | "mismatch";
  readonly payloadHash: string;
  readonly requestId?: string | undefined;
}
