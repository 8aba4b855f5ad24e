import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { NATS_INBOX, NATS_STREAM } from "@/engine/outbox/transports/nats-line";

/** Messages that are looked through; a campaign has fewer. */
const LOOK_MAX = 50_000;

/**
 * Whether the broker still holds messages that were published over NATS and never arrived: then nobody asked it for them.
 * Held or gone, they stay failures of Q18.
 *
 * @param problems lines that name messages by their id
 * @returns one line about the stream, and one for each message that it still holds
 */
export async function natsHeld(url: string, problems: readonly string[]): Promise<string[]> {
  const lost = problems.filter((problem) => problem.includes("published over nats"));
  if (lost.length === 0) return [];
  const connection = await connect({ servers: url });
  try {
    const manager = await jetstreamManager(connection);
    const { state } = await manager.streams.info(NATS_STREAM);
    const { num_pending, num_ack_pending, delivered, ack_floor } = await manager.consumers.info(
      NATS_STREAM,
      NATS_INBOX,
    );
    const held: string[] = [];
    for (let seq = state.first_seq, looked = 0; looked < LOOK_MAX; looked += 1) {
      const query = { seq, next_by_subj: ">" };
      const stored = await manager.streams.getMessage(NATS_STREAM, query);
      if (stored === null) break;
      const id = stored.header.get("Nats-Msg-Id");
      if (id !== "" && lost.some((problem) => problem.includes(id)))
        held.push(`  held at ${String(stored.seq)}: ${id}`);
      seq = stored.seq + 1;
    }
    return [
      `  NATS still holds ${String(held.length)} of ${String(lost.length)} that did not arrive; the others it acknowledged and has no more. ` +
        `Held ${String(state.messages)} in ${String(state.first_seq)}-${String(state.last_seq)}, pending ${String(num_pending)}, ` +
        `unacknowledged ${String(num_ack_pending)}, delivered to ${String(delivered.stream_seq)}, floor ${String(ack_floor.stream_seq)}`,
      ...held,
    ];
  } finally {
    await connection.close();
  }
}
