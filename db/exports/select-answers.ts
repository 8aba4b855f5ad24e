import { and, asc, eq, isNotNull, not, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { builder, countRows, isConsole, rowsOf, same, select, type RowOf } from "@/db/query";
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
    id: e.id,
    operation_id: e.operationId,
    /** Null once the operation's metadata is purged. */
    key: r.key,
    outcome: sql<AnswerOutcome>`${e.outcome}`,
    status: e.status,
    code: e.code,
    resource_id: r.resourceId,
    /** Hex. Of the request's own command where it was another one than the key's. */
    payload_hash: sql<
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
