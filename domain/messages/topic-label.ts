/** Topics of merchants' endpoints are `webhook:<endpoint id>`. */
const WEBHOOK = "webhook:";
const WEBHOOK_TOPIC = /webhook:[0-9a-f]{8}-[0-9a-f-]{27}/g;
const NAMED = "webhook to ";
/** Topics of alerts are `alert:<kind>:<destination id>`. */
export const ALERT_TOPIC_PREFIX = "alert:";
const ALERT_PLACES: Readonly<Record<string, string>> = {
  slack: "alerts to Slack",
  pagerduty: "alerts to PagerDuty",
  email: "alerts by e-mail",
};
const ID_CHARS = 8;
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
  if (topic.startsWith(ALERT_TOPIC_PREFIX)) return alertLabel(topic);
  if (!topic.startsWith(WEBHOOK)) return topic;
  if (url === undefined || url === null || !URL.canParse(url))
    return `${NAMED}${topic.slice(WEBHOOK.length, WEBHOOK.length + 8)}…`;
  const { host, pathname } = new URL(url);
  const path = pathname === "/" ? "" : pathname;
  return `${NAMED}${host}${path.length > PATH_CHARS ? `${path.slice(0, PATH_CHARS - 1)}…` : path}`;
}

/** "alerts to Slack, …89ab4567": several of one kind are told apart by the last digits of their ids, which differ. */
function alertLabel(topic: string): string {
  const [, kind = "", id = ""] = topic.split(":");
  const place = ALERT_PLACES[kind];
  return place === undefined ? topic : `${place}, …${id.slice(-ID_CHARS)}`;
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
