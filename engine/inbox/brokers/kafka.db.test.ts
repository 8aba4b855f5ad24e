import { describe } from "vitest";
import { findKafka, startKafka } from "@/engine/testing/kafka/broker";
import type { BrokerKind } from "@/engine/testing/broker-desk";
import { describeBroker } from "@/engine/testing/broker-tests";
import { createKafkaTransport } from "@/engine/outbox/transports/kafka";
import {
  ensureKafkaTopic,
  KAFKA_GROUP,
  KAFKA_PARTITIONS,
  KAFKA_TOPIC,
  kafkaOptions,
  loadKafka,
} from "@/engine/outbox/transports/kafka-line";
import { openKafkaSession } from "./kafka-session";

const programs = findKafka();
if (typeof programs === "string") process.stdout.write(`skipped, Kafka: ${programs}\n`);

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
    await producer.close(true);
  },
  async waiting(url) {
    await ensureKafkaTopic(url);
    const { Consumer } = await loadKafka();
    const consumer = new Consumer({ ...kafkaOptions(url), groupId: KAFKA_GROUP });
    const partitions = Array.from({ length: KAFKA_PARTITIONS }, (_, at) => at);
    const latest = await consumer.listOffsets({ topics: [KAFKA_TOPIC], timestamp: -1n });
    const committed = await consumer.listCommittedOffsets({ topics: [{ topic: KAFKA_TOPIC, partitions }] });
    await consumer.close(true);
    const of = (all: Map<string, bigint[]>, at: number): number =>
      Math.max(0, Number(all.get(KAFKA_TOPIC)?.[at] ?? 0n));
    return partitions.reduce((sum, at) => sum + of(latest, at) - of(committed, at), 0);
  },
};

describe.skipIf(typeof programs === "string")("Kafka", () => {
  describeBroker(kafka);
});
