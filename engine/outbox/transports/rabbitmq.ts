import { withTimeout } from "@/domain/with-timeout";
import type { ConfirmChannel, Message, Options } from "amqplib";
import type { DeliveryResult, OutboxDelivery, Transport } from "../transport";
import { brokerHeaders, word } from "./broker-headers";
import { outboxContentType } from "../envelope";
import { createLink, noAnswerInTime, prepare, reasonOf, type BrokerLine } from "./link";
import { dialRabbitmq, ensureRabbitmqTopology, RABBITMQ_EXCHANGE, type RabbitmqLine } from "./rabbitmq-line";
import { ACKNOWLEDGED, badDestination, brokerDown, noAnswer, tooLarge } from "./delivery-results";
import { createSigner, type Signer } from "./sign";

/** Publications of one topic under way at once: confirms come back in any order. */
export const RABBITMQ_CONCURRENCY = 64;
/** Other exchanges that operators named; each has a channel, because an error closes the whole channel. */
export const RABBITMQ_CHANNELS_MAX = 64;
const MAX_NAME_BYTES = 255;
const EXCHANGE = /^[\w.:-]{1,255}$/;
const UNROUTABLE = "delivery.unroutable";
/** What the client says of a negative confirm. */
const NACKED = "message nacked";
const NOT_FOUND = 404;

export interface RabbitmqTransportOptions {
  /** `amqp://user:password@host:5672/vhost` */
  readonly url: string;
  readonly signer?: Signer;
}

/** A confirm channel and what is under way on it. */
interface Publisher {
  readonly channel: ConfirmChannel;
  /** Ids of messages that the broker gave back because no queue takes them; their confirm follows. */
  readonly returned: Map<string, { readonly code: number; readonly text: string }>;
}

interface Broker {
  readonly line: RabbitmqLine;
  readonly publishers: Map<string, Promise<Publisher>>;
}

/** @returns the routing key of a message: `<tenant>.<topic>.<type>`, where the type's own dots stay. */
export function routingKey(tenantId: string, topic: string, type: string): string {
  const key = [tenantId, topic, ...type.split(".")].map(word).join(".");
  return key.slice(0, MAX_NAME_BYTES);
}

/**
 * Publishes to RabbitMQ and takes the publisher confirm for the acknowledgement. Messages are persistent and
 * mandatory: one that no queue takes comes back and is not acknowledged. The operator's destination is the name of another
 * exchange, which whoever runs the broker has made.
 */
export function createRabbitmqTransport(options: RabbitmqTransportOptions): Transport {
  const signer = options.signer ?? createSigner();
  const link = createLink(async (): Promise<BrokerLine<Broker>> => {
    const line = await dialRabbitmq(options.url);
    await prepare(line, () => ensureRabbitmqTopology(line.value));
    return { value: { line, publishers: new Map() }, lost: line.lost, close: () => line.close() };
  });
  return {
    name: "rabbitmq",
    concurrency: RABBITMQ_CONCURRENCY,
    async deliver(ctx, delivery, { timeoutMs, destination }) {
      const exchange = destination ?? RABBITMQ_EXCHANGE;
      if (!EXCHANGE.test(exchange)) return badDestination("The destination is not a name of an exchange");
      const properties: Options.Publish = {
        persistent: true,
        mandatory: true,
        messageId: delivery.id,
        type: delivery.type.slice(0, MAX_NAME_BYTES),
        contentType: outboxContentType(delivery.headers),
        headers: await brokerHeaders(ctx, signer, delivery),
      };
      let publisher: Publisher;
      let line: BrokerLine<Broker>;
      try {
        line = await link.line(timeoutMs);
        if (line.value.line.blocked()) return brokerDown("it takes no messages now (out of memory or disk)");
        publisher = await withTimeout(publisherOf(line.value, exchange), timeoutMs, noAnswerInTime);
      } catch (error) {
        return isNotFound(error) ? badDestination("The broker has no such exchange") : brokerDown(reasonOf(error));
      }
      const key = routingKey(ctx.tenantId, delivery.topic, delivery.type);
      const outcome = await publish(publisher, { exchange, key, properties, delivery, timeoutMs });
      // Somebody removed our own queue: the next line makes it anew.
      if (outcome.kind === "failed" && outcome.code === UNROUTABLE && destination === undefined) await line.close();
      return outcome;
    },
    close: () => link.close(),
  };
}

/** @throws Error of the broker, 404 for an exchange that is not there */
function publisherOf(broker: Broker, exchange: string): Promise<Publisher> {
  const known = broker.publishers.get(exchange);
  if (known !== undefined) return known;
  if (broker.publishers.size >= RABBITMQ_CHANNELS_MAX) return Promise.reject(new Error("too many destinations"));
  const opening = openPublisher(broker, exchange);
  broker.publishers.set(exchange, opening);
  opening.catch(() => broker.publishers.delete(exchange));
  return opening;
}

async function openPublisher(broker: Broker, exchange: string): Promise<Publisher> {
  const channel = await broker.line.value.createConfirmChannel();
  const returned: Publisher["returned"] = new Map();
  // What went wrong is told by the close that follows: whatever is under way fails, and the next delivery opens another.
  channel.on("error", () => undefined);
  channel.on("close", () => void broker.publishers.delete(exchange));
  channel.on("return", ({ properties, fields }: Message) => {
    const { replyCode, replyText } = fields as unknown as { readonly replyCode: number; readonly replyText: string };
    returned.set(String(properties.messageId), { code: replyCode, text: replyText });
  });
  await channel.checkExchange(exchange);
  return { channel, returned };
}

function isNotFound(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return cause instanceof Error && "code" in cause && cause.code === NOT_FOUND;
}

interface Publication {
  readonly exchange: string;
  readonly key: string;
  readonly properties: Options.Publish;
  readonly delivery: OutboxDelivery;
  readonly timeoutMs: number;
}

/** Never rejects. A confirm that comes after the time is up changes nothing: the message comes again under the same id. */
function publish({ channel, returned }: Publisher, publication: Publication): Promise<DeliveryResult> {
  const { exchange, key, properties, delivery, timeoutMs } = publication;
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(noAnswer()), timeoutMs);
    const end = (result: DeliveryResult): void => {
      clearTimeout(timer);
      resolve(result);
    };
    try {
      channel.publish(exchange, key, Buffer.from(delivery.body), properties, (error: unknown) => {
        const back = returned.get(delivery.id);
        returned.delete(delivery.id);
        end(confirmed(error, back));
      });
    } catch (error) {
      end(error instanceof RangeError ? tooLarge() : brokerDown(reasonOf(error)));
    }
  });
}

function confirmed(error: unknown, back: { readonly code: number; readonly text: string } | undefined): DeliveryResult {
  if (error instanceof Error && error.message === NACKED) {
    return { kind: "failed", code: "delivery.nacked", reason: "The broker refused to keep the message" };
  }
  if (error instanceof Error) return brokerDown(reasonOf(error));
  if (back === undefined) return ACKNOWLEDGED;
  const code = back.text === "NO_ROUTE" ? UNROUTABLE : `delivery.amqp_${String(back.code)}`;
  return { kind: "failed", code, reason: `The broker gave the message back: ${String(back.code)} ${back.text}` };
}
