import type { Queryable } from "@/db/client";

export interface PurgedBodies {
  readonly operations: number;
  readonly bodyRows: number;
  /** Of the ciphertext. */
  readonly bytes: bigint;
}

/** Deletes stored bodies of settled operations, one batch; with an operation id that one whatever its age. */
export async function purgeBodiesBatch(
  db: Queryable,
  input: {
    readonly tenantId: string;
    readonly bodyTtlHours: number;
    readonly limit: number;
    readonly operationId?: string;
    /** Hours of the operations that keep theirs for another time. */
    readonly ttls?: Readonly<Record<string, number>>;
  },
): Promise<PurgedBodies> {
  const { rows } = await db.query<{ operations: number; body_rows: number; bytes: bigint }>({
    name: "purge_bodies",
    text: "select * from onceboard.purge_bodies($1,$2,$3,$4,$5::jsonb)",
    values: [input.tenantId, input.bodyTtlHours, input.limit, input.operationId, JSON.stringify(input.ttls ?? {})],
  });
  const row = rows[0];
  return { operations: row?.operations ?? 0, bodyRows: row?.body_rows ?? 0, bytes: row?.bytes ?? 0n };
}
