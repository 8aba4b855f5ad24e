import type { InboxRow } from "../views/inbox";
import type { NotificationRow } from "../views/messages";
import type { LedgerRow } from "../views/operations";
import type { OutboxRow } from "../views/outbox";
import type { ShownState } from "@/domain/lists/filters";
import type { MessageSide } from "@/domain/messages/side";

/** One message with everything that is known of its cause and its effects. */
export interface MessageContext {
  /** When it was read, RFC 3339. */
  readonly at: string;
  readonly here: { readonly side: MessageSide; readonly id: string };
  /** None: it belongs to no operation, or that is purged. */
  readonly operation?: ContextOperation | undefined;
  /** Messages out of the operation, in order; at least the one that the page is about. */
  readonly outbox: readonly OutboxRow[];
  /** Messages in of the operation and with the id of the message. */
  readonly inbox: readonly InboxRow[];
  readonly ledger: readonly LedgerRow[];
  readonly notifications: readonly NotificationRow[];
}

export interface ContextOperation {
  readonly id: string;
  readonly kind: string;
  readonly state: ShownState;
  readonly client: string;
  readonly money?: string | undefined;
  readonly createdAt: string;
}

/** @returns the message that a row of the inbox is an arrival of, when it is one of ours */
export function sentBy(story: MessageContext, row: Pick<InboxRow, "messageId">): OutboxRow | undefined {
  return story.outbox.find((sent) => sent.id === row.messageId);
}

export function heldBy(story: MessageContext, sent: Pick<OutboxRow, "id">): readonly InboxRow[] {
  return story.inbox.filter((row) => row.messageId === sent.id);
}
