import { and, asc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { dayOf, rowsOf, select, timeText, type RowOf } from "@/db/query";
import { idempotencyEvents } from "@/db/schema";

const e = alias(idempotencyEvents, "e");

/** Events of one operation that its page reads; a key that was retried more often says so. */
export const OPERATION_EVENTS = 500;

export type OperationEventRow = RowOf<typeof selectOperationEvents>;

/** The first events of an operation in order, one more than the limit. @param since its creation, RFC 3339 */
export async function selectOperationEvents(q: Queryable, tenantId: string, operationId: string, since: string) {
  const query = select({
    id: e.id,
    at: timeText(e.at),
    type: e.type,
    outcome: e.outcome,
    request_id: e.requestId,
    client: e.client,
    actor: e.actor,
    fence: e.fence,
    attempt: e.attempt,
    delay_ms: e.delayMs,
    latency_ms: e.latencyMs,
    status: e.status,
    code: e.code,
    served_hash: sql<string | null>`encode(${e.servedHash}, 'hex')`,
    detail: e.detail,
  })
    .from(e)
    .where(and(eq(e.tenantId, tenantId), eq(e.operationId, operationId), sql`${e.day} >= ${dayOf(since)}`))
    .orderBy(asc(e.at), asc(e.id))
    .limit(OPERATION_EVENTS + 1);
  return rowsOf(q, query);
}
