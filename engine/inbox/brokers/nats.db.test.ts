import { headers as natsHeaders, nanos } from "@nats-io/transport-node";
import { AckPolicy, DeliverPolicy, type JetStreamManager, type StreamState } from "@nats-io/jetstream";
import { afterEach, describe, expect, it } from "vitest";
import { BACK_WITHIN_MS, openBrokerDesk, type BrokerDesk, type BrokerKind } from "@/engine/testing/broker-desk";
import { describeBroker } from "@/engine/testing/broker-tests";
import { NATS_MAX_PAYLOAD_BYTES, startNats } from "@/engine/testing/brokers";
import { createNatsTransport, natsSubject, type NatsTransportOptions } from "@/engine/outbox/transports/nats";
import { dialNats, ensureNatsStream, NATS_INBOX, NATS_STREAM } from "@/engine/outbox/transports/nats-line";
import { republishMessage } from "@/db/outbox/republish";
import { relay } from "@/engine/outbox/relay";
import { createTransports } from "@/engine/outbox/transports/transports";
import { TENANT } from "@/engine/testing/environment";
import { openNatsSession } from "./nats-session";
import { recordBatch } from "./record-batch";

const NANOS_PER_MS = 1_000_000;

/** Runs something with a connection of its own. */
async function atBroker<T>(url: string, work: (manager: JetStreamManager) => Promise<T>): Promise<T> {
  const line = await dialNats(url);
  try {
    return await work(await ensureNatsStream(line.value));
  } finally {
    await line.close();
  }
}

const nats: BrokerKind = {
  name: "nats",
  start: () => startNats(),
  transport: (url) => createNatsTransport({ url }),
  openSession: openNatsSession,
  publish: (url, values, body) =>
    atBroker(url, async (manager) => {
      const headers = natsHeaders();
      for (const [name, value] of Object.entries(values)) headers.set(name, value);
      await manager.jetstream().publish(natsSubject("acme", "payments"), body, { headers });
    }),
  waiting: (url) =>
    atBroker(url, async (manager) => {
      const { num_pending, num_ack_pending } = await manager.consumers.info(NATS_STREAM, NATS_INBOX);
      return num_pending + num_ack_pending;
    }),
  // A purge alone keeps the ids of its window.
  lose: async (url) => {
    await atBroker(url, (manager) => manager.streams.delete(NATS_STREAM));
    await atBroker(url, () => Promise.resolve());
  },
};

describeBroker(nats);

describe("what NATS says", () => {
  let desk: BrokerDesk | undefined;
  afterEach(() => desk?.close());
  const open = async (
    options: Partial<NatsTransportOptions> = {},
    start: BrokerKind["start"] = () => startNats(),
    credentials = "",
  ): Promise<BrokerDesk> => {
    const transport: BrokerKind["transport"] = (url) =>
      createNatsTransport({ url: url.replace("nats://", `nats://${credentials}`), ...options });
    return (desk = await openBrokerDesk({ ...nats, start, transport }));
  };

  it("a stream that is full refuses, and drops nothing that it has", async () => {
    const { send, message, broker } = await open({ limits: { max_msgs: 1 } });
    expect(await send(message())).toEqual({ kind: "acknowledged" });
    expect(await send(message())).toMatchObject({ kind: "failed", code: "delivery.nats_10077" });
    expect(await nats.waiting(broker.url)).toBe(1);
  });

  it("the same id within the window is stored once and acknowledged twice; beyond it the inbox knows it", async () => {
    const window = 100;
    const { send, message, broker, subscribe, arrived, rows } = await open({
      limits: { duplicate_window: nanos(window) },
    });
    const delivery = message();
    expect(await send(delivery)).toEqual({ kind: "acknowledged" });
    expect(await send(delivery)).toEqual({ kind: "acknowledged" });
    expect(await nats.waiting(broker.url)).toBe(1);
    // Once more whenever the stream takes it for a new one.
    await expect
      .poll(async () => {
        await send(delivery);
        return nats.waiting(broker.url);
      })
      .toBeGreaterThan(1);
    subscribe();
    await arrived(delivery.id);
    const [row] = await rows(delivery.id);
    expect(row?.duplicates).toBeGreaterThan(0);
    const { config } = await atBroker(broker.url, (manager) => manager.streams.info(NATS_STREAM));
    expect(config.duplicate_window).toBe(window * NANOS_PER_MS);
  });

  it("MESSAGE-8 within its window the stream takes a copy for a duplicate, also of what it lost, and stores it after it", async () => {
    const { env, transport, broker } = await open({ limits: { duplicate_window: nanos(100) } });
    const transports = createTransports({ http: transport, nats: transport }, "nats");
    const id = await env.outbox();
    await relay(env.context(), transports);
    await atBroker(broker.url, (manager) => manager.streams.purge(NATS_STREAM));
    const again = async (): Promise<number> => {
      const by = { actor: "Mira", reason: "the stream was purged" };
      expect(await republishMessage(env.db.pool, { tenantId: TENANT, id }, by)).toBe("republished");
      await relay(env.context(), transports);
      return nats.waiting(broker.url);
    };
    await expect.poll(again, { timeout: BACK_WITHIN_MS }).toBe(1);
  });

  it("a message beyond the server's limit is never taken, and a subject without a stream waits for one", async () => {
    const { send, message, broker } = await open();
    const body = JSON.stringify({ data: "x".repeat(NATS_MAX_PAYLOAD_BYTES) });
    expect(await send(message({ body }))).toMatchObject({ kind: "rejected", code: "delivery.too_large" });
    const elsewhere = { destination: "billing.events" };
    expect(await send(message(), elsewhere)).toMatchObject({
      kind: "unavailable",
      code: "delivery.bad_destination",
    });
    await atBroker(broker.url, (manager) => manager.streams.add({ name: "BILLING", subjects: ["billing.>"] }));
    expect(await send(message(), elsewhere)).toEqual({ kind: "acknowledged" });
    expect(await send(message(), { destination: "billing.*" })).toMatchObject({ code: "delivery.bad_destination" });
    expect(await send(message())).toEqual({ kind: "acknowledged" });
  });

  it("a stream that somebody removed is made again", async () => {
    const { send, message, sendUntilAcknowledged, broker, subscribe, arrived } = await open();
    subscribe();
    await sendUntilAcknowledged(message());
    await atBroker(broker.url, (manager) => manager.streams.delete(NATS_STREAM));
    expect(await send(message())).toMatchObject({ kind: "unavailable" });
    const delivery = message();
    await sendUntilAcknowledged(delivery);
    await arrived(delivery.id);
  });

  it("INBOX-11 a connection whose broker dies while it is closed is closed: its worker goes on", async () => {
    const { broker } = await open();
    const line = await dialNats(broker.url);
    await broker.pause();
    const closing = line.close().then(() => "closed");
    await broker.kill();
    const late = new Promise<string>((resolve) => setTimeout(() => resolve("never closed"), BACK_WITHIN_MS).unref());
    expect(await Promise.race([closing, late])).toBe("closed");
  });

  /** A session that looks often and gives one after the other, as a worker does with batches. */
  const sweeping = async (): Promise<{ readonly swept: () => number; close(): Promise<void> }> => {
    if (desk === undefined) throw new Error("there is no broker yet");
    const { broker, recordDeps } = desk;
    let swept = 0;
    const session = await openNatsSession(
      broker.url,
      async (message) => {
        await recordBatch(recordDeps(), [message]);
      },
      { swept: (count) => (swept += count) },
      { firstMs: 0, everyMs: 50 },
    );
    return { swept: () => swept, close: () => session.close() };
  };
  const stateOf = (url: string): Promise<StreamState> =>
    atBroker(url, async (manager) => (await manager.streams.info(NATS_STREAM)).state);

  it("INBOX-11 what it holds and will never deliver again is found, recorded and removed", async () => {
    const { send, message, broker, rows } = await open();
    const [lost, later] = [message(), message()];
    // A consumer that gives up after one delivery leaves what nats-server leaves when it is killed at the wrong moment.
    await atBroker(broker.url, async (manager) => {
      await manager.consumers.delete(NATS_STREAM, NATS_INBOX);
      const once = { ack_policy: AckPolicy.Explicit, max_deliver: 1, ack_wait: nanos(100) };
      await manager.consumers.add(NATS_STREAM, { durable_name: NATS_INBOX, ...once });
      expect(await send(lost)).toEqual({ kind: "acknowledged" });
      const consumer = await manager.jetstream().consumers.get(NATS_STREAM, NATS_INBOX);
      expect(await consumer.next()).not.toBeNull();
      const given = async (): Promise<number> => {
        await consumer.next({ expires: 1_000 });
        return nats.waiting(broker.url);
      };
      await expect.poll(given, { timeout: BACK_WITHIN_MS }).toBe(0);
    });
    expect(await stateOf(broker.url)).toMatchObject({ messages: 1 });
    const session = await sweeping();
    expect(await send(later)).toEqual({ kind: "acknowledged" });
    await expect.poll(() => rows(lost.id), { timeout: BACK_WITHIN_MS }).toMatchObject([{ duplicates: 0 }]);
    await expect.poll(() => rows(later.id)).toMatchObject([{ duplicates: 0 }]);
    await expect.poll(() => stateOf(broker.url)).toMatchObject({ messages: 0 });
    expect(session.swept()).toBe(1);
    await session.close();
  });

  it("INBOX-11 what it holds for others is recorded once more, and stays theirs", async () => {
    const { send, message, broker, rows } = await open();
    const all = Array.from({ length: 5 }, () => message());
    await atBroker(broker.url, async (manager) => {
      await manager.consumers.add(NATS_STREAM, { durable_name: "billing", ack_policy: AckPolicy.Explicit });
      for (const each of all) await send(each);
      await manager.consumers.delete(NATS_STREAM, NATS_INBOX);
      const beyond = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: all.length + 1 };
      const ack_policy = AckPolicy.Explicit;
      await manager.consumers.add(NATS_STREAM, { durable_name: NATS_INBOX, ack_policy, ...beyond });
      expect(await nats.waiting(broker.url)).toBe(0);
      const session = await sweeping();
      const later = message();
      await send(later);
      const ids = [...all, later].map(({ id }) => id);
      for (const id of ids) await expect.poll(() => rows(id)).toMatchObject([{ state: "recorded", duplicates: 0 }]);
      expect(await stateOf(broker.url)).toMatchObject({ messages: all.length + 1 });
      const { num_pending } = await manager.consumers.info(NATS_STREAM, "billing");
      expect(num_pending).toBe(all.length + 1);
      expect(session.swept()).toBe(all.length);
      await session.close();
    });
  });

  it("speaks as the user that the URL names, and says what that user may not do", async () => {
    const config = `authorization { users = [
      { user: "relay", password: "p@ss", permissions: { publish: { deny: "onceboard.acme.secret" } } }
    ] }`;
    const { send, message } = await open({}, () => startNats({ config }), "relay:p%40ss@");
    expect(await send(message())).toEqual({ kind: "acknowledged" });
    expect(await send(message({ topic: "secret" }), { timeoutMs: 2_000 })).toMatchObject({
      kind: "failed",
      code: "delivery.forbidden",
    });
  });

  it("says that nobody is there when the broker does not let us in", async () => {
    const config = 'authorization { user: "relay", password: "secret" }';
    const { send, message } = await open({}, () => startNats({ config }));
    expect(await send(message())).toMatchObject({ kind: "unavailable", code: "delivery.broker_unavailable" });
  });
});
