/** What an operator may choose for a topic. Mail and merchants' webhooks have a way of their own. */
export const ROUTE_TRANSPORTS = ["http", "nats", "rabbitmq", "kafka"] as const;
export type RouteTransport = (typeof ROUTE_TRANSPORTS)[number];

/** Names that a topic may have; the rest is somebody's mistake. */
const TOPIC = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,199}$/;
export const DESTINATION_MAX = 500;
const NAME_MAX = 255;
const SUBJECT = /^(?!\$)[^\s.*>]+(?:\.[^\s.*>]+)*$/;
/** A topic of Kafka. */
const KAFKA = /^(?!\.{1,2}$)[\w.-]{1,249}$/;
const EXCHANGE = /^[\w.:-]+$/;

export function isTopicName(name: string): boolean {
  return TOPIC.test(name);
}

/** @returns why a destination cannot be used by a transport, as a sentence; undefined when it can */
export function routeProblem(transport: RouteTransport, destination: string): string | undefined {
  const most = transport === "http" ? DESTINATION_MAX : NAME_MAX;
  if (destination.length > most) return `A destination of this transport has at most ${String(most)} characters.`;
  switch (transport) {
    case "http":
      return urlProblem(destination);
    case "nats":
      return SUBJECT.test(destination)
        ? undefined
        : "A destination for NATS is a full subject, like events.payments, without wildcards or a $ at its beginning.";
    case "kafka":
      return KAFKA.test(destination)
        ? undefined
        : "A destination for Kafka is the name of a topic: at most 249 letters, digits, dots, dashes and underscores.";
    case "rabbitmq":
      return EXCHANGE.test(destination)
        ? undefined
        : "A destination for RabbitMQ is the name of an exchange: letters, digits, dot, colon, dash, underscore.";
  }
}

function urlProblem(destination: string): string | undefined {
  const wrong = "A destination for HTTP is a whole URL that begins with https:// or http://.";
  if (!URL.canParse(destination)) return wrong;
  const url = new URL(destination);
  if (url.protocol !== "http:" && url.protocol !== "https:") return wrong;
  if (url.username !== "" || url.password !== "") return "A destination must not hold a user or a password.";
  return url.hash === "" ? undefined : "A destination must not have a fragment.";
}
