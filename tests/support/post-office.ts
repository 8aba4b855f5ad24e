import type { ConsumerRegistry } from "@/engine/inbox/consumer";
import { consume } from "@/engine/inbox/consume";
import type { EngineContext } from "@/engine/context";
import { receive } from "@/engine/inbox/receive";
import { relay } from "@/engine/outbox/relay";
import type { RelayResult } from "@/engine/outbox/relay-topic";
import type { OutboxDelivery, Transport } from "@/engine/outbox/transport";
import { createTransports, MAIL_TOPIC } from "@/engine/outbox/transports/transports";

/** Relay and inbox of a test, without a loop: our own events go straight into the inbox. */
export interface PostOffice {
  /** One round over all topics. */
  relayOnce(): Promise<RelayResult>;
  /** Until nothing is due any more, on either side. */
  settle(): Promise<void>;
  /** Lets what waits for a later attempt, or rests, be due now. */
  hurry(): Promise<void>;
}

export interface PostOfficeParts {
  context(): EngineContext;
  rows(text: string, ...values: unknown[]): Promise<unknown[]>;
  readonly consumers: ConsumerRegistry;
  readonly mail?: Transport | undefined;
  readonly webhooks?: Transport | undefined;
}

export function openPostOffice(parts: PostOfficeParts): PostOffice {
  const { mail, webhooks } = parts;
  const ofTopics = new Map(mail === undefined ? [] : [[MAIL_TOPIC, mail]]);
  const transports = createTransports({ http: ownInboxTransport(parts.consumers), ofTopics, webhooks }, "http");
  const relayOnce = () => relay(parts.context(), transports);
  return {
    relayOnce,
    async settle() {
      let moved: number;
      do {
        const sent = await relayOnce();
        const handled = await consume(parts.context(), parts.consumers);
        moved = sent.published + handled.processed;
      } while (moved > 0);
    },
    async hurry() {
      await parts.rows("update onceboard.outbox_messages set next_attempt_at = '-infinity' where state = 'pending'");
      await parts.rows("update onceboard.inbox_open set next_attempt_at = '-infinity'");
    },
  };
}

function ownInboxTransport(consumers: ConsumerRegistry): Transport {
  return {
    name: "http",
    concurrency: 8,
    async deliver(ctx: EngineContext, delivery: OutboxDelivery) {
      await receive(ctx, consumers, {
        source: "onceboard",
        messageId: delivery.id,
        type: delivery.type,
        payload: JSON.parse(delivery.body),
        payloadBytes: Buffer.from(delivery.body),
        headers: {},
      });
      return { kind: "acknowledged" };
    },
    close: () => Promise.resolve(),
  };
}
