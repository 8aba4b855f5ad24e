/** The outbox is read by topic, the inbox by consumer: both are places where messages wait. */
export type MessageSide = "outbox" | "inbox";
