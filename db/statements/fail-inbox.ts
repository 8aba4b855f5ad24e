import type { Queryable } from "@/db/client";
import { failedAttemptValues, type FailedAttempt } from "./failed-attempt";

/** @returns what the message is now; `fenced`: another process owns it, nothing was written. */
export async function failInbox(db: Queryable, input: FailedAttempt): Promise<"recorded" | "dead" | "fenced"> {
  const { rows } = await db.query<{ said: "recorded" | "dead" | "fenced" }>({
    name: "fail_inbox",
    text: "select onceboard.fail_inbox($1,$2,$3,$4,$5,$6,$7,$8,$9) as said",
    values: failedAttemptValues(input),
  });
  return rows[0]?.said ?? "fenced";
}
