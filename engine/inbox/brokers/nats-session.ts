import type { Consumer, ConsumerMessages, JsMsg } from "@nats-io/jetstream";
import { prepare } from "@/engine/outbox/transports/link";
import { dialNats, ensureNatsStream, NATS_INBOX, NATS_STREAM } from "@/engine/outbox/transports/nats-line";
import { giveAnswer, type BrokerMessage } from "./broker-message";
import { startSweep, type SweepTimes } from "./nats-sweep";
import type { Give, Session, SessionWatch } from "./subscription";

/** Messages of one pull; the next is asked for when there is room again. */
export const NATS_PULL = 100;
/** A pull that brings nothing ends after this. */
const PULL_EXPIRES_MS = 5_000;

/**
 * Pulls from the durable consumer of the stream, makes both when they are missing, and sweeps what the stream holds and the
 * consumer does not deliver.
 *
 * @throws when the broker is not there
 */
export async function openNatsSession(
  url: string,
  give: Give,
  watch?: SessionWatch,
  times?: SweepTimes,
): Promise<Session> {
  const line = await dialNats(url);
  return prepare(line, async () => {
    const manager = await ensureNatsStream(line.value);
    const consumer = await manager.jetstream().consumers.get(NATS_STREAM, NATS_INBOX);
    // As it was before the first pull.
    const { delivered } = await consumer.info(true);
    const pulling = createPull(consumer, give);
    const sweep = startSweep({ manager, give, begun: delivered.stream_seq, watch, times });
    return {
      lost: Promise.race([line.lost, pulling.ended]).then(() => undefined),
      pause: () => Promise.all([pulling.stop(), sweep.stop()]).then(() => undefined),
      close() {
        // What it asks is over with its connection.
        void sweep.stop();
        return line.close();
      },
    };
  });
}

interface Pull {
  /** Resolves when it stopped or failed; never rejects. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

function createPull(consumer: Consumer, give: Give): Pull {
  let stopped = false;
  let current: ConsumerMessages | undefined;
  const pull = async (): Promise<void> => {
    while (!stopped) {
      current = await consumer.fetch({ max_messages: NATS_PULL, expires: PULL_EXPIRES_MS });
      for await (const message of current) await give(brokerMessage(message));
      // An end with an error: consumer or stream were removed, and the next session makes them again.
      const error = await current.closed();
      if (error instanceof Error) throw error;
    }
  };
  const ended = pull().catch(() => undefined);
  return {
    ended,
    async stop() {
      stopped = true;
      await current?.close();
      await ended;
    },
  };
}

function brokerMessage(message: JsMsg): BrokerMessage {
  return {
    body: message.data,
    header: (name) => message.headers?.get(name) || undefined,
    accept: () => giveAnswer(() => message.ack()),
    // Without a reason: servers before 2.10 know none, and would deliver the message again.
    refuse: () => giveAnswer(() => message.term()),
    giveBack: () => giveAnswer(() => message.nak()),
  };
}
