import { v7 as uuidv7 } from "uuid";
import { Webhook } from "standardwebhooks";
import { expect } from "vitest";
import { CLOUD_EVENTS, ENVELOPE_HEADER } from "../outbox/envelope";
import type { BrokerMessage, BrokerName } from "@/engine/inbox/brokers/broker-message";
import type { RecordDeps } from "@/engine/inbox/brokers/record-batch";
import type { Session } from "@/engine/inbox/brokers/subscription";
import { startBrokerSubscriptions, type BrokerSubscriptions } from "@/engine/inbox/brokers/subscriptions";
import { createVerify } from "@/engine/inbox/brokers/verify";
import { createConsumerRegistry, type Consumer } from "../inbox/consumer";
import type { EngineBase } from "../context";
import { ensureEventSource, OWN_SOURCE } from "../inbox/event-source";
import type { DeliveryOptions, DeliveryResult, OutboxDelivery, Transport } from "../outbox/transport";
import type { TestBroker } from "./brokers";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "./environment";

/** Longer than a broker takes to come back and a lost connection to be noticed. */
export const BACK_WITHIN_MS = 25_000;

/** What a test knows of one kind of broker. */
export interface BrokerKind {
  readonly name: BrokerName;
  start(): Promise<TestBroker>;
  transport(url: string): Transport;
  openSession(url: string, give: (message: BrokerMessage) => Promise<void>): Promise<Session>;
  /** Publishes past the transport, as anybody with access to the broker can. */
  publish(url: string, headers: Readonly<Record<string, string>>, body: string | Uint8Array): Promise<void>;
  /** @returns messages that wait for the inbox; whether it also counts what is delivered and not answered yet depends on the broker */
  waiting(url: string): Promise<number>;
  /** Loses all messages that it acknowledged, and what it remembers of their ids. */
  lose(url: string): Promise<void>;
}

export interface StoredInboxRow {
  readonly message_id: string;
  readonly state: string;
  readonly duplicates: number;
  readonly mismatches: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** A broker, an engine with one consumer, and a transport between them. */
export interface BrokerDesk {
  readonly broker: TestBroker;
  readonly env: EngineTestEnvironment;
  readonly transport: Transport;
  readonly consumers: ReturnType<typeof createConsumerRegistry>;
  readonly message: (options?: Partial<OutboxDelivery>) => OutboxDelivery;
  readonly send: (delivery: OutboxDelivery, options?: Partial<DeliveryOptions>) => Promise<DeliveryResult>;
  /** Sends until it is acknowledged, as the relay does. @returns how often it was said that the broker is not there */
  readonly sendUntilAcknowledged: (delivery: OutboxDelivery) => Promise<number>;
  /** Headers as a sender with the secret makes them. */
  readonly signed: (id: string, body: string, secret?: string) => Promise<Record<string, string>>;
  readonly subscribe: (base?: EngineBase, url?: string) => BrokerSubscriptions;
  /** Stops all that was subscribed; after each test. */
  readonly unsubscribe: () => Promise<void>;
  readonly recordDeps: () => RecordDeps;
  readonly rows: (id: string) => Promise<StoredInboxRow[]>;
  /** Waits until the message is in the inbox and the broker has its answer. */
  readonly arrived: (id: string) => Promise<StoredInboxRow>;
  readonly allArrived: (ids: readonly string[]) => Promise<void>;
  readonly effects: (id: string) => Promise<number>;
  readonly close: () => Promise<void>;
}

export async function openBrokerDesk(kind: BrokerKind): Promise<BrokerDesk> {
  const [env, broker] = await Promise.all([createEngineTestEnvironment(), kind.start()]);
  await env.rows("create table effects (message_id text not null); grant all on effects to onceboard_app");
  const consumer: Consumer = {
    name: "ledger",
    path: "transaction",
    subscribes: (source) => source === OWN_SOURCE,
    async handle(_ctx, tx, { messageId }) {
      await tx.query({ text: "insert into effects values ($1)", values: [messageId] });
      return "ok";
    },
  };
  const consumers = createConsumerRegistry([consumer]);
  const transport = kind.transport(broker.url);
  const open: BrokerSubscriptions[] = [];
  const unsubscribe = async (): Promise<void> => {
    await Promise.all(open.splice(0).map((each) => each.stop()));
  };
  const rows = (id: string): Promise<StoredInboxRow[]> =>
    env.rows<StoredInboxRow>(
      "select message_id, state, duplicates, mismatches, headers from onceboard.inbox_messages where message_id = $1",
      id,
    );
  const allArrived: BrokerDesk["allArrived"] = async (ids) => {
    const found = () => env.rows("select 1 from onceboard.inbox_messages where message_id = any($1)", ids);
    await expect.poll(found, { timeout: BACK_WITHIN_MS }).toHaveLength(ids.length);
    await expect.poll(() => kind.waiting(broker.url), { timeout: BACK_WITHIN_MS }).toBe(0);
  };
  const send: BrokerDesk["send"] = (delivery, options = {}) =>
    transport.deliver(env.context(), delivery, { timeoutMs: 5_000, destination: undefined, ...options });
  return {
    broker,
    env,
    transport,
    consumers,
    message: (options = {}) => {
      const id = options.id ?? uuidv7();
      return {
        id,
        topic: "payments",
        type: "payment.succeeded",
        body: JSON.stringify({ specversion: "1.0", id, type: "payment.succeeded", data: { text: "grüß Gott" } }),
        headers: { [ENVELOPE_HEADER]: CLOUD_EVENTS, traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` },
        ...options,
      };
    },
    send,
    async sendUntilAcknowledged(delivery) {
      let unavailable = 0;
      await expect
        .poll(
          async () => {
            const result = await send(delivery, { timeoutMs: 1_000 });
            if (result.kind === "unavailable") unavailable += 1;
            return result.kind;
          },
          { timeout: BACK_WITHIN_MS },
        )
        .toBe("acknowledged");
      return unavailable;
    },
    async signed(id, body, secret) {
      const own = secret ?? (await ensureEventSource(env.db, env.base.keyring, TENANT, OWN_SOURCE));
      const at = new Date();
      return {
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
        "webhook-signature": new Webhook(own).sign(id, at, body),
        "onceboard-tenant": TENANT,
        "onceboard-source": OWN_SOURCE,
      };
    },
    subscribe(base = env.base, url = broker.url) {
      const urls = { natsUrl: undefined, rabbitmqUrl: undefined, kafkaUrl: undefined, [`${kind.name}Url`]: url };
      const subscriptions = startBrokerSubscriptions({ base, consumers, ...urls });
      open.push(subscriptions);
      return subscriptions;
    },
    unsubscribe,
    recordDeps: () => ({ broker: kind.name, base: env.base, consumers, verify: createVerify(env.base) }),
    rows,
    allArrived,
    async arrived(id) {
      await allArrived([id]);
      const [row] = await rows(id);
      if (row === undefined) throw new Error(`${id} is gone`);
      return row;
    },
    effects: async (id) => (await env.rows("select 1 from effects where message_id = $1", id)).length,
    async close() {
      await unsubscribe();
      await transport.close();
      await broker.stop();
      await env.close();
    },
  };
}
