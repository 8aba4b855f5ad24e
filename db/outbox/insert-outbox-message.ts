import type { Queryable } from "@/db/client";
import type { OutboxMessage } from "../operations/complete";

export interface OutboxInput extends Omit<OutboxMessage, "headers"> {
  readonly tenantId: string;
  /** The operation whose effect it tells of; none for a change that is no operation. */
  readonly operationId: string | undefined;
  readonly headers: Readonly<Record<string, string | boolean>>;
}

/**
 * Writes a message for the relay in the caller's transaction, e.g. that of a consumer's inbox row.
 * @returns false when a message of this id waits already
 */
export async function insertOutboxMessage(tx: Queryable, message: OutboxInput): Promise<boolean> {
  const { rows } = await tx.query<{ written: boolean }>({
    name: "enqueue_outbox",
    text: "select onceboard.enqueue_outbox($1,$2,$3,$4,$5,$6,$7,$8::jsonb,$9::jsonb) as written",
    values: [
      message.tenantId,
      message.id,
      message.operationId,
      message.aggregateType,
      message.aggregateId,
      message.topic,
      message.type,
      JSON.stringify(message.payload),
      JSON.stringify(message.headers),
    ],
  });
  return rows[0]?.written === true;
}
