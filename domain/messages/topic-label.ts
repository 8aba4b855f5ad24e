/** Topics of merchants' endpoints are `webhook:<endpoint id>`. */
const WEBHOOK = "webhook:";
const WEBHOOK_TOPIC = /webhook:[0-9a-f]{8}-[0-9a-f-]{27}/g;
const NAMED = "webhook to ";
/** Of an endpoint's path: enough to tell two of one host apart. The rest may be a secret of theirs, and is left out. */
const PATH_CHARS = 14;

export function isWebhookTopic(topic: string): boolean {
  return topic.startsWith(WEBHOOK);
}

/**
 * @param url of the endpoint that the topic belongs to, when there is one
 * @returns the name of a topic for people: "payments", "webhook to shop.example/hooks"; never its query
 */
export function topicLabel(topic: string, url?: string | null): string {
  if (!topic.startsWith(WEBHOOK)) return topic;
  if (url === undefined || url === null || !URL.canParse(url))
    return `${NAMED}${topic.slice(WEBHOOK.length, WEBHOOK.length + 8)}…`;
  const { host, pathname } = new URL(url);
  const path = pathname === "/" ? "" : pathname;
  return `${NAMED}${host}${path.length > PATH_CHARS ? `${path.slice(0, PATH_CHARS - 1)}…` : path}`;
}

/** "to payments", "by webhook to shop.example/hooks": how a message leaves, behind "on the way". @param label as `topicLabel` says it */
export function wayTo(label: string): string {
  return label.startsWith(NAMED) ? `by ${label}` : `to ${label}`;
}

/** @param label as `topicLabel` says it @returns how a sentence begins with it: a topic's own name is written as it is */
export function atStart(label: string): string {
  return label.startsWith(NAMED) ? label.replace(/^./, (first) => first.toUpperCase()) : label;
}

/** @returns the text with every endpoint's topic in it by its name */
export function withTopicLabels(text: string, labelOf: (topic: string) => string): string {
  return text.replace(WEBHOOK_TOPIC, (topic) => labelOf(topic));
}
