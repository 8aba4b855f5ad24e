import type { ConsumerRegistry } from "../consumer";
import type { EngineBase } from "@/engine/context";
import type { BrokerName } from "./broker-message";
import { openKafkaSession } from "./kafka-session";
import { openNatsSession } from "./nats-session";
import { openRabbitmqSession } from "./rabbitmq-session";
import { recordBatch } from "./record-batch";
import { startSubscription, type Subscription, type SubscriptionOptions } from "./subscription";
import { createVerify } from "./verify";

export interface BrokerSubscriptionDeps {
  readonly base: EngineBase;
  readonly consumers: ConsumerRegistry;
  readonly natsUrl: string | undefined;
  readonly rabbitmqUrl: string | undefined;
  readonly kafkaUrl: string | undefined;
}

export type BrokerSubscriptions = ReturnType<typeof startBrokerSubscriptions>;

/** A broker that is away is reached when it is back. Any number of processes may consume. */
export function startBrokerSubscriptions(deps: BrokerSubscriptionDeps) {
  const { base, consumers, natsUrl, rabbitmqUrl, kafkaUrl } = deps;
  const verify = createVerify(base);
  const start = (broker: BrokerName, open: SubscriptionOptions["open"]): Subscription =>
    startSubscription({
      broker,
      open,
      log: base.log,
      record: (messages) => recordBatch({ broker, base, consumers, verify }, messages),
    });
  const all = [
    ...(natsUrl === undefined ? [] : [start("nats", (give, watch) => openNatsSession(natsUrl, give, watch))]),
    ...(rabbitmqUrl === undefined ? [] : [start("rabbitmq", (give) => openRabbitmqSession(rabbitmqUrl, give))]),
    ...(kafkaUrl === undefined ? [] : [start("kafka", (give, watch) => openKafkaSession(kafkaUrl, give, watch))]),
  ];
  return {
    all,
    /** May be called twice. */
    async stop(): Promise<void> {
      await Promise.all(all.map((subscription) => subscription.stop()));
    },
  };
}
