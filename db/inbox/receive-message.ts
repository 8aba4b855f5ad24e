import type { Database, Queryable } from "@/db/client";
import { isConnectionError, mapDatabaseError } from "@/db/errors";
import { BATCH_COUNTS_MS, batchPerPool } from "@/db/together/together";
import { inStatement } from "@/db/transaction";

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

/** What one call records: for each consumer a row, all of them or none. */
export interface Arrival {
  readonly inputs: readonly ReceiveInput[];
  /** Of its payload, as it came. */
  readonly bytes: number;
}

const ARRIVALS_TOGETHER = { rows: 50, bytes: 1_048_576, atOnce: 4, countsMs: BATCH_COUNTS_MS, waiting: 1_000 };

const arrivals = batchPerPool<Arrival, ReceivedRow[]>((pool) => ({
  limits: ARRIVALS_TOGETHER,
  bytesOf: ({ inputs, bytes }) => bytes * Math.max(1, inputs.length),
  groupOf: ({ inputs }) => inputs[0]?.tenantId ?? "",
  one: ({ inputs }) => inStatement({ pool }, (tx) => receiveMessages(tx, inputs)),
  async many(members) {
    const rows = await inStatement({ pool }, (tx) =>
      receiveMessages(
        tx,
        members.flatMap(({ inputs }) => inputs),
      ),
    );
    let next = 0;
    return members.map(({ inputs }) => rows.slice(next, (next += inputs.length)));
  },
}));

/**
 * As {@link receiveMessages}, in one statement and one commit with the arrivals that are in the process in the same turn.
 *
 * @throws AppError as `inStatement`
 */
export async function receiveTogether(db: Pick<Database, "pool">, arrival: Arrival): Promise<ReceivedRow[]> {
  try {
    return await arrivals(db.pool).submit(arrival);
  } catch (error) {
    // The caller's own time was over.
    throw isConnectionError(error) ? mapDatabaseError(error) : error;
  }
}

/** {@link receiveMessages} of one. */
export async function receiveMessage(db: Queryable, input: ReceiveInput): Promise<ReceivedRow> {
  const [row] = await receiveMessages(db, [input]);
  if (row === undefined) throw new Error("receive() returned no row");
  return row;
}
