import type { Queryable } from "@/db/client";

/** @returns the hash of an operator's password; undefined for one who signs in elsewhere only */
export async function operatorPasswordHash(db: Queryable, operatorId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ password: string | null }>({
    text: "select password from onceboard.operator_accounts where user_id = $1 and provider_id = 'credential' limit 1",
    values: [operatorId],
  });
  return rows[0]?.password ?? undefined;
}
