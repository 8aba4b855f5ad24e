import { newId } from "@/domain/new-id";
import { z } from "zod";
import type { Queryable } from "@/db/client";
import { webhookSubscribers } from "@/db/webhooks/endpoint-facts";
import type { EngineContext } from "../../context";
import type { InboxMessage, TransactionalConsumer } from "../../inbox/consumer";
import { OWN_SOURCE } from "../../inbox/event-source";
import { CLOUD_EVENTS, ENVELOPE_HEADER } from "../envelope";
import { keepNotification } from "../notification";
import { MAX_ENDPOINTS } from "./limits";
import { webhookTopic } from "./topic";

export const WEBHOOKS_CONSUMER = "webhooks";

/** What modules say of the events that they publish; see engine/module/module.ts. */
export type PublishedEvents = Readonly<Record<string, { readonly effectId?: string }>>;

/**
 * Hands our events on to the merchant's endpoints: for each that wants the type, a durable notification and, when it is new,
 * the outbox message that carries a copy of the event, in the transaction of the inbox row.
 */
export function webhooksConsumer(events: PublishedEvents): TransactionalConsumer {
  return {
    name: WEBHOOKS_CONSUMER,
    path: "transaction",
    subscribes: (source, type) => source === OWN_SOURCE && Object.hasOwn(events, type),
    async handle(ctx, tx, message) {
      const endpoints = await webhookSubscribers(tx, ctx.tenantId, message.type, MAX_ENDPOINTS);
      if (endpoints.length === 0) return "nobody asked";
      const event = consumedEvent(message);
      const sourceId = sourceIdOf(event, events[message.type]?.effectId);
      let added = 0;
      for (const endpointId of endpoints) {
        if (await handOn(ctx, tx, message, { event, sourceId, endpointId })) added += 1;
      }
      return added === 0 ? "kept already" : `${String(added)} ${added === 1 ? "webhook" : "webhooks"} queued`;
    },
  };
}

/** An event of ours as it came to the inbox, what a copy for somebody else is made of. */
interface ConsumedEvent {
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

/** Takes both forms: the CloudEvent of today, and what was written before there was an envelope. */
function consumedEvent(message: InboxMessage): ConsumedEvent {
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
function sourceIdOf({ data, eventid }: ConsumedEvent, member: string | undefined): string {
  const id = member === undefined ? undefined : data[member];
  return typeof id === "string" && id !== "" ? id : eventid;
}

/** @returns false when this endpoint has the event already. */
function handOn(
  ctx: EngineContext,
  tx: Queryable,
  message: InboxMessage,
  { event, sourceId, endpointId }: Readonly<Record<"sourceId" | "endpointId", string>> & { event: ConsumedEvent },
): Promise<boolean> {
  const { type } = message;
  const { subject } = event;
  const note = {
    id: newId(),
    notificationKey: `webhook_${endpointId}_${type}_${sourceId}`,
    kind: "webhook",
    detail: { endpointId, type, subject },
  } as const;
  return keepNotification(ctx, tx, message, note, {
    // One line per endpoint and aggregate: its events arrive there in order, and a merchant who is away holds up nobody else.
    aggregateType: webhookTopic(endpointId),
    aggregateId: subject,
    topic: webhookTopic(endpointId),
    type,
    payload: { ...event, tenant: ctx.tenantId },
    headers: { [ENVELOPE_HEADER]: CLOUD_EVENTS },
  });
}
