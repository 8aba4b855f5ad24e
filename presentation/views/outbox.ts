import type { Republication } from "@/domain/messages/republish-verdict";
import type { OutboxState } from "@/domain/idempotency/states";
import type { Hint } from "@/presentation/message/safe-to-act";
import type { BodyField, MessageDetail, MessageRow, MessagesView } from "./messages";

export interface OutboxRow extends MessageRow {
  readonly state: OutboxState;
  readonly topic: string;
  /** For people: "webhook to shop.example". */
  readonly topicLabel: string;
  /** What carries it, or carried it; none when a person closed it. */
  readonly transport?: string | undefined;
  /** It carries a notification, not an event of ours. */
  readonly notification: boolean;
  readonly aggregateType: string;
  readonly aggregateId: string;
  /** Order inside the database; grows per aggregate. */
  readonly position: string;
  readonly createdAt: string;
  readonly publishedAt?: string | undefined;
  readonly publishedBy?: string | undefined;
  /** Its topic is paused. */
  readonly paused: boolean;
  /** An older message of the same aggregate that is not published yet. */
  readonly behind?: string | undefined;
  /** The message that this one was sent in place of, and the one that was sent in place of this one. */
  readonly corrects?: string | undefined;
  readonly correctedBy?: string | undefined;
}

/** With the verdict on sending it again. */
export type JudgedOutboxRow = OutboxRow & Hint;

export interface OutboxView extends MessagesView<JudgedOutboxRow> {
  readonly pending: number;
}

export interface OutboxDetail extends OutboxRow, MessageDetail {
  /** The plan that would send a corrected message in its place and waits for a second person. */
  readonly correctionPlan?: string | undefined;
  /** What is known of its receiver, where it may be corrected. */
  readonly correctionNote?: string | undefined;
  /** Earlier publications, the oldest first, of one that a person published again. */
  readonly republished: readonly Republication[];
  /** What is known of its arrival, where it may be published again. */
  readonly republishNote?: string | undefined;
  /** As the operator set it for the topic. */
  readonly destination?: string | undefined;
  /** The body as it is delivered, masked: the same on every attempt. */
  readonly envelope: readonly BodyField[];
  readonly contentType: string;
  /** Who has recorded this message id on the other side. */
  readonly consumers: readonly {
    readonly inboxId: string;
    readonly consumer: string;
    readonly state: string;
    readonly at: string;
  }[];
}
