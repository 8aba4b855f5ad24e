import type { Queryable } from "@/db/client";

/** Whose sign-in waits for a code, by the login library's secret name of it. @returns the operator's id */
export async function pendingOperator(db: Queryable, identifier: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    text: `select value as id from onceboard.verifications
            where identifier = $1 and identifier like '2fa-%' and expires_at > clock_timestamp() limit 1`,
    values: [identifier],
  });
  return rows[0]?.id;
}
