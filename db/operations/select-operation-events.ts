import { and, asc, desc, eq, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { allColumns, builder, dayOf, pick, rowsOf, select, type RowOf } from "@/db/query";
import { idempotencyEvents } from "@/db/schema";

const e = alias(idempotencyEvents, "e");

/** Events of one operation that its page reads; a key that was retried more often says so. */
export const OPERATION_EVENTS = 500;

export type OperationEventRow = RowOf<typeof selectOperationEvents>;

/** Newest events that are searched for a decision where the first ones are not all. */
const LATE_EVENTS = 2_000;

/** The first events of an operation in order, one more than the limit. @param since its creation, RFC 3339 */
export async function selectOperationEvents(q: Queryable, tenantId: string, operationId: string, since: string) {
  const query = select({
    ...pick(e, "id", "at", "type", "outcome", "requestId", "client", "actor", "fence", "attempt", "latencyMs"),
    ...pick(e, "status", "code", "detail"),
    servedHash: sql<string | null>`encode(${e.servedHash}, 'hex')`,
  })
    .from(e)
    .where(ofOperation(tenantId, operationId, since))
    .orderBy(asc(e.at), asc(e.id))
    .limit(OPERATION_EVENTS + 1);
  return rowsOf(q, query);
}

/** A person's decisions among the newest events of an operation, oldest first. @param since its creation, RFC 3339 */
export async function selectLateDecisions(q: Queryable, tenantId: string, operationId: string, since: string) {
  const newest = builder
    .select(allColumns(e))
    .from(e)
    .where(ofOperation(tenantId, operationId, since))
    .orderBy(desc(e.at))
    .limit(LATE_EVENTS)
    .as("e");
  const query = select(pick(e, "type", "at", "actor", "fence", "detail"))
    .from(newest)
    .where(eq(e.type, "resolved"))
    .orderBy(asc(e.at));
  return rowsOf(q, query);
}

function ofOperation(tenantId: string, operationId: string, since: string): SQL | undefined {
  return and(eq(e.tenantId, tenantId), eq(e.operationId, operationId), sql`${e.day} >= ${dayOf(since)}`);
}
