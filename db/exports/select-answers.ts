import { hasKey } from "@/db/operations/caller-key";
import { and, asc, desc, eq, isNotNull, not, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { builder, countRows, isConsole, pick, rowsOf, same, select, type RowOf } from "@/db/query";
import { idempotencyEvents, idempotencyRequests } from "@/db/schema";
import type { AnswerOutcome } from "@/domain/idempotency/states";
import type { ReplayOutcomeFilters } from "@/domain/lists/filters";
import { type DayPlace, type ExportWindow, withinDays } from "./window";

const e = alias(idempotencyEvents, "e");
const r = alias(idempotencyRequests, "r");

export type AnswerExportRow = RowOf<typeof selectAnswerExport>;

type Search = Pick<ReplayOutcomeFilters, "operation" | "client">;

function ofSearch(tenantId: string, search: Search, window: ExportWindow, after?: DayPlace): SQL | undefined {
  return and(
    eq(e.tenantId, tenantId),
    isNotNull(e.outcome),
    search.operation === undefined ? not(isConsole(e.operation)) : eq(e.operation, search.operation),
    same(e.client, search.client),
    withinDays(e, window, after),
  );
}

/** What every request of a window was answered, in order of time. */
export async function selectAnswerExport(
  q: Queryable,
  tenantId: string,
  search: Search,
  window: ExportWindow,
  page: { readonly after: DayPlace | undefined; readonly limit: number },
) {
  const query = select({
    day: sql<string>`${e.day}::text`,
    ...pick(e, "id", "operationId", "status", "code"),
    /** None once the operation's metadata is purged. */
    key: r.key,
    outcome: sql<AnswerOutcome>`${e.outcome}`,
    resultId: r.resourceId,
    /** Hex. Of the request's own command where it was another one than the key's. */
    payloadHash: sql<
      string | null
    >`case when ${e.outcome} = 'conflict' then ${e.detail}->>'payloadHash' else encode(${r.fingerprint}, 'hex') end`,
  })
    .from(e)
    .leftJoin(r, and(eq(r.tenantId, e.tenantId), eq(r.operationId, e.operationId)))
    .where(ofSearch(tenantId, search, window, page.after))
    .orderBy(asc(e.day), asc(e.id))
    .limit(page.limit);
  return rowsOf(q, query);
}

/** @returns how many there are, counted no further than the limit. */
export function countAnswers(
  q: Queryable,
  tenantId: string,
  search: Search,
  window: ExportWindow,
  limit: number,
): Promise<number> {
  const found = builder
    .select({ id: e.id })
    .from(e)
    .where(ofSearch(tenantId, search, window))
    .limit(limit)
    .as("x");
  return countRows(q, found);
}

interface AnsweredOperation {
  readonly operationId: string;
  /** Its creation, RFC 3339. */
  readonly since: string;
}

interface TimePlace {
  readonly at: string;
  readonly id: string;
}

function ofOperation(tenantId: string, { operationId, since }: AnsweredOperation, after?: TimePlace): SQL | undefined {
  return and(
    eq(e.tenantId, tenantId),
    eq(e.operationId, operationId),
    isNotNull(e.outcome),
    sql`${e.day} >= (${after?.at ?? since}::timestamptz at time zone 'utc')::date`,
    after && sql`(${e.at}, ${e.id}) > (${after.at}::timestamptz, ${after.id}::uuid)`,
  );
}

export type OperationAnswerRow = RowOf<typeof selectOperationAnswers>;

/** What the requests of one operation were answered, oldest first. */
export async function selectOperationAnswers(
  q: Queryable,
  tenantId: string,
  operation: AnsweredOperation,
  page: { readonly after: TimePlace | undefined; readonly limit: number },
) {
  const query = select({
    ...pick(e, "id", "at", "delayMs", "status", "code"),
    outcome: sql<AnswerOutcome>`${e.outcome}`,
  })
    .from(e)
    .where(ofOperation(tenantId, operation, page.after))
    .orderBy(asc(e.at), asc(e.id))
    .limit(page.limit);
  return rowsOf(q, query);
}

/** @returns how many there are, counted no further than the limit */
export function countOperationAnswers(
  q: Queryable,
  tenantId: string,
  operation: AnsweredOperation,
  limit: number,
): Promise<number> {
  const found = builder.select({ id: e.id }).from(e).where(ofOperation(tenantId, operation)).limit(limit).as("x");
  return countRows(q, found);
}

/** Most operations that one key stands for and that a refusal names. */
const MOST = 20;

/** One operation by its id, or all that a key stands for. */
export async function selectOperationsOfKey(
  q: Queryable,
  tenantId: string,
  {
    operationId,
    key = "",
    operation,
  }: Readonly<Partial<Record<"operationId" | "key" | "operation", string | undefined>>>,
) {
  const query = select(pick(r, "operationId", "operation", "createdAt"))
    .from(r)
    .where(
      and(
        eq(r.tenantId, tenantId),
        operationId === undefined ? hasKey(r.key, key) : eq(r.operationId, operationId),
        same(r.operation, operation),
      ),
    )
    .orderBy(desc(r.createdAt))
    .limit(MOST);
  return rowsOf(q, query);
}
