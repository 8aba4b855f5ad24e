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
