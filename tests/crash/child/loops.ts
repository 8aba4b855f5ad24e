import { setTimeout as delay } from "node:timers/promises";
import { withConcurrency } from "@/domain/with-concurrency";
import { startBrokerSubscriptions } from "@/engine/inbox/brokers/subscriptions";
import type { EngineBase, EngineContext } from "@/engine/context";
import { execute } from "@/engine/execute/execute";
import type { OperationRegistry } from "@/engine/execute/operation";
import type { ConsumerRegistry } from "@/engine/inbox/consumer";
import { createHttpTransport, ownInbox } from "@/engine/outbox/transports/http";
import { createNatsTransport } from "@/engine/outbox/transports/nats";
import { createRabbitmqTransport } from "@/engine/outbox/transports/rabbitmq";
import type { Transports } from "@/engine/outbox/transport";
import { createTransports, MAIL_TOPIC } from "@/engine/outbox/transports/transports";
import { createMailTransport } from "@/payments/mail/mail-transport";
import type { LoopDeps } from "@/worker/deps";
import { consumeAloneLoop, consumeLoop } from "@/worker/loops/consume";
import { relayLoop } from "@/worker/loops/relay";
import { runLoop } from "@/worker/run-loop";
import { countOperation, type CountCommand } from "./count-operation";
import type { ChildPlace, Order } from "./protocol";

const INTERVAL_MS = 50;
const CALLS_AT_ONCE = 8;
/** Between two tries of a call whose outcome is not known yet. */
const AGAIN_MS = 50;
const TRIES = 600;

type LoopOrder = Extract<Order, { do: "work" }>;

/** @param to origin of the API that takes what goes over HTTP, and the brokers that are there */
export function transportsOf(
  place: ChildPlace,
  { inbox, natsUrl, rabbitmqUrl }: Pick<LoopOrder, "inbox"> & Partial<LoopOrder>,
): Transports {
  const parts = {
    http: createHttpTransport({ destination: ownInbox(inbox) }),
    ofTopics: new Map([
      [
        MAIL_TOPIC,
        createMailTransport({ smtpUrl: undefined, mailFrom: "receipts@example.com", dataDir: place.dataDir }),
      ],
    ]),
    nats: natsUrl === undefined ? undefined : createNatsTransport({ url: natsUrl }),
    rabbitmq: rabbitmqUrl === undefined ? undefined : createRabbitmqTransport({ url: rabbitmqUrl }),
  };
  return createTransports(parts, "http");
}

/** What the loops of a worker work with. */
export interface LoopParts {
  readonly place: ChildPlace;
  readonly base: EngineBase;
  readonly registry: OperationRegistry;
  readonly consumers: ConsumerRegistry;
}

/** Runs the worker's own loops until this process ends. */
export function startLoops({ base, registry, consumers, place }: LoopParts, order: LoopOrder): void {
  const { natsUrl, rabbitmqUrl } = order;
  const deps: LoopDeps = {
    engine: base,
    registry,
    // The loops here read nothing of the configuration.
    config: undefined as never,
    consumers,
    transports: transportsOf(place, order),
  };
  const loops =
    order.role === "relay" ? [relayLoop(INTERVAL_MS)] : [consumeLoop(INTERVAL_MS), consumeAloneLoop(INTERVAL_MS)];
  if (order.role === "consumer")
    startBrokerSubscriptions({ base, consumers, natsUrl, rabbitmqUrl, kafkaUrl: undefined });
  for (const loop of loops) {
    void runLoop({
      tick: () => loop.tick(deps),
      intervalMs: loop.intervalMs,
      busy: (result) => loop.busy(result),
      idle: (result) => Object.values(result).every((value) => value === 0),
      signal: new AbortController().signal,
      onTick: () => Promise.resolve(),
    });
  }
}

/**
 * Calls the suite's own operation until each call is known to be done, as a patient client does.
 * @throws Error when one never is
 */
export async function produce(ctx: EngineContext, commands: readonly CountCommand[]): Promise<void> {
  const ended = await withConcurrency(CALLS_AT_ONCE, commands, async (command) => {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      if (await calledOnce(ctx, command)) return;
      await delay(AGAIN_MS);
    }
    throw new Error(`${command.name} was never done`);
  });
  const broken = ended.find((end) => end.status === "rejected");
  if (broken !== undefined) throw broken.reason;
}

async function calledOnce(ctx: EngineContext, command: CountCommand): Promise<boolean> {
  try {
    const request = { key: command.name, command, receivedAt: performance.now() };
    const { outcome } = await execute(ctx, countOperation, request);
    if (outcome === "conflict") throw new OtherCommandError(command.name);
    return outcome === "executed" || outcome === "replayed";
  } catch (error) {
    if (error instanceof OtherCommandError) throw error;
    // The database was away, or nobody knows: the same key again.
    return false;
  }
}

/** The engine takes a repeated call for another one. */
class OtherCommandError extends Error {}
