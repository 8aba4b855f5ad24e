import type { ConsumerRegistry } from "../consumer";
import type { EngineBase } from "@/engine/context";
import type { BrokerName } from "./broker-message";
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
}

export interface BrokerSubscriptions {
  /** One for each broker that has a URL. */
  readonly all: readonly Subscription[];
  /** Finishes what was delivered, answers it, and gives the connections back; may be called twice. */
  stop(): Promise<void>;
}

/**
 * Consumes from the brokers into the inbox: what a broker delivers is verified, recorded and only then acknowledged.
 * Returns at once; a broker that is away is reached when it is back. Any number of processes may consume.
 */
export function startBrokerSubscriptions(deps: BrokerSubscriptionDeps): BrokerSubscriptions {
  const { base, consumers, natsUrl, rabbitmqUrl } = deps;
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
  ];
  return {
    all,
    async stop() {
      await Promise.all(all.map((subscription) => subscription.stop()));
    },
  };
}
