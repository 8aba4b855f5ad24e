import { kafkaAddress } from "@/domain/messages/kafka-url";
import { kafkaOptions, kafkaReason, loadKafka } from "@/engine/outbox/transports/kafka-line";
import { dialNats } from "@/engine/outbox/transports/nats-line";
import { dialRabbitmq } from "@/engine/outbox/transports/rabbitmq-line";
import { messageOf, note, ok, wrong, type Diagnosis } from "./diagnosis";

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

export interface BrokerAddresses {
  readonly natsUrl?: string | undefined;
  readonly rabbitmqUrl?: string | undefined;
  readonly kafkaUrl?: string | undefined;
}

/** Signs in at each broker that is configured, as the processes do, and leaves again. Says nothing secret. */
export async function examineBrokers({ natsUrl, rabbitmqUrl, kafkaUrl }: BrokerAddresses): Promise<Diagnosis[]> {
  const said = await Promise.all([
    natsUrl === undefined
      ? []
      : examine("NATS", hostsOf(natsUrl), natsUrl.includes("tls://"), () => leave(dialNats(natsUrl))),
    rabbitmqUrl === undefined
      ? []
      : examine("RabbitMQ", hostsOf(rabbitmqUrl), rabbitmqUrl.startsWith("amqps:"), () =>
          leave(dialRabbitmq(rabbitmqUrl)),
        ),
    kafkaUrl === undefined ? [] : examineKafka(kafkaUrl),
  ]);
  return said.flat();
}

async function examineKafka(url: string): Promise<Diagnosis[]> {
  const address = kafkaAddress(url);
  const hosts = "problem" in address ? [] : address.brokers.map(({ host }) => host);
  return examine("Kafka", hosts, url.startsWith("kafkas:"), async () => {
    const { Admin } = await loadKafka();
    const admin = new Admin(kafkaOptions(url));
    admin.on("error", () => undefined);
    try {
      await admin.listTopics();
    } catch (error) {
      throw new Error(kafkaReason(error), { cause: error });
    } finally {
      await admin.close().catch(() => undefined);
    }
  });
}

async function examine(
  name: string,
  hosts: readonly string[],
  tls: boolean,
  signIn: () => Promise<void>,
): Promise<Diagnosis[]> {
  try {
    await signIn();
  } catch (error) {
    return [
      wrong(
        `${name} at ${hosts.join(", ")} cannot be used: ${messageOf(error) || "no answer"} (docs/runbooks/brokers.md)`,
      ),
    ];
  }
  const clear = !tls && hosts.some((host) => !LOOPBACK.test(host));
  return [
    ok(`${name} at ${hosts.join(", ")} lets us in${tls ? ", over TLS" : ""}`),
    ...(clear ? [note(`What goes to ${name} can be read on its way: give it TLS (docs/runbooks/brokers.md)`)] : []),
  ];
}

const hostsOf = (url: string): readonly string[] => url.split(",").map((each) => new URL(each.trim()).hostname);

async function leave(line: Promise<{ close(): Promise<void> }>): Promise<void> {
  await (await line).close();
}
