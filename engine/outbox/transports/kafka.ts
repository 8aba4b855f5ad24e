import type { Producer } from "@platformatic/kafka";
import { withTimeout } from "@/domain/with-timeout";
import type { DeliveryResult, Transport } from "../transport";
import { brokerHeaders } from "./broker-headers";
import { ACKNOWLEDGED, badDestination, brokerDown, noAnswer, tooLarge } from "./delivery-results";
import { createKafkaBatch, type KafkaRecord } from "./kafka-batch";
import {
  ensureKafkaTopic,
  isKafkaError,
  isUnknownTopic,
  KAFKA_TOPIC,
  kafkaLine,
  kafkaOptions,
  kafkaReason,
  loadKafka,
} from "./kafka-line";
import { createLink, type BrokerLine } from "./link";
import { createSigner, type Signer } from "./sign";

/** Publications of one topic under way at once; they share requests. */
export const KAFKA_CONCURRENCY = 64;
/** Which topic of the outbox a message is of: all of them share one topic of Kafka. */
const TOPIC_HEADER = "onceboard-topic";
/** A name of a topic at Kafka. */
const DESTINATION = /^(?!\.{1,2}$)[\w.-]{1,249}$/;

export interface KafkaTransportOptions {
  /** See `kafkaOptions`. */
  readonly url: string;
  readonly signer?: Signer;
}

type TextProducer = Producer<string, string, string, string>;
interface Publisher {
  readonly send: (record: KafkaRecord) => Promise<void>;
}

/**
 * Publishes to Kafka with an idempotent producer that waits for all replicas in sync. The key of a record is its aggregate, so
 * events of one aggregate are in one partition and in order. A message that is sent again has the same `webhook-id`; the log
 * keeps it twice, and its consumers know it. After an error whose outcome is not known the producer is closed: the next one has
 * a new identity, and cannot be answered for this one.
 */
export function createKafkaTransport(options: KafkaTransportOptions): Transport {
  const signer = options.signer ?? createSigner();
  const link = createLink(() => dial(options.url));
  return {
    name: "kafka",
    concurrency: KAFKA_CONCURRENCY,
    async deliver(ctx, delivery, { timeoutMs, destination }) {
      const topic = destination ?? KAFKA_TOPIC;
      if (!DESTINATION.test(topic)) return badDestination("The destination is not a topic of Kafka");
      const headers = { ...(await brokerHeaders(ctx, signer, delivery)), [TOPIC_HEADER]: delivery.topic };
      const key = `${ctx.tenantId}/${delivery.aggregate ?? delivery.id}`;
      let line: BrokerLine<Publisher>;
      try {
        line = await link.line(timeoutMs);
      } catch (error) {
        return brokerDown(kafkaReason(error));
      }
      try {
        const sent = line.value.send({ topic, key, value: delivery.body, headers });
        await withTimeout(sent, timeoutMs, () => {
          throw new UnansweredError();
        });
        return ACKNOWLEDGED;
      } catch (error) {
        const elsewhere = destination !== undefined && isUnknownTopic(error);
        if (!elsewhere && !isDefinite(error)) void line.close();
        return classify(error, destination);
      }
    },
    close: () => link.close(),
  };
}

async function dial(url: string): Promise<BrokerLine<Publisher>> {
  await ensureKafkaTopic(url);
  const { Producer, stringSerializers } = await loadKafka();
  // The client turns so few retries into any number when it is told to be idempotent as a whole, so it is told with each request.
  const producer: TextProducer = new Producer({
    ...kafkaOptions(url),
    serializers: stringSerializers,
    maxInflights: 1,
  });
  producer.on("error", () => undefined);
  const send = createKafkaBatch(async (records) => {
    const messages = records.map(({ headers, ...record }) => ({ ...record, headers: { ...headers } }));
    await producer.send({ messages, idempotent: true, acks: ALL_IN_SYNC });
  }, isOfOneRecord);
  return kafkaLine({ send }, () => producer.close());
}

/** Kafka's `acks=all`. */
const ALL_IN_SYNC = -1;

class UnansweredError extends Error {
  override readonly name = "UnansweredError";
}

const TOO_LARGE = ["MESSAGE_TOO_LARGE", "RECORD_LIST_TOO_LARGE"];
const FORBIDDEN = ["TOPIC_AUTHORIZATION_FAILED", "CLUSTER_AUTHORIZATION_FAILED"];
const REFUSED = ["INVALID_RECORD", "CORRUPT_MESSAGE", "INVALID_TIMESTAMP", "POLICY_VIOLATION"];

const isOfOneRecord = (error: unknown): boolean => isKafkaError(error, [...TOO_LARGE, ...REFUSED]);
/** The broker has said that it has nothing of it. */
const isDefinite = (error: unknown): boolean => isOfOneRecord(error) || isKafkaError(error, FORBIDDEN);

function classify(error: unknown, destination: string | undefined): DeliveryResult {
  if (error instanceof UnansweredError) return noAnswer();
  if (isKafkaError(error, TOO_LARGE)) return tooLarge();
  if (destination !== undefined && isUnknownTopic(error)) return badDestination("Kafka has no such topic");
  if (isKafkaError(error, FORBIDDEN))
    return { kind: "failed", code: "delivery.forbidden", reason: "This user of Kafka may not publish there" };
  const name = kafkaReason(error);
  if (isKafkaError(error, REFUSED))
    return { kind: "failed", code: `delivery.kafka_${name.toLowerCase()}`, reason: "Kafka refused the message" };
  return brokerDown(name);
}
