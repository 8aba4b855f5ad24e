import type { Consumer } from "@platformatic/kafka";
import { KAFKA_TOPIC } from "@/engine/outbox/transports/kafka-line";

/** As requests for offsets name them. */
const EARLIEST = -2n;
const LATEST = -1n;
/** Nobody knows of which leader the record is. */
const NO_EPOCH = -1;

/**
 * Moves what the group has committed of our partitions to the oldest record there is, where no record is at that place any more: the
 * topic keeps records for less time than nobody read it, or its log was cut. The client would ask for that place for ever.
 *
 * @param consumer in its group
 * @returns records that are known to be gone and were not read; undefined when each place has its record
 * @throws what the client says
 */
export async function skipWhatIsGone<K, V, HK, HV>(consumer: Consumer<K, V, HK, HV>): Promise<number | undefined> {
  const ours = consumer.assignments?.find(({ topic }) => topic === KAFKA_TOPIC)?.partitions ?? [];
  if (ours.length === 0) return undefined;
  const topics = [KAFKA_TOPIC];
  const [first, end, committed] = await Promise.all([
    consumer.listOffsets({ topics, timestamp: EARLIEST }),
    consumer.listOffsets({ topics, timestamp: LATEST }),
    consumer.listCommittedOffsets({ topics: [{ topic: KAFKA_TOPIC, partitions: ours }] }),
  ]);
  const at = (offsets: Map<string, bigint[]>, partition: number): bigint =>
    offsets.get(KAFKA_TOPIC)?.[partition] ?? -1n;
  const lost = ours.flatMap((partition) => {
    const [offset, place] = [at(first, partition), at(committed, partition)];
    const gone = place >= 0n && (place < offset || place > at(end, partition));
    return gone ? [{ topic: KAFKA_TOPIC, partition, offset, leaderEpoch: NO_EPOCH, place }] : [];
  });
  if (lost.length === 0) return undefined;
  await consumer.commit({ offsets: lost.map(({ place: _, ...offset }) => offset) });
  return lost.reduce((sum, { offset, place }) => sum + Math.max(0, Number(offset - place)), 0);
}
