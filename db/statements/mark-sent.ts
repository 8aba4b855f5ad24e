import type { Queryable } from "@/db/client";

/** LOCAL_PAYMENT_CREATED → PROVIDER_REQUEST_SENT. @returns false when taken over or past the lease: send nothing. */
export async function markSent(
  db: Queryable,
  tenantId: string,
  operationId: string,
  fence: number,
  requestId: string,
): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>({
    name: "mark_sent",
    text: "select onceboard.mark_sent($1,$2,$3,$4) as done",
    values: [tenantId, operationId, fence, requestId],
  });
  return rows[0]?.done === true;
}
