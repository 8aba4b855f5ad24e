import { and, asc, desc, eq, isNotNull, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { builder, countRows, dayOf, rowsOf, same, select, timeText, type RowOf } from "@/db/query";
import { idempotencyEvents, idempotencyRequests } from "@/db/schema";
import type { AnswerOutcome } from "@/domain/idempotency/states";

const e = alias(idempotencyEvents, "e");
const r = alias(idempotencyRequests, "r");

export type OperationAnswerRow = RowOf<typeof selectOperationAnswers>;

export interface TimePlace {
  readonly at: string;
  readonly id: string;
}

interface AnswersOf {
  readonly operationId: string;
  /** Its creation, RFC 3339. */
  readonly since: string;
}

function answersOf(tenantId: string, { operationId, since }: AnswersOf, after?: TimePlace): SQL | undefined {
  return and(
    eq(e.tenantId, tenantId),
    eq(e.operationId, operationId),
    isNotNull(e.outcome),
    sql`${e.day} >= ${dayOf(after?.at ?? since)}`,
    after && sql`(${e.at}, ${e.id}) > (${after.at}::timestamptz, ${after.id}::uuid)`,
  );
}

/** What the requests of one operation were answered, oldest first. */
export async function selectOperationAnswers(
  q: Queryable,
  tenantId: string,
  operation: AnswersOf,
  page: { readonly after: TimePlace | undefined; readonly limit: number },
) {
  const query = select({
    id: e.id,
    at: timeText(e.at),
    outcome: sql<AnswerOutcome>`${e.outcome}`,
    delay_ms: e.delayMs,
    status: e.status,
    code: e.code,
  })
    .from(e)
    .where(answersOf(tenantId, operation, page.after))
    .orderBy(asc(e.at), asc(e.id))
    .limit(page.limit);
  return rowsOf(q, query);
}

/** @returns how many there are, counted no further than the limit. */
export function countOperationAnswers(q: Queryable, tenantId: string, operation: AnswersOf, limit: number) {
  const found = builder.select({ id: e.id }).from(e).where(answersOf(tenantId, operation)).limit(limit);
  return countRows(q, found.as("x"));
}

/** Names of operations that one key stands for; more of them than this are not told apart. */
const MOST = 20;

export type OperationOfKeyRow = RowOf<typeof selectOperationsOfKey>;

/** One operation by its id, or all that a key stands for. */
export async function selectOperationsOfKey(
  q: Queryable,
  tenantId: string,
  by: {
    readonly operationId?: string | undefined;
    readonly key?: string | undefined;
    readonly operation?: string | undefined;
  },
) {
  const named = by.operationId === undefined ? sql`${r.key} = ${by.key ?? null}` : eq(r.operationId, by.operationId);
  const query = select({ operation_id: r.operationId, operation: r.operation, created_at: timeText(r.createdAt) })
    .from(r)
    .where(and(eq(r.tenantId, tenantId), named, same(r.operation, by.operation)))
    .orderBy(desc(r.createdAt))
    .limit(MOST);
  return rowsOf(q, query);
}
