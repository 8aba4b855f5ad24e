import type { DeadLetterRow } from "./dead-letters";
import type { InboxState } from "@/domain/states";
import type { ActionView, Listed, VerdictView } from "./common";

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
}

export interface InboxView {
  readonly list: Listed<InboxRow>;
  readonly verdict: VerdictView;
  readonly recorded: number;
  readonly dead: number;
  readonly oldestMs?: number | undefined;
}

export interface InboxDetail extends InboxRow {
  readonly at: string;
  readonly error?: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
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
