import type { Queryable } from "@/db/client";

/** Definitely no effect: the same key may run again. @returns false when fenced. */
export async function failRetryable(
  db: Queryable,
  tenantId: string,
  operationId: string,
  fence: number,
  errorCode: string,
): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>({
    name: "fail_retryable",
    text: "select onceboard.fail_retryable($1,$2,$3,$4) as done",
    values: [tenantId, operationId, fence, errorCode],
  });
  return rows[0]?.done === true;
}
