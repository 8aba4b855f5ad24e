import { v7 as uuidv7 } from "uuid";
import { webhookSubscribers } from "@/db/webhooks/endpoint-facts";
import type { Queryable } from "@/db/client";
import type { InboxMessage, TransactionalConsumer } from "@/engine/inbox/consumer";
import type { EngineContext } from "@/engine/context";
import { CLOUD_EVENTS, ENVELOPE_HEADER } from "@/engine/outbox/envelope";
import { OWN_SOURCE } from "@/engine/inbox/event-source";
import { isEventType } from "../event-types";
import { keepNotification } from "../notify";
import { MAX_ENDPOINTS } from "@/engine/outbox/webhooks/limits";
import { webhookTopic } from "@/engine/outbox/webhooks/topic";
import { consumedEvent, sourceIdOf, type ConsumedEvent } from "./events";

/**
 * Hands our events on to the merchant's endpoints: for each that wants the type, a durable notification and, when it is new,
 * the outbox message that carries a copy of the event, in the transaction of the inbox row.
 */
export const webhooksConsumer: TransactionalConsumer = {
  name: "webhooks",
  path: "transaction",
  subscribes: (source, type) => source === OWN_SOURCE && isEventType(type),
  async handle(ctx, tx, message) {
    const endpoints = await webhookSubscribers(tx, ctx.tenantId, message.type, MAX_ENDPOINTS);
    if (endpoints.length === 0) return "nobody asked";
    const event = consumedEvent(message);
    let added = 0;
    for (const endpointId of endpoints) {
      if (await handOn(ctx, tx, message, event, endpointId)) added += 1;
    }
    return added === 0 ? "kept already" : `${String(added)} ${added === 1 ? "webhook" : "webhooks"} queued`;
  },
};

/** @returns false when this endpoint has the event already. */
function handOn(
  ctx: EngineContext,
  tx: Queryable,
  message: InboxMessage,
  event: ConsumedEvent,
  endpointId: string,
): Promise<boolean> {
  const { type } = message;
  const { subject } = event;
  const note = {
    id: uuidv7(),
    notificationKey: `webhook_${endpointId}_${type}_${sourceIdOf(message, event)}`,
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
