import type { Queryable } from "@/db/client";
import { failedAttemptValues, type FailedAttempt } from "./failed-attempt";

/** @returns what the message is now; `fenced`: another relay owns it, nothing was written. */
export async function failOutbox(db: Queryable, input: FailedAttempt): Promise<"pending" | "dead" | "fenced"> {
  const { rows } = await db.query<{ said: "pending" | "dead" | "fenced" }>({
    name: "fail_outbox",
    text: "select onceboard.fail_outbox($1,$2,$3,$4,$5,$6,$7,$8,$9) as said",
    values: failedAttemptValues(input),
  });
  return rows[0]?.said ?? "fenced";
}
