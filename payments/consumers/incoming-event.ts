import { z } from "zod";
import type { InboxMessage } from "@/engine/inbox/consumer";

/** Of an event of ours as it came to the inbox, what a copy for somebody else is made of. */
export interface ConsumedEvent {
  /** Of the event, the same in every copy. */
  readonly eventid: string;
  readonly type: string;
  readonly occurredAt: string | undefined;
  /** `payment/<id>`, `account/<id>` */
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const incomingEvent = z.object({
  id: z.string().optional(),
  subject: z.string().max(300).optional(),
  time: z.string().max(40).optional(),
  occurredAt: z.string().max(40).optional(),
  data: z.record(z.string(), z.unknown()).catch({}),
});

/** Names of ids in our events' data: the one that the event is about comes first. */
const IDS: Readonly<Record<string, readonly string[]>> = {
  "refund.succeeded": ["refundId"],
  "payment.voided": ["voidId"],
  "payment.succeeded": ["paymentId"],
  "account.opened": ["accountId"],
};

/** Takes both forms: the CloudEvent of today, and what was written before there was an envelope. */
export function consumedEvent(message: InboxMessage): ConsumedEvent {
  const parsed = incomingEvent.safeParse(message.payload);
  const { id, subject, time, occurredAt, data } = parsed.success ? parsed.data : { data: {} };
  return {
    eventid: id ?? message.messageId,
    type: message.type,
    occurredAt: time ?? occurredAt,
    subject: subject ?? `operation/${message.operationId ?? message.messageId}`,
    data,
  };
}

/** @returns the id of the one effect that an event tells of; of the event itself where the effect has none. */
export function sourceIdOf(message: InboxMessage, { data, eventid }: ConsumedEvent): string {
  for (const name of IDS[message.type] ?? []) {
    const id = data[name];
    if (typeof id === "string" && id !== "") return id;
  }
  return eventid;
}
