import { ALERT_TOPIC_PREFIX } from "@/domain/messages/topic-label";
import type { Transport, TransportName, Transports } from "../transport";

/** Topic of what goes to people. */
export const MAIL_TOPIC = "mail";
/** Topics of merchants' endpoints: `webhook:<endpoint id>`. */
export const WEBHOOK_TOPIC_PREFIX = "webhook:";

/** Alerts that leave as mail. */
const ALERT_MAIL_PREFIX = `${ALERT_TOPIC_PREFIX}email:`;

/** @returns what carries a topic of alerts; undefined for every other topic */
export function alertCarrier(topic: string): "http" | "mail" | undefined {
  if (!topic.startsWith(ALERT_TOPIC_PREFIX)) return undefined;
  return topic.startsWith(ALERT_MAIL_PREFIX) ? "mail" : "http";
}

export interface TransportParts {
  /** To our own inbox, or to the URL that an operator set. */
  readonly http: Transport;
  readonly nats?: Transport | undefined;
  readonly rabbitmq?: Transport | undefined;
  readonly kafka?: Transport | undefined;
  /** Of topics that have a destination of their own, such as mail. */
  readonly ofTopics?: ReadonlyMap<string, Transport>;
  /** To merchants' endpoints. */
  readonly webhooks?: Transport | undefined;
  /** To the people of a tenant: by HTTP, and by mail for those under {@link ALERT_MAIL_PREFIX}. */
  readonly alerts?: { readonly http: Transport; readonly mail: Transport } | undefined;
}

/**
 * Chooses by topic. Mail, merchants' webhooks, alerts and the destinations of modules have a way of their own; every other topic goes as
 * an operator chose, or as the deployment says.
 *
 * @param fallback OUTBOX_TRANSPORT
 */
export function createTransports(parts: TransportParts, fallback: TransportName): Transports {
  return {
    of(topic, chosen) {
      const own = parts.ofTopics?.get(topic);
      if (own !== undefined) return own;
      if (topic === MAIL_TOPIC) return missing("mail");
      if (topic.startsWith(WEBHOOK_TOPIC_PREFIX)) return parts.webhooks ?? missing("http");
      const alert = alertCarrier(topic);
      if (alert !== undefined) return parts.alerts?.[alert] ?? missing(alert);
      const name = chosen ?? fallback;
      return (name === "mail" ? undefined : parts[name]) ?? missing(name);
    },
    async close() {
      const { http, nats, rabbitmq, kafka, webhooks, alerts, ofTopics } = parts;
      const all = [http, nats, rabbitmq, kafka, webhooks, alerts?.http, alerts?.mail, ...(ofTopics?.values() ?? [])];
      await Promise.allSettled(all.flatMap((transport) => (transport === undefined ? [] : [transport.close()])));
    },
  };
}

/** Stands where this process has no such transport: its topics rest, nothing is lost, and their page says why. */
function missing(name: TransportName): Transport {
  return {
    name,
    concurrency: 1,
    deliver: () =>
      Promise.resolve({
        kind: "unavailable",
        code: "transport.not_configured",
        reason: `This process has no transport ${name}`,
      }),
    close: () => Promise.resolve(),
  };
}
