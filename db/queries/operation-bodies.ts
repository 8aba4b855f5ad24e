import type { Queryable } from "@/db/client";

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
