import { and, asc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { dayOf, pick, rowsOf, select, timeText, type RowOf } from "@/db/query";
import { messageAttempts } from "@/db/schema";
import type { MessageSide } from "@/domain/messages/side";

const a = alias(messageAttempts, "a");

export type MessageAttemptDbRow = RowOf<typeof selectMessageAttempts>;

/** Rows of one message; one more says that there are more. */
export const ATTEMPTS_SHOWN = 100;

/** Attempts that did not succeed, oldest first. @param message.since when it was written, RFC 3339 */
export async function selectMessageAttempts(
  q: Queryable,
  tenantId: string,
  { side, id, since }: { readonly side: MessageSide; readonly id: string; readonly since: string },
) {
  const query = select({
    number: a.attempt,
    who: a.owner,
    at: timeText(a.endedAt),
    code: a.errorCode,
    ...pick(a, "outcome", "error"),
  })
    .from(a)
    .where(and(eq(a.tenantId, tenantId), eq(a.messageRowId, id), eq(a.side, side), sql`${a.day} >= ${dayOf(since)}`))
    .orderBy(asc(a.endedAt), asc(a.id))
    .limit(ATTEMPTS_SHOWN);
  return rowsOf(q, query);
}
