import { topicLabel } from "@/domain/messages/topic-label";
import type { RouteTransport } from "@/domain/messages/topic-route";
import { alertCarrier, MAIL_TOPIC, WEBHOOK_TOPIC_PREFIX } from "./transports/transports";
import type { TransportName } from "./transport";

/** What this deployment can send by. */
export interface Deployment {
  /** OUTBOX_TRANSPORT. */
  readonly fallback: RouteTransport;
  /** Transports that are configured. */
  readonly offered: readonly RouteTransport[];
  /** WEBHOOK_ALLOW_PRIVATE: destinations over HTTP may be plain http and addresses inside. */
  readonly allowPrivate?: boolean;
}

/** @returns what can carry a topic here, from the configuration of the process. */
export function deploymentOf(config: {
  readonly outboxTransport: RouteTransport;
  readonly natsUrl: string | undefined;
  readonly rabbitmqUrl: string | undefined;
  readonly kafkaUrl: string | undefined;
  readonly webhookAllowPrivate: boolean;
}): Deployment {
  const offered: RouteTransport[] = ["http"];
  if (config.natsUrl !== undefined) offered.push("nats");
  if (config.rabbitmqUrl !== undefined) offered.push("rabbitmq");
  if (config.kafkaUrl !== undefined) offered.push("kafka");
  return { fallback: config.outboxTransport, offered, allowPrivate: config.webhookAllowPrivate };
}

/** Mail, merchants' webhooks and alerts have a way of their own: no operator chooses it. */
export function hasOwnWay(topic: string): boolean {
  return topic === MAIL_TOPIC || topic.startsWith(WEBHOOK_TOPIC_PREFIX) || alertCarrier(topic) !== undefined;
}

/** @returns what carries a topic; the same choice as the relay makes. */
export function carrierOf(topic: string, chosen: string | null | undefined, fallback: string): TransportName {
  if (topic === MAIL_TOPIC) return "mail";
  if (topic.startsWith(WEBHOOK_TOPIC_PREFIX)) return "http";
  return alertCarrier(topic) ?? ((chosen ?? fallback) as TransportName);
}

/** @returns where a topic goes without a destination of its own, in words. */
export function otherwiseOf(topic: string, transport: string): string {
  if (topic === MAIL_TOPIC) return "the mail server of the deployment";
  if (topic.startsWith(WEBHOOK_TOPIC_PREFIX)) return "the endpoint's URL";
  if (alertCarrier(topic) !== undefined) return "the destination of the alerts";
  if (transport === "nats") return "a subject of the tenant and the topic";
  if (transport === "kafka") return "the topic of the deployment at Kafka";
  return transport === "rabbitmq" ? "the exchange of the deployment" : "the inbox here";
}

/** Names of topics for people, with the merchants' endpoints known by their id. */
export function topicLabels(
  endpoints: readonly { readonly id: string; readonly url: string }[],
): (topic: string) => string {
  const urls = new Map(endpoints.map(({ id, url }) => [`${WEBHOOK_TOPIC_PREFIX}${id}`, url]));
  return (topic) => topicLabel(topic, urls.get(topic));
}
