import type { MessageSide } from "@/domain/messages/side";
import type { InboxDetail, InboxRow } from "../views/inbox";
import type { OutboxDetail, OutboxRow } from "../views/outbox";

export type AnyMessage = OutboxDetail | InboxDetail;

interface SideWords {
  readonly title: string;
  /** Where messages of this side wait. */
  readonly place: string;
  readonly places: string;
  /** When a message began, and when it was done with. */
  readonly began: string;
  readonly done: string;
  /** What was done with messages, and what never happens to a discarded one. */
  readonly count: string;
  readonly never: string;
}

export const SIDE_WORDS: Readonly<Record<MessageSide, SideWords>> = {
  outbox: {
    title: "Outbox",
    place: "Topic",
    places: "topics",
    began: "Written",
    done: "Published",
    count: "Published",
    never: "sent",
  },
  inbox: {
    title: "Inbox",
    place: "Consumer",
    places: "consumers",
    began: "Received",
    done: "Processed",
    count: "Handled",
    never: "handled",
  },
};

/** What both sides show under names of their own. */
export interface MessageBasics {
  readonly side: MessageSide;
  /** Topic or consumer, and its name for people. */
  readonly place: string;
  readonly placeLabel: string;
  /** By which sender and receiver know it. */
  readonly messageId: string;
  readonly beganAt: string;
  readonly doneAt: string | undefined;
}

export function messageBasics(row: OutboxRow | InboxRow): MessageBasics {
  if ("topic" in row) {
    const { topic, topicLabel, id, createdAt, publishedAt } = row;
    return {
      side: "outbox",
      place: topic,
      placeLabel: topicLabel,
      messageId: id,
      beganAt: createdAt,
      doneAt: publishedAt,
    };
  }
  const { consumer, messageId, receivedAt, processedAt } = row;
  return {
    side: "inbox",
    place: consumer,
    placeLabel: consumer,
    messageId,
    beganAt: receivedAt,
    doneAt: processedAt,
  };
}
