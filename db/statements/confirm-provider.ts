import type { Queryable } from "@/db/client";

/** PROVIDER_REQUEST_SENT → PROVIDER_CONFIRMED. @returns false when fenced. */
export async function confirmProvider(
  db: Queryable,
  tenantId: string,
  operationId: string,
  fence: number,
): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>({
    name: "confirm_provider",
    text: "select onceboard.confirm_provider($1,$2,$3) as done",
    values: [tenantId, operationId, fence],
  });
  return rows[0]?.done === true;
}
