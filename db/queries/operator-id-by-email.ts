import type { Queryable } from "@/db/client";

/** @param email in lower case */
export async function operatorIdByEmail(db: Queryable, email: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    text: "select id from onceboard.operators where email = $1",
    values: [email],
  });
  return rows[0]?.id;
}
