import type { Queryable } from "@/db/client";

export interface ReceiveInput {
  readonly tenantId: string;
  readonly id: string;
  readonly arrivalId: string;
  readonly consumer: string;
  readonly source: string;
  readonly messageId: string;
  readonly type: string;
  readonly operationId: string | undefined;
  readonly payload: unknown;
  /** SHA-256 of the raw bytes. */
  readonly payloadHash: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** Its consumer crosses to somewhere else: handled alone from the first. */
  readonly alone: boolean;
}

export interface ReceivedRow {
  readonly outcome: "recorded" | "duplicate" | "mismatch";
  readonly inbox_id: string;
}

/**
 * Records arrivals before anything is handled (S3.5), each for one consumer: one statement, so all of them or none.
 *
 * @returns what became of each, in the order of the inputs
 */
export async function receiveMessages(db: Queryable, inputs: readonly ReceiveInput[]): Promise<ReceivedRow[]> {
  const of = <Key extends keyof ReceiveInput>(key: Key): ReceiveInput[Key][] => inputs.map((input) => input[key]);
  const { rows } = await db.query<ReceivedRow>({
    name: "receive",
    text: `select r.outcome, r.inbox_id
           from unnest($1::text[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::uuid[], $9::jsonb[],
             $10::bytea[], $11::jsonb[], $12::text[], $13::boolean[]) with ordinality
             as m(tenant_id, id, arrival_id, consumer, source, message_id, type, operation_id, payload, payload_hash, headers, request_id,
               alone, n),
             lateral onceboard.receive(m.tenant_id, m.id, m.arrival_id, m.consumer, m.source, m.message_id, m.type, m.operation_id,
               m.payload, m.payload_hash, m.headers, m.request_id, m.alone) r
           order by m.n`,
    values: [
      of("tenantId"),
      of("id"),
      of("arrivalId"),
      of("consumer"),
      of("source"),
      of("messageId"),
      of("type"),
      of("operationId"),
      of("payload").map((payload) => JSON.stringify(payload)),
      of("payloadHash"),
      of("headers").map((headers) => JSON.stringify(headers)),
      of("requestId"),
      of("alone"),
    ],
  });
  if (rows.length !== inputs.length) throw new Error("receive() did not answer for each message");
  return rows;
}

/** {@link receiveMessages} of one. */
export async function receiveMessage(db: Queryable, input: ReceiveInput): Promise<ReceivedRow> {
  const [row] = await receiveMessages(db, [input]);
  if (row === undefined) throw new Error("receive() returned no row");
  return row;
}
