import type { Queryable } from "@/db/client";

/** Notes, by the database's clock, that the person of a session proved again who they are. */
export async function confirmSessionRow(db: Queryable, sessionId: string): Promise<void> {
  await db.query({
    text: "update onceboard.sessions set confirmed_at = clock_timestamp() where id = $1",
    values: [sessionId],
  });
}
