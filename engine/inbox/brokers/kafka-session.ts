import type { Consumer, Message, MessagesStream } from "@platformatic/kafka";
import { prepare } from "@/engine/outbox/transports/link";
import {
  closeConsumer,
  ensureKafkaTopic,
  isKafkaError,
  KAFKA_GROUP,
  KAFKA_TOPIC,
  kafkaLine,
  kafkaOptions,
  kafkaReason,
  loadKafka,
} from "@/engine/outbox/transports/kafka-line";
import type { BrokerMessage } from "./broker-message";
import { skipWhatIsGone } from "./kafka-gone";
import { createPartitionOffsets, type PartitionOffsets } from "./kafka-offsets";
import type { Give, Session, SessionWatch } from "./subscription";

/** Records that the client reads ahead of us. */
const READ_AHEAD = 200;
/** Bytes of one fetch, over all partitions. */
const FETCH_BYTES = 4 * 1_024 * 1_024;
/** A fetch that brings nothing ends after this. */
const FETCH_WAIT_MS = 500;
/** A worker that says nothing for so long has lost its partitions to the others. */
const GROUP_SESSION_MS = 15_000;
const HEARTBEAT_MS = 3_000;
/** The others wait no longer than this for a worker that is slow to join again. */
const REBALANCE_MS = 20_000;

const OUT_OF_RANGE = ["OFFSET_OUT_OF_RANGE"];

type Reader = Consumer<string, Buffer | undefined, string, string>;
type Stream = MessagesStream<string, Buffer | undefined, string, string>;
type Rec = Message<string, Buffer | undefined, string, string>;

/** The group has been shared out anew: whoever has the partition now is given the records again. */
const NOT_OURS = ["ILLEGAL_GENERATION", "UNKNOWN_MEMBER_ID", "REBALANCE_IN_PROGRESS", "STALE_MEMBER_EPOCH"];

/**
 * Consumes the topic of our events in the group of the inbox, and makes the topic when it is missing. An offset is committed
 * after its rows are (I4), and only once all records before it are answered. What cannot be recorded now ends the session:
 * the next one begins where the group has committed, or with the oldest record where that one is gone.
 *
 * @throws when the broker is not there
 */
export async function openKafkaSession(url: string, give: Give, watch?: SessionWatch): Promise<Session> {
  await ensureKafkaTopic(url);
  const { Consumer, stringDeserializer } = await loadKafka();
  const consumer: Reader = new Consumer({
    ...kafkaOptions(url),
    groupId: KAFKA_GROUP,
    sessionTimeout: GROUP_SESSION_MS,
    heartbeatInterval: HEARTBEAT_MS,
    rebalanceTimeout: REBALANCE_MS,
    autocommit: false,
    maxBytes: FETCH_BYTES,
    maxWaitTime: FETCH_WAIT_MS,
    highWaterMark: READ_AHEAD,
    deserializers: {
      key: stringDeserializer,
      headerKey: stringDeserializer,
      headerValue: stringDeserializer,
    },
  });
  consumer.on("error", () => undefined);
  const line = kafkaLine(consumer, () => {
    // A group that cannot be told of it (its broker hangs) keeps the client open: it is told once more.
    const close = (): Promise<void> => closeConsumer(consumer);
    return close().catch(close);
  });
  return prepare(line, async () => {
    const stream = await consumer.consume({ topics: [KAFKA_TOPIC], mode: "committed", fallbackMode: "earliest" });
    const reading = startReading(consumer, stream, give);
    return {
      lost: Promise.race([line.lost.then(() => undefined), reading.ended]),
      pause: () => reading.stop(),
      async close() {
        await reading.committed();
        if (reading.outOfRange()) await goOn(consumer, watch);
        await line.close();
      },
    };
  });
}

async function goOn(consumer: Reader, watch: SessionWatch | undefined): Promise<void> {
  try {
    const gone = await skipWhatIsGone(consumer);
    if (gone !== undefined) watch?.gone?.(gone);
  } catch (error) {
    watch?.failed?.(error);
  }
}

interface Reading {
  /** Resolves when the stream has ended, to why if it failed, or when a record was given back; never rejects. */
  readonly ended: Promise<string | undefined>;
  /** The broker has no record where it was to go on. */
  outOfRange(): boolean;
  /** Takes no more records; answers still count. */
  stop(): Promise<void>;
  /** Resolves when what may be committed is, or cannot be. */
  committed(): Promise<void>;
}

function startReading(consumer: Reader, stream: Stream, give: Give): Reading {
  let stopped = false;
  let end = (_why?: string): void => undefined;
  const ended = new Promise<string | undefined>((resolve) => (end = resolve));
  const commits = createCommits(() => end());
  const partitions = new Map<number, PartitionOffsets<Rec>>();
  const offsetsOf = (partition: number): PartitionOffsets<Rec> => {
    const found = partitions.get(partition) ?? createPartitionOffsets<Rec>();
    partitions.set(partition, found);
    return found;
  };
  let outOfRange = false;
  stream.on("error", (error) => {
    outOfRange = isKafkaError(error, OUT_OF_RANGE);
    end(kafkaReason(error));
  });
  stream.once("close", () => end());
  // What the client does about a failed heartbeat is to join again; without a broker it fails at that, and so does the stream.
  consumer.on("consumer:heartbeat:error", ({ error }) => {
    if (!isKafkaError(error, NOT_OURS)) end();
  });
  const read = async (): Promise<void> => {
    for await (const record of stream) {
      if (stopped) return;
      await give(messageOf(record, offsetsOf(record.partition), commits, end));
    }
  };
  const reading = read()
    .catch(() => undefined)
    .finally(() => end());
  return {
    ended,
    outOfRange: () => outOfRange,
    async stop() {
      stopped = true;
      // Read ahead and not given: whoever comes next begins with it.
      stream.destroy();
      await reading;
    },
    committed: () => commits.idle(),
  };
}

interface Commits {
  /** The newest offset of a partition that may be committed. */
  push(record: Rec): void;
  idle(): Promise<void>;
}

/** One commit of a partition at a time; what came meanwhile is committed next, the newest of it. */
function createCommits(failed: () => void): Commits {
  const next = new Map<number, Rec>();
  let working: Promise<void> | undefined;
  const work = async (): Promise<void> => {
    // Answers of one batch come in one turn of the event loop.
    await Promise.resolve();
    for (let [first] = next; first !== undefined; [first] = next) {
      const [partition, record] = first;
      next.delete(partition);
      try {
        await record.commit();
      } catch (error) {
        if (!isKafkaError(error, NOT_OURS)) failed();
      }
    }
    working = undefined;
  };
  return {
    push(record) {
      next.set(record.partition, record);
      working ??= work();
    },
    async idle() {
      while (working !== undefined) await working;
    },
  };
}

function messageOf(record: Rec, offsets: PartitionOffsets<Rec>, commits: Commits, end: () => void): BrokerMessage {
  const ticket = offsets.delivered(record.offset, record);
  const answered = (): void => {
    const last = offsets.answered(ticket);
    if (last !== undefined) commits.push(last);
  };
  return {
    // A record may have no value: nothing is signed by that.
    body: record.value ?? new Uint8Array(),
    header: (name) => record.headers.get(name) || undefined,
    position: `${record.topic}/${String(record.partition)}@${String(record.offset)}`,
    accept: answered,
    // The log keeps it for as long as its topic keeps everything; the line about it says where.
    refuse: answered,
    giveBack: () => end(),
  };
}
