import { subscribe } from "node:diagnostics_channel";
import type { EventEmitter } from "node:events";
import { isIP } from "node:net";
import type { BaseOptions, SASLOptions, SASLMechanismValue } from "@platformatic/kafka";
import { AppError } from "@/domain/errors";
import { kafkaAddress, type KafkaAddress, type SaslMechanism } from "@/domain/messages/kafka-url";
import { settledWithin } from "@/domain/with-timeout";
import type { BrokerLine } from "./link";

/** The topic of all our events, and the consumer group that feeds the inbox. */
export const KAFKA_TOPIC = "onceboard.events";
export const KAFKA_GROUP = "onceboard-inbox";
/** Of the topic, when it is missing and made here; as many workers share the work at most. */
export const KAFKA_PARTITIONS = 6;
/** As many copies as the cluster's own `default.replication.factor` says. */
const CLUSTER_DEFAULT = -1;
const CONNECT_MS = 2_000;
/** Of one request; a broker that hangs is noticed after it. */
const REQUEST_MS = 5_000;
const RETRIES = 2;
const RETRY_MS = 200;
const CLOSE_MS = 2_000;

/** As the protocol names them. */
const MECHANISMS: Readonly<Record<SaslMechanism, SASLMechanismValue>> = {
  plain: "PLAIN",
  "scram-sha-256": "SCRAM-SHA-256",
  "scram-sha-512": "SCRAM-SHA-512",
};

/**
 * Loads the client, which is installed by whoever uses Kafka.
 *
 * @throws AppError `kafka.client_missing`, in one sentence
 */
export async function loadKafka() {
  try {
    const kafka = await import("@platformatic/kafka");
    surviveResets(kafka.instancesChannel.name);
    return kafka;
  } catch (error) {
    throw new AppError("kafka.client_missing", 500, "KAFKA_URL is set and its client is not installed", {
      detail: "Install the package @platformatic/kafka beside onceboard, or leave KAFKA_URL out.",
      cause: error,
    });
  }
}

let surviving = false;

/**
 * A connection that is reset while it signs in says `error` once more when it closes, to nobody: a second listener of its own
 * keeps that from ending the process. The client itself hears of the failure by its call.
 */
function surviveResets(instances: string | symbol): void {
  if (surviving) return;
  surviving = true;
  subscribe(instances, (created) => {
    const { type, instance } = created as { type: string; instance: EventEmitter };
    if (type === "connection") instance.on("error", () => undefined);
  });
}

/**
 * What a client connects with. It tries again a few times by itself; after that its owner opens another.
 *
 * @param url see `kafkaAddress`; an authority of your own for TLS goes into `NODE_EXTRA_CA_CERTS`
 * @throws AppError `kafka.bad_address`
 */
export function kafkaOptions(url: string): Omit<BaseOptions, "context"> {
  const address = kafkaAddress(url);
  if ("problem" in address) throw new AppError("kafka.bad_address", 500, `KAFKA_URL ${address.problem}`);
  const sasl = saslOf(address);
  return {
    clientId: "onceboard",
    bootstrapBrokers: [...address.brokers],
    connectTimeout: CONNECT_MS,
    requestTimeout: REQUEST_MS,
    timeout: REQUEST_MS,
    retries: RETRIES,
    retryDelay: RETRY_MS,
    autocreateTopics: false,
    ...(address.tls && { tls: {}, tlsServerName: !address.brokers.some(({ host }) => isIP(host) !== 0) }),
    ...(sasl !== undefined && { sasl }),
  };
}

function saslOf({ user, token }: KafkaAddress): SASLOptions | undefined {
  if (token !== undefined) return { mechanism: "OAUTHBEARER", token };
  if (user === undefined) return undefined;
  return { mechanism: MECHANISMS[user.mechanism], username: user.name, password: user.password };
}

/** Makes the topic of our events when it is missing, and leaves it as it is when it is there. @throws what the client says */
export async function ensureKafkaTopic(url: string): Promise<void> {
  const { Admin } = await loadKafka();
  const admin = new Admin(kafkaOptions(url));
  admin.on("error", () => undefined);
  try {
    const existing = await admin.listTopics();
    if (existing.includes(KAFKA_TOPIC)) return;
    await admin.createTopics({ topics: [KAFKA_TOPIC], partitions: KAFKA_PARTITIONS, replicas: CLUSTER_DEFAULT });
  } catch (error) {
    if (!isKafkaError(error, ["TOPIC_ALREADY_EXISTS"])) throw error;
  } finally {
    await closed(admin.close());
  }
}

/** A line whose owner says when it is lost: the client mends its connections by itself, up to its retries. */
export function kafkaLine<T>(value: T, close: () => Promise<void>): BrokerLine<T> {
  let lose = (): void => undefined;
  const lost = new Promise<void>((resolve) => (lose = resolve));
  return {
    value,
    lost,
    async close() {
      lose();
      await closed(close());
    },
  };
}

type Closed = (error: Error | null | undefined) => void;

/** Leaves the group and gives the connections back. @throws what the client says; it is open then */
export function closeConsumer(consumer: { close(force: true, callback: Closed): void }): Promise<void> {
  return new Promise((resolve, reject) => {
    consumer.close(true, (error) => (error ? reject(error) : resolve()));
  });
}

/** A broker that hangs says no goodbye. */
async function closed(closing: Promise<void>): Promise<void> {
  await settledWithin(closing, CLOSE_MS);
}

interface Findable {
  findBy(property: string, value: unknown): unknown;
}

/** @param ids names of Kafka's own errors, such as MESSAGE_TOO_LARGE */
export function isKafkaError(error: unknown, ids: readonly string[]): boolean {
  return chain(error).some(
    (each) =>
      isFindable(each) && ids.some((id) => each.findBy("apiId", id) !== null && each.findBy("apiId", id) !== undefined),
  );
}

/** The cluster has no such topic; the client says so in words of its own. */
export function isUnknownTopic(error: unknown): boolean {
  const said = chain(error).some(({ message }) => message.startsWith("Unknown topic "));
  return said || isKafkaError(error, ["UNKNOWN_TOPIC_OR_PARTITION", "INVALID_TOPIC_EXCEPTION"]);
}

/** @returns Kafka's or the system's name of what happened, without an address or a secret */
export function kafkaReason(error: unknown): string {
  const names = chain(error).flatMap((each) => {
    const { apiId, code } = each as Error & { apiId?: unknown; code?: unknown };
    if (typeof apiId === "string") return [apiId];
    return typeof code === "string" && !code.startsWith("PLT_") ? [code] : [];
  });
  return names[0] ?? (error instanceof Error && "code" in error ? String(error.code) : "unknown");
}

function isFindable(error: unknown): error is Findable {
  return typeof error === "object" && error !== null && "findBy" in error && typeof error.findBy === "function";
}

const CHAIN_LIMIT = 30;

/** An error, what it holds and what caused it. */
function chain(error: unknown): readonly Error[] {
  const found: Error[] = [];
  const waiting = [error];
  while (waiting.length > 0 && found.length < CHAIN_LIMIT) {
    const next = waiting.shift();
    if (!(next instanceof Error)) continue;
    found.push(next);
    if (next instanceof AggregateError) waiting.push(...(next.errors as unknown[]));
    if (next.cause !== undefined) waiting.push(next.cause);
  }
  return found;
}
