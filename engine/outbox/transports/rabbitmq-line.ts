import { connect, type Channel, type ChannelModel } from "amqplib";
import { settledWithin } from "@/domain/with-timeout";
import type { BrokerLine } from "./link";

/** Where all our events are published, and the durable queue that feeds the inbox. */
export const RABBITMQ_EXCHANGE = "onceboard.events";
export const RABBITMQ_INBOX = "onceboard.inbox";
/** Whatever the inbox refused: unsigned, forged, unreadable. Kept there for a person, the newest of them. */
export const RABBITMQ_REFUSED = "onceboard.refused";
export const RABBITMQ_REFUSED_MAX = 10_000;
const CONNECT_MS = 2_000;
/** Seconds; a broker that hangs is noticed after two of these. */
const HEARTBEAT_SECONDS = 5;
const CLOSE_MS = 2_000;
/** It is there, made otherwise: whoever runs the broker has decided. */
const PRECONDITION_FAILED = 406;

export interface RabbitmqLine extends BrokerLine<ChannelModel> {
  /** The broker takes nothing now: out of memory or of disk. */
  blocked(): boolean;
}

/**
 * Connects once; a line that is lost is not mended, its owner opens another.
 *
 * @param url `amqp://user:password@host:port/vhost`; `amqps://` wants encryption
 * @throws whatever the client says within some seconds
 */
export async function dialRabbitmq(url: string): Promise<RabbitmqLine> {
  const address = new URL(url);
  if (!address.searchParams.has("heartbeat")) address.searchParams.set("heartbeat", String(HEARTBEAT_SECONDS));
  const clientProperties = { connection_name: "onceboard" };
  const model = await connect(address.toString(), { timeout: CONNECT_MS, noDelay: true, clientProperties });
  let blocked = false;
  model.on("blocked", () => (blocked = true));
  model.on("unblocked", () => (blocked = false));
  // Every error is followed by a close, and that is what ends the line.
  model.on("error", () => undefined);
  const lost = new Promise<void>((resolve) => model.once("close", () => resolve()));
  return {
    value: model,
    lost,
    blocked: () => blocked,
    async close() {
      // A broker that hangs says no goodbye.
      await settledWithin(model.close(), CLOSE_MS);
    },
  };
}

/**
 * Makes exchange and queues when they are missing. The publisher makes them too: what is published while no worker runs is
 * kept for it, and a message that no queue takes is told.
 */
export async function ensureRabbitmqTopology(model: ChannelModel): Promise<void> {
  const durable = { durable: true };
  await ensure(model, (channel) => channel.assertExchange(RABBITMQ_EXCHANGE, "topic", durable));
  await ensure(model, (channel) => channel.assertExchange(RABBITMQ_REFUSED, "fanout", durable));
  await ensure(model, (channel) =>
    channel.assertQueue(RABBITMQ_REFUSED, {
      durable: true,
      arguments: { "x-queue-type": "classic", "x-max-length": RABBITMQ_REFUSED_MAX },
    }),
  );
  await ensure(model, (channel) =>
    channel.assertQueue(RABBITMQ_INBOX, {
      durable: true,
      // Not a quorum queue: it gives a message up after some redeliveries, and a database may be away for longer.
      arguments: { "x-queue-type": "classic", "x-dead-letter-exchange": RABBITMQ_REFUSED },
    }),
  );
  await ensure(model, (channel) => channel.bindQueue(RABBITMQ_REFUSED, RABBITMQ_REFUSED, ""));
  await ensure(model, (channel) => channel.bindQueue(RABBITMQ_INBOX, RABBITMQ_EXCHANGE, "#"));
}

/** Each on a channel of its own: the broker answers a contradiction by closing the channel. */
async function ensure(model: ChannelModel, declare: (channel: Channel) => Promise<unknown>): Promise<void> {
  const channel = await model.createChannel();
  channel.on("error", () => undefined);
  try {
    await declare(channel);
    await channel.close();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === PRECONDITION_FAILED)) throw error;
  }
}
