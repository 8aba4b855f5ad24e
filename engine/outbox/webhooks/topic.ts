import { WEBHOOK_TOPIC_PREFIX } from "@/engine/outbox/transports/transports";

/** @returns the topic of messages for a merchant's endpoint: each rests, is paused and is seen by itself */
export function webhookTopic(endpointId: string): string {
  return `${WEBHOOK_TOPIC_PREFIX}${endpointId}`;
}

/** @returns the endpoint's id, or undefined for any other topic */
export function endpointOfTopic(topic: string): string | undefined {
  return topic.startsWith(WEBHOOK_TOPIC_PREFIX) ? topic.slice(WEBHOOK_TOPIC_PREFIX.length) : undefined;
}
