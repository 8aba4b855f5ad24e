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

/** @returns ids of operations whose bodies are old enough but stay, because they are still open, oldest first. */
export async function skippedOpenBodies(
  db: Queryable,
  tenantId: string,
  retention: { readonly bodyTtlHours: number; readonly ttls: Readonly<Record<string, number>> },
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ operation_id: string }>({
    text: `select o.operation_id from onceboard.idempotency_open o
           join onceboard.idempotency_requests r on r.tenant_id = o.tenant_id and r.operation_id = o.operation_id
           where o.tenant_id = $1 and r.created_at <= clock_timestamp() - make_interval(hours => coalesce(($4::jsonb ->> r.operation)::integer, $2))
           order by r.created_at limit $3`,
    values: [tenantId, retention.bodyTtlHours, limit, JSON.stringify(retention.ttls)],
  });
  return rows.map((row) => row.operation_id);
}
