import type { Queryable } from "@/db/client";

/** Takes back a session that was just opened. */
export async function endSessionByToken(db: Queryable, token: string): Promise<void> {
  await db.query({ text: "delete from onceboard.sessions where token = $1", values: [token] });
}
