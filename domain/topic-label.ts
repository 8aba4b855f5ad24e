/** Topics of merchants' endpoints are `webhook:<endpoint id>`. */
const WEBHOOK = "webhook:";

/**
 * @param url of the endpoint that the topic belongs to, when there is one
 * @returns the name of a topic for people: "payments", "webhook to shop.example"
 */
export function topicLabel(topic: string, url?: string | null): string {
  if (!topic.startsWith(WEBHOOK)) return topic;
  if (url === undefined || url === null || !URL.canParse(url))
    return `webhook to ${topic.slice(WEBHOOK.length, WEBHOOK.length + 8)}…`;
  return `webhook to ${new URL(url).host}`;
}
