/** Topics of messages for merchants' endpoints: `webhook:<endpoint id>`, so that each rests, is paused and is seen by itself. */
export const WEBHOOK_TOPIC = "webhook:";

export function webhookTopic(endpointId: string): string {
  return `${WEBHOOK_TOPIC}${endpointId}`;
}

/** @returns the endpoint's id, or undefined for any other topic. */
export function endpointOfTopic(topic: string): string | undefined {
  return topic.startsWith(WEBHOOK_TOPIC) ? topic.slice(WEBHOOK_TOPIC.length) : undefined;
}
