import type { Queryable } from "@/db/client";

/** @returns whether there is an operator of this e-mail. */
export async function changeOperatorRoleRow(db: Queryable, email: string, role: string): Promise<boolean> {
  const { rowCount } = await db.query({
    text: "update onceboard.operators set role = $2, updated_at = clock_timestamp() where email = $1",
    values: [email, role],
  });
  return rowCount === 1;
}
