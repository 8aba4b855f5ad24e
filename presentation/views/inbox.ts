import type { InboxState } from "@/domain/idempotency/states";
import type { Hint } from "@/presentation/message/safe-to-act";
import type { BodyField, MessageDetail, MessageRow, MessagesView } from "./messages";

export interface InboxRow extends MessageRow {
  readonly state: InboxState;
  readonly consumer: string;
  readonly source: string;
  readonly messageId: string;
  readonly receivedAt: string;
  readonly processedAt?: string | undefined;
  readonly result?: string | undefined;
  readonly duplicates: number;
  /** Same id, other payload: flagged, never handled. */
  readonly mismatches: number;
  /** Handled in a transaction of its own: it failed, was too slow, or ended its process once. */
  readonly alone: boolean;
}

/** With the verdict on handling it again. */
export type JudgedInboxRow = InboxRow & Hint;

export interface InboxView extends MessagesView<JudgedInboxRow> {
  readonly recorded: number;
}

export interface InboxDetail extends InboxRow, MessageDetail {
  readonly payloadHash: string;
  readonly payload: readonly BodyField[];
  readonly arrivals: readonly ArrivalRow[];
  /** The message on the sending side, when it is one of ours. */
  readonly outbox?: { readonly id: string; readonly state: string } | undefined;
}

export interface ArrivalRow {
  readonly at: string;
  readonly outcome: "recorded" | "duplicate" | "mismatch";
  readonly payloadHash: string;
  readonly requestId?: string | undefined;
}
