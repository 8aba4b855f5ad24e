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

/** Records one arrival for one consumer before anything is handled (S3.5). */
export async function receiveMessage(db: Queryable, input: ReceiveInput): Promise<ReceivedRow> {
  const { rows } = await db.query<ReceivedRow>({
    name: "receive",
    text: "select * from onceboard.receive($1,$2,$3,$4,$5,$6,$7,$8,$9::jsonb,$10,$11::jsonb,$12,$13)",
    values: [
      input.tenantId,
      input.id,
      input.arrivalId,
      input.consumer,
      input.source,
      input.messageId,
      input.type,
      input.operationId,
      JSON.stringify(input.payload),
      input.payloadHash,
      JSON.stringify(input.headers),
      input.requestId,
      input.alone,
    ],
  });
  const row = rows[0];
  if (row === undefined) throw new Error("receive() returned no row");
  return row;
}
