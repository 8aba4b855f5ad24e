import { and, asc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { dayOf, pick, rowsOf, select, type RowOf } from "@/db/query";
import { idempotencyEvents } from "@/db/schema";

const e = alias(idempotencyEvents, "e");

/** Events of one operation that its page reads; a key that was retried more often says so. */
export const OPERATION_EVENTS = 500;

export type OperationEventRow = RowOf<typeof selectOperationEvents>;

/** The first events of an operation in order, one more than the limit. @param since its creation, RFC 3339 */
export async function selectOperationEvents(q: Queryable, tenantId: string, operationId: string, since: string) {
  const query = select({
    ...pick(e, "id", "at", "type", "outcome", "requestId", "client", "actor", "fence", "attempt", "latencyMs"),
    ...pick(e, "status", "code", "detail"),
    servedHash: sql<string | null>`encode(${e.servedHash}, 'hex')`,
  })
    .from(e)
    .where(and(eq(e.tenantId, tenantId), eq(e.operationId, operationId), sql`${e.day} >= ${dayOf(since)}`))
    .orderBy(asc(e.at), asc(e.id))
    .limit(OPERATION_EVENTS + 1);
  return rowsOf(q, query);
}
