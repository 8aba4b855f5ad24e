import type { Queryable } from "@/db/client";

/** A sealed body of an operation. `day` is its request's body_day. */
export async function selectBody(
  q: Queryable,
  tenantId: string,
  day: string,
  operationId: string,
  kind: "command" | "response",
): Promise<Buffer | undefined> {
  const { rows } = await q.query<{ body: Buffer }>({
    text: "select b.body from onceboard.idempotency_bodies b where b.tenant_id = $1 and b.day = $2::date and b.operation_id = $3 and b.kind = $4",
    values: [tenantId, day, operationId, kind],
  });
  return rows[0]?.body;
}

export interface SealedBody {
  readonly operation: string;
  readonly key: string;
  readonly kind: "command" | "response";
  readonly body: Buffer;
}

/** @returns the sealed command and answer of one operation; fewer when they were purged or never kept. */
export async function operationBodies(db: Queryable, tenantId: string, operationId: string): Promise<SealedBody[]> {
  const { rows } = await db.query<SealedBody>({
    name: "operation_bodies",
    text: `select r.operation, r.key, b.kind, b.body from onceboard.idempotency_requests r
           join onceboard.idempotency_bodies b on b.tenant_id = r.tenant_id and b.day = r.body_day and b.operation_id = r.operation_id
           where r.tenant_id = $1 and r.operation_id = $2`,
    values: [tenantId, operationId],
  });
  return rows;
}
