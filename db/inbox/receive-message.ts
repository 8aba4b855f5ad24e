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
  /** In clear, or sealed: then with the three members that follow it. */
  readonly payload: unknown;
  /** `onceboard.document_hash()` of what is inside a sealed payload. */
  readonly documentHash?: Buffer | undefined;
  readonly providerKey?: string | undefined;
  readonly providerStatus?: string | undefined;
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

const OF_ONE =
  "select r.outcome, r.inbox_id from onceboard.receive($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16) r";
const OF_MANY = `select r.outcome, r.inbox_id from onceboard.receive_all($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16) with ordinality r
  order by r.ordinality`;

/**
 * Records arrivals before anything is handled, each for one consumer: one statement, so all of them or none.
 *
 * @returns what became of each, in the order of the inputs
 */
export async function receiveMessages(db: Queryable, inputs: readonly ReceiveInput[]): Promise<ReceivedRow[]> {
  const of = <Key extends keyof ReceiveInput>(key: Key): ReceiveInput[Key][] => inputs.map((input) => input[key]);
  const columns: readonly unknown[][] = [
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
    of("documentHash"),
    of("providerKey"),
    of("providerStatus"),
  ];
  const { rows } = await db.query<ReceivedRow>(
    inputs.length === 1
      ? { name: "receive", text: OF_ONE, values: columns.map(([value]) => value) }
      : { name: "receive_all", text: OF_MANY, values: [...columns] },
  );
  if (rows.length !== inputs.length) throw new Error("receive() did not answer for each message");
  return rows;
}

/** {@link receiveMessages} of one. */
export async function receiveMessage(db: Queryable, input: ReceiveInput): Promise<ReceivedRow> {
  const [row] = await receiveMessages(db, [input]);
  if (row === undefined) throw new Error("receive() returned no row");
  return row;
}
