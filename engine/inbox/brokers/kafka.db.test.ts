import type { Admin, Message } from "@platformatic/kafka";
import { v7 as uuidv7 } from "uuid";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { findKafka, startKafka } from "@/engine/testing/kafka/broker";
import { BACK_WITHIN_MS, openBrokerDesk, type BrokerDesk, type BrokerKind } from "@/engine/testing/broker-desk";
import { TENANT } from "@/engine/testing/environment";
import { describeBroker } from "@/engine/testing/broker-tests";
import { createKafkaTransport } from "@/engine/outbox/transports/kafka";
import {
  closeConsumer,
  ensureKafkaTopic,
  KAFKA_GROUP,
  KAFKA_PARTITIONS,
  KAFKA_TOPIC,
  kafkaOptions,
  loadKafka,
} from "@/engine/outbox/transports/kafka-line";
import { createLog } from "@/engine/telemetry/log";
import { openKafkaSession } from "./kafka-session";

const programs = findKafka();
if (typeof programs === "string") process.stdout.write(`skipped, Kafka: ${programs}\n`);

/** In a request to delete records. */
const TO_THE_END = -1n;

const kafka: BrokerKind = {
  name: "kafka",
  start: () => {
    if (typeof programs === "string") throw new Error(programs);
    return startKafka(programs);
  },
  transport: (url) => createKafkaTransport({ url }),
  openSession: openKafkaSession,
  async publish(url, headers, body) {
    await ensureKafkaTopic(url);
    const { Producer } = await loadKafka();
    const producer = new Producer(kafkaOptions(url));
    const bytes = new Map(Object.entries(headers).map(([name, value]) => [Buffer.from(name), Buffer.from(value)]));
    await producer.send({ messages: [{ topic: KAFKA_TOPIC, value: Buffer.from(body), headers: bytes }], acks: -1 });
    await producer.close();
  },
  async waiting(url) {
    await ensureKafkaTopic(url);
    const { Consumer } = await loadKafka();
    const consumer = new Consumer({ ...kafkaOptions(url), groupId: KAFKA_GROUP });
    const partitions = Array.from({ length: KAFKA_PARTITIONS }, (_, at) => at);
    const latest = await consumer.listOffsets({ topics: [KAFKA_TOPIC], timestamp: -1n });
    const earliest = await consumer.listOffsets({ topics: [KAFKA_TOPIC], timestamp: -2n });
    const committed = await consumer.listCommittedOffsets({ topics: [{ topic: KAFKA_TOPIC, partitions }] });
    await closeConsumer(consumer);
    const of = (all: Map<string, bigint[]>, at: number): number =>
      Math.max(0, Number(all.get(KAFKA_TOPIC)?.[at] ?? 0n));
    const read = (at: number): number => Math.max(of(committed, at), of(earliest, at));
    return partitions.reduce((sum, at) => sum + of(latest, at) - read(at), 0);
  },
  lose: (url) =>
    asAdmin(url, async (admin) => {
      const all = Array.from({ length: KAFKA_PARTITIONS }, (_, partition) => ({ partition, offset: TO_THE_END }));
      await admin.deleteRecords({ topics: [{ name: KAFKA_TOPIC, partitions: all }] });
    }),
};

describe.skipIf(typeof programs === "string")("Kafka", () => {
  describeBroker(kafka);

  describe("what Kafka says", () => {
    let desk: BrokerDesk;
    beforeAll(async () => {
      desk = await openBrokerDesk(kafka);
    });
    afterEach(() => desk.unsubscribe());
    afterAll(() => desk.close());

    it("events of one aggregate are in one partition, in order, and say their topic", async () => {
      const aggregates = ["payment/a", "payment/b", "payment/c", "payment/d"];
      const sent = aggregates.flatMap((aggregate) => [1, 2, 3].map(() => desk.message({ aggregate })));
      for (const delivery of sent) expect(await desk.send(delivery)).toEqual({ kind: "acknowledged" });
      const records = await recordsOf(desk.broker.url, KAFKA_TOPIC, sent.length);
      for (const aggregate of aggregates) {
        const own = records.filter(({ key }) => key === `${TENANT}/${aggregate}`);
        const ids = sent.filter((delivery) => delivery.aggregate === aggregate).map(({ id }) => id);
        expect(own.map(({ headers }) => headers.get("webhook-id"))).toEqual(ids);
        expect(new Set(own.map(({ partition }) => partition)).size).toBe(1);
        expect(own.every(({ headers }) => headers.get("onceboard-topic") === "payments")).toBe(true);
      }
      desk.subscribe();
      await desk.allArrived(sent.map(({ id }) => id));
    });

    it("INBOX-11 records that are gone before they were read hold nobody up: it goes on at the oldest there is", async () => {
      const [read, gone, next] = [1, 2, 3].map(() => desk.message({ aggregate: "payment/retained" }));
      if (read === undefined || gone === undefined || next === undefined) throw new Error("three messages");
      await desk.send(read);
      const first = desk.subscribe();
      await desk.arrived(read.id);
      await first.stop();
      await desk.send(gone);
      // As retention does it.
      await kafka.lose(desk.broker.url);
      await desk.send(next);
      const lines: string[] = [];
      const log = createLog("warn", {}, { destination: { write: (line) => void lines.push(line) } });
      const again = desk.subscribe({ ...desk.env.base, log });
      expect(await desk.arrived(next.id)).toMatchObject({ state: "recorded", duplicates: 0 });
      expect(await desk.rows(gone.id)).toEqual([]);
      expect(again.all.map((each) => each.take())).toMatchObject([{ recorded: 1, gone: 1 }]);
      expect(lines.map((line) => JSON.parse(line) as Record<string, unknown>)).toMatchObject([
        {
          part: "kafka",
          rows: 1,
          msg: "a broker removed messages before they were read: reading goes on at the oldest",
        },
        { part: "kafka", reason: "the connection was lost (OFFSET_OUT_OF_RANGE)", msg: "a broker is not reached" },
      ]);
    });

    it("a message that the cluster does not take for its size is dead at once, and its neighbours go", async () => {
      const body = JSON.stringify({ data: "x".repeat(1_200_000) });
      const results = await Promise.all([
        desk.send(desk.message()),
        desk.send(desk.message({ body })),
        desk.send(desk.message()),
      ]);
      expect(results).toMatchObject([
        { kind: "acknowledged" },
        { kind: "rejected", code: "delivery.too_large" },
        { kind: "acknowledged" },
      ]);
    });

    it("a topic that is not there makes its topic wait, disturbs nobody, and is used once it is made", async () => {
      const elsewhere = { destination: "billing.events" };
      const [missing, ours] = await Promise.all([desk.send(desk.message(), elsewhere), desk.send(desk.message())]);
      expect(missing).toMatchObject({ kind: "unavailable", code: "delivery.bad_destination" });
      expect(ours).toEqual({ kind: "acknowledged" });
      await makeTopic(desk.broker.url, "billing.events");
      const delivery = desk.message();
      await expect
        .poll(() => desk.send(delivery, elsewhere), { timeout: BACK_WITHIN_MS })
        .toEqual({ kind: "acknowledged" });
      const [record] = await recordsOf(desk.broker.url, "billing.events", 1);
      expect(record?.headers.get("webhook-id")).toBe(delivery.id);
      expect(await desk.send(desk.message(), { destination: "a b" })).toMatchObject({
        code: "delivery.bad_destination",
      });
    });

    it("workers that come and go share the partitions: each message has one row, and nothing waits in the end", async () => {
      const sent = Array.from({ length: 120 }, (_, at) => desk.message({ aggregate: `payment/${String(at)}` }));
      const first = desk.subscribe();
      for (const [turn, part] of [sent.slice(0, 40), sent.slice(40, 80), sent.slice(80)].entries()) {
        const sending = Promise.all(part.map((delivery) => desk.sendUntilAcknowledged(delivery)));
        const other = desk.subscribe();
        await sending;
        if (turn === 1) await first.stop();
        await desk.allArrived(part.map(({ id }) => id));
        await other.stop();
      }
      const rows = await desk.env.rows<{ message_id: string }>(
        "select message_id from onceboard.inbox_messages where message_id = any($1)",
        sent.map(({ id }) => id),
      );
      expect(rows).toHaveLength(sent.length);
    }, 90_000);
  });
});

/** Reads a topic from its beginning, past every group. */
async function recordsOf(url: string, topic: string, count: number): Promise<readonly ReadRecord[]> {
  const { Consumer, stringDeserializers } = await loadKafka();
  const consumer = new Consumer({
    ...kafkaOptions(url),
    groupId: `look-${uuidv7()}`,
    deserializers: stringDeserializers,
  });
  const stream = await consumer.consume({ topics: [topic], mode: "earliest", autocommit: false });
  const found: ReadRecord[] = [];
  for await (const record of stream) if (found.push(record) >= count) break;
  await closeConsumer(consumer);
  return found;
}
type ReadRecord = Pick<Message<string, string, string, string>, "key" | "headers" | "partition">;

const makeTopic = (url: string, topic: string): Promise<void> =>
  asAdmin(url, async (admin) => void (await admin.createTopics({ topics: [topic], partitions: 1, replicas: 1 })));

async function asAdmin(url: string, work: (admin: Admin) => Promise<void>): Promise<void> {
  const kafka = await loadKafka();
  const admin = new kafka.Admin(kafkaOptions(url));
  await work(admin);
  await admin.close();
}
