import { createKafkaTransport } from "@/engine/outbox/transports/kafka";
import { createNatsTransport } from "@/engine/outbox/transports/nats";
import { createRabbitmqTransport } from "@/engine/outbox/transports/rabbitmq";
import type { EngineContext } from "@/engine/context";
import { openKafkaSession } from "@/engine/inbox/brokers/kafka-session";
import { openNatsSession } from "@/engine/inbox/brokers/nats-session";
import { openRabbitmqSession } from "@/engine/inbox/brokers/rabbitmq-session";
import type { BrokerMessage } from "@/engine/inbox/brokers/broker-message";

/**
 * A process of its own that sends one message to a broker and takes it back, and prints `{"sent": …, "got": id}`. Node reads
 * NODE_EXTRA_CA_CERTS when it starts, so a test of TLS needs one. Arguments: broker, url, id.
 */
const [broker = "", url = "", id = ""] = process.argv.slice(2);
const LIMIT_MS = 20_000;
const signer = {
  sign: () => Promise.resolve({ "webhook-id": id, "webhook-timestamp": "1", "webhook-signature": "v1,x" }),
};
const transports = { nats: createNatsTransport, rabbitmq: createRabbitmqTransport, kafka: createKafkaTransport };
const sessions = { nats: openNatsSession, rabbitmq: openRabbitmqSession, kafka: openKafkaSession };
type Name = keyof typeof transports;

const transport = transports[broker as Name]({ url, signer });
const sent = await transport.deliver(
  { tenantId: "acme" } as EngineContext,
  { id, topic: "payments", type: "payment.succeeded", body: "{}", headers: {} },
  { timeoutMs: LIMIT_MS, destination: undefined },
);
let got: string | undefined;
if (sent.kind === "acknowledged") {
  let take = (_: BrokerMessage): void => undefined;
  const taken = new Promise<BrokerMessage>((resolve) => (take = resolve));
  const session = await sessions[broker as Name](url, (message) => {
    take(message);
    return Promise.resolve();
  });
  const message = await taken;
  got = message.header("webhook-id");
  message.accept();
  await session.close();
}
await transport.close();
process.stdout.write(`${JSON.stringify({ sent, got })}\n`);
