import type { BrokerName } from "@/engine/inbox/brokers/broker-message";
import { startBrokerSubscriptions } from "@/engine/inbox/brokers/subscriptions";
import type { Subscription } from "@/engine/inbox/brokers/subscription";
import { createKafkaTransport } from "@/engine/outbox/transports/kafka";
import { createNatsTransport } from "@/engine/outbox/transports/nats";
import { createRabbitmqTransport } from "@/engine/outbox/transports/rabbitmq";
import type { Signer } from "@/engine/outbox/transports/sign";
import type { TransportParts } from "@/engine/outbox/transports/transports";
import type { Loop, WorkerDeps } from "./deps";

/** How often a subscription says that it is alive; its messages do not wait for it. */
const BEAT_MS = 5_000;

/** @returns a transport for each broker that has a URL; nothing connects before a message is sent */
export function brokerTransports(config: WorkerDeps["config"], signer: Signer): Pick<TransportParts, BrokerName> {
  const { natsUrl, rabbitmqUrl, kafkaUrl } = config;
  return {
    nats: natsUrl === undefined ? undefined : createNatsTransport({ url: natsUrl, signer }),
    rabbitmq: rabbitmqUrl === undefined ? undefined : createRabbitmqTransport({ url: rabbitmqUrl, signer }),
    kafka: kafkaUrl === undefined ? undefined : createKafkaTransport({ url: kafkaUrl, signer }),
  };
}

export type Brokers = ReturnType<typeof startBrokers>;

/** One loop a broker: what came from it since the last tick, and an error while it is not reached. */
export function startBrokers({ engine: base, config, modules: { consumers } }: WorkerDeps) {
  const { natsUrl, rabbitmqUrl, kafkaUrl } = config;
  const subscriptions = startBrokerSubscriptions({ base, consumers, natsUrl, rabbitmqUrl, kafkaUrl });
  return { loops: subscriptions.all.map(beating), stop: () => subscriptions.stop() };
}

function beating(subscription: Subscription): Loop {
  return {
    name: `broker-${subscription.broker}`,
    intervalMs: BEAT_MS,
    // What it throws is a failed tick.
    tick: () => Promise.resolve().then(() => ({ ...subscription.take() })),
    busy: () => false,
  };
}
