import type { Channel } from "amqplib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { BACK_WITHIN_MS, openBrokerDesk, type BrokerDesk, type BrokerKind } from "@/engine/testing/broker-desk";
import { describeBroker } from "@/engine/testing/broker-tests";
import { startRabbitmq, type TestRabbitmq } from "@/engine/testing/brokers";
import { createRabbitmqTransport } from "@/engine/outbox/transports/rabbitmq";
import {
  dialRabbitmq,
  ensureRabbitmqTopology,
  RABBITMQ_EXCHANGE,
  RABBITMQ_INBOX,
  RABBITMQ_REFUSED,
} from "@/engine/outbox/transports/rabbitmq-line";
import { openRabbitmqSession } from "./rabbitmq-session";

/** One for the whole file: it takes seconds to start. */
let server: TestRabbitmq;
beforeAll(async () => {
  server = await startRabbitmq();
});
afterAll(() => server.stop());

/** Runs something with a channel of its own. */
async function atBroker<T>(url: string, work: (channel: Channel) => Promise<T>): Promise<T> {
  const line = await dialRabbitmq(url);
  try {
    return await work(await line.value.createChannel());
  } finally {
    await line.close();
  }
}

const rabbitmq: BrokerKind = {
  name: "rabbitmq",
  start: () => Promise.resolve({ ...server, stop: () => Promise.resolve() }),
  transport: (url) => createRabbitmqTransport({ url }),
  openSession: openRabbitmqSession,
  publish: async (url, headers, body) => {
    const line = await dialRabbitmq(url);
    await ensureRabbitmqTopology(line.value);
    const channel = await line.value.createConfirmChannel();
    channel.publish(RABBITMQ_EXCHANGE, "acme.payments", Buffer.from(body), { headers });
    await channel.waitForConfirms();
    await line.close();
  },
  // The desk's transport or subscription has made the queue by then.
  waiting: (url) => atBroker(url, async (channel) => (await channel.checkQueue(RABBITMQ_INBOX)).messageCount),
  lose: (url) => atBroker(url, async (channel) => void (await channel.purgeQueue(RABBITMQ_INBOX))),
};

describeBroker(rabbitmq);

describe("what RabbitMQ says", () => {
  let desk: BrokerDesk;
  beforeAll(async () => {
    desk = await openBrokerDesk(rabbitmq);
  });
  afterEach(() => desk.unsubscribe());
  afterAll(() => desk.close());

  it("a queue that is full refuses (nack), and the other exchanges go on", async () => {
    await atBroker(server.url, async (channel) => {
      await channel.assertExchange("billing", "fanout", { durable: true });
      await channel.assertQueue("billing.small", {
        durable: true,
        arguments: { "x-max-length": 1, "x-overflow": "reject-publish" },
      });
      await channel.bindQueue("billing.small", "billing", "");
    });
    const elsewhere = { destination: "billing" };
    expect(await desk.send(desk.message(), elsewhere)).toEqual({ kind: "acknowledged" });
    expect(await desk.send(desk.message(), elsewhere)).toMatchObject({ kind: "failed", code: "delivery.nacked" });
    expect(await desk.send(desk.message())).toEqual({ kind: "acknowledged" });
  });

  it("a message that no queue takes is given back, and is not acknowledged", async () => {
    await atBroker(server.url, (channel) => channel.assertExchange("lonely", "topic", { durable: true }));
    expect(await desk.send(desk.message(), { destination: "lonely" })).toMatchObject({
      kind: "failed",
      code: "delivery.unroutable",
      reason: "The broker gave the message back: 312 NO_ROUTE",
    });
  });

  it("an exchange that is not there makes its topic wait, and disturbs nobody", async () => {
    const results = await Promise.all([
      desk.send(desk.message(), { destination: "nowhere" }),
      ...Array.from({ length: 10 }, () => desk.send(desk.message())),
    ]);
    expect(results[0]).toMatchObject({ kind: "unavailable", code: "delivery.bad_destination" });
    expect(results.slice(1).every(({ kind }) => kind === "acknowledged")).toBe(true);
    await atBroker(server.url, async (channel) => {
      await channel.assertExchange("somewhere", "fanout", { durable: true });
      await channel.assertQueue("somewhere.all", { durable: true });
      await channel.bindQueue("somewhere.all", "somewhere", "");
    });
    expect(await desk.send(desk.message(), { destination: "somewhere" })).toEqual({ kind: "acknowledged" });
    await atBroker(server.url, (channel) => channel.deleteExchange("somewhere"));
    expect(await desk.send(desk.message(), { destination: "somewhere" })).toMatchObject({ kind: "unavailable" });
    expect(await desk.send(desk.message())).toEqual({ kind: "acknowledged" });
  });

  it("an inbox queue that somebody removed is made again", async () => {
    desk.subscribe();
    await desk.sendUntilAcknowledged(desk.message());
    await atBroker(server.url, (channel) => channel.deleteQueue(RABBITMQ_INBOX));
    const delivery = desk.message();
    await desk.sendUntilAcknowledged(delivery);
    await desk.arrived(delivery.id);
  });

  it("what was refused is kept for a person, with its headers", async () => {
    await atBroker(server.url, (channel) => channel.purgeQueue(RABBITMQ_REFUSED));
    desk.subscribe();
    await rabbitmq.publish(server.url, { "webhook-id": "forged" }, "{}");
    const look = () => atBroker(server.url, (channel) => channel.get(RABBITMQ_REFUSED, { noAck: true }));
    let found: Awaited<ReturnType<typeof look>> = false;
    await expect.poll(async () => (found ||= await look())).toBeTruthy();
    expect(found).toMatchObject({ properties: { headers: { "webhook-id": "forged" } } });
  });

  it("the permissions that docs/runbooks/brokers.md names are enough", async () => {
    const narrow = "onceboard\\..*";
    await server.control("add_user", "narrow", "p@ss/word");
    await server.control("set_permissions", "narrow", narrow, narrow, narrow);
    const url = server.url.replace("guest:guest", "narrow:p%40ss%2Fword");
    const transport = createRabbitmqTransport({ url });
    const delivery = desk.message();
    const options = { timeoutMs: 5_000, destination: undefined };
    expect(await transport.deliver(desk.env.context(), delivery, options)).toEqual({ kind: "acknowledged" });
    await transport.close();
    desk.subscribe(desk.env.base, url);
    await desk.arrived(delivery.id);
  });

  it("a broker that takes nothing (out of memory) is not there, and is there again afterwards", async () => {
    await server.control("set_vm_memory_high_watermark", "0.000001");
    // The first publication of a connection is what tells it.
    await desk.send(desk.message(), { timeoutMs: 300 });
    await expect
      .poll(() => desk.send(desk.message(), { timeoutMs: 300 }), { timeout: BACK_WITHIN_MS })
      .toMatchObject({ kind: "unavailable", code: "delivery.broker_unavailable" });
    await server.control("set_vm_memory_high_watermark", "0.4");
    await desk.sendUntilAcknowledged(desk.message());
  });
});
