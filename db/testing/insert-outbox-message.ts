import type { Queryable } from "@/db/client";

export interface NewOutboxMessage {
  readonly tenantId: string;
  readonly id: string;
  readonly operationId: string;
  readonly aggregateType: string;
  readonly aggregateId: string;
  readonly topic: string;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Writes a message as an effect would, as the owner of the tables: in the product only complete() writes one (S3.5). */
export async function insertOutboxMessage(db: Queryable, message: NewOutboxMessage): Promise<void> {
  await db.query({
    name: "insert_outbox_message",
    text: `insert into onceboard.outbox_messages
             (tenant_id, id, operation_id, aggregate_type, aggregate_id, topic, type, payload, headers, created_at, next_attempt_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9::jsonb, clock_timestamp(), clock_timestamp())`,
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
}
