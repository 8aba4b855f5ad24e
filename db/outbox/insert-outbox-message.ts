import type { Queryable } from "@/db/client";
import { callScalar } from "@/db/named-call";
import type { OutboxMessage } from "../operations/complete";

export interface OutboxInput extends Omit<OutboxMessage, "headers"> {
  readonly tenantId: string;
  /** The operation whose effect it tells of; none for a change that is no operation. */
  readonly operationId: string | undefined;
  readonly headers: Readonly<Record<string, string | boolean>>;
}

/**
 * Writes a message for the relay in the caller's transaction, e.g. that of a consumer's inbox row. Its payload stands as it is given: in
 * clear, but where `enqueueMessage` of the engine gave it.
 * @returns false when a message of this id waits already
 */
export async function insertOutboxMessage(tx: Queryable, message: OutboxInput): Promise<boolean> {
  const { tenantId, id, operationId, aggregateType, aggregateId, topic, type } = message;
  const [payload, headers] = [JSON.stringify(message.payload), JSON.stringify(message.headers)];
  const row = { tenantId, id, operationId, aggregateType, aggregateId, topic, type, payload, headers };
  return (await callScalar<boolean>(tx, "enqueue_outbox", row)) === true;
}
