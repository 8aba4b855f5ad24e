/** Messages of one request to the broker; they share its acknowledgement. */
export const KAFKA_BATCH = 64;
/** Bytes of one request: a broker's own limit, `message.max.bytes`, is 1 MiB by default and counts a whole batch. */
export const KAFKA_BATCH_BYTES = 512 * 1_024;

export interface KafkaRecord {
  readonly topic: string;
  readonly key: string;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
}

interface Waiting {
  readonly record: KafkaRecord;
  readonly bytes: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends what comes together in one request, one request at a time: an idempotent producer numbers its records, and a second
 * request that overtakes the first would be refused. A lone record goes at once. A batch that fails for what one record is
 * (`isOfOneRecord`) is sent again record by record, once.
 *
 * @param send resolves when the broker has acknowledged all of them
 * @returns resolves when its record is acknowledged, rejects with what `send` threw
 */
export function createKafkaBatch(
  send: (records: readonly KafkaRecord[]) => Promise<void>,
  isOfOneRecord: (error: unknown) => boolean,
): (record: KafkaRecord) => Promise<void> {
  const queue: Waiting[] = [];
  let working = false;
  const sendTogether = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      await send(batch.map(({ record }) => record));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      if (batch.length > 1 && isOfOneRecord(error)) for (const each of batch) await sendTogether([each]);
      else for (const { reject } of batch) reject(error);
    }
  };
  const work = async (): Promise<void> => {
    working = true;
    // What is given in this turn of the event loop goes with the first.
    await Promise.resolve();
    while (queue.length > 0) await sendTogether(take(queue));
    working = false;
  };
  return (record) =>
    new Promise<void>((resolve, reject) => {
      queue.push({ record, bytes: sizeOf(record), resolve, reject });
      if (!working) void work();
    });
}

/** The oldest, and those behind it of the same topic as far as they fit. */
function take(queue: Waiting[]): readonly Waiting[] {
  const topic = queue[0]?.record.topic;
  let bytes = 0;
  let count = 0;
  for (const each of queue) {
    bytes += each.bytes;
    const fits = count === 0 || (count < KAFKA_BATCH && bytes <= KAFKA_BATCH_BYTES);
    if (!fits || each.record.topic !== topic) break;
    count += 1;
  }
  return queue.splice(0, count);
}

function sizeOf({ key, value, headers }: KafkaRecord): number {
  return Buffer.byteLength(key) + Buffer.byteLength(value) + Buffer.byteLength(JSON.stringify(headers));
}
