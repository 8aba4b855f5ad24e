import type { Channel, ConsumeMessage } from "amqplib";
import { prepare } from "@/engine/outbox/transports/link";
import { dialRabbitmq, ensureRabbitmqTopology, RABBITMQ_INBOX } from "@/engine/outbox/transports/rabbitmq-line";
import { giveAnswer, type BrokerMessage } from "./broker-message";
import type { Give, Session } from "./subscription";

/** Delivered to one worker and not answered yet. */
export const RABBITMQ_PREFETCH = 200;

/** Consumes the inbox's queue, and makes it when it is missing. @throws when the broker is not there */
export async function openRabbitmqSession(url: string, give: Give): Promise<Session> {
  const line = await dialRabbitmq(url);
  return prepare(line, async () => {
    await ensureRabbitmqTopology(line.value);
    const channel = await line.value.createChannel();
    channel.on("error", () => undefined);
    const closed = new Promise<void>((resolve) => channel.once("close", () => resolve()));
    await channel.prefetch(RABBITMQ_PREFETCH);
    let removed = (): void => undefined;
    const cancelled = new Promise<void>((resolve) => (removed = resolve));
    const { consumerTag } = await channel.consume(RABBITMQ_INBOX, (message) => {
      // Nothing: the queue was removed, and the next session makes it again.
      if (message === null) removed();
      // The prefetch is the bound, so nobody waits for room.
      else void give(brokerMessage(channel, message));
    });
    return {
      lost: Promise.race([line.lost, closed, cancelled]).then(() => undefined),
      pause: () => channel.cancel(consumerTag).then(() => undefined),
      close: () => line.close(),
    };
  });
}

function brokerMessage(channel: Channel, message: ConsumeMessage): BrokerMessage {
  const headers = message.properties.headers ?? {};
  return {
    body: message.content,
    header(name) {
      const value: unknown = headers[name];
      return typeof value === "string" ? value : undefined;
    },
    accept: () => giveAnswer(() => channel.ack(message)),
    // To the exchange of refused messages.
    refuse: () => giveAnswer(() => channel.reject(message, false)),
    giveBack: () => giveAnswer(() => channel.reject(message, true)),
  };
}
