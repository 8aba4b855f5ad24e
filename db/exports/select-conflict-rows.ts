import { and, eq, not, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { afterCursor, inWindow, orderOf, type PageRequest, type Sort } from "@/db/paging";
import { dayOf, hoursAgo, isConsole, pick, rowsOf, select, type RowOf } from "@/db/query";
import { apiClients, idempotencyEvents } from "@/db/schema";
import { type ConflictFilters, conflictWindow } from "@/domain/lists/filters";
import { windowHours } from "@/domain/lists/window";

const e = alias(idempotencyEvents, "e");
const c = alias(apiClients, "c");
const CLIENT = sql<string>`coalesce(${c.name}, ${e.client}, '')`;

export const CONFLICT_SORT: Sort = { value: e.at, type: "timestamptz", id: e.id, idType: "uuid" };

export type ConflictExportRow = RowOf<typeof selectConflictRows>;

/** Conflicts of a window one by one, newest first, `limit + 1` rows, from their own partial index. */
export async function selectConflictRows(q: Queryable, tenantId: string, filters: ConflictFilters, page: PageRequest) {
  const window = conflictWindow(filters);
  const hours = windowHours(window);
  const since = hours === undefined ? sql`${window.from}` : hoursAgo(hours);
  const upTo = (time: string | undefined) => (time === undefined ? undefined : sql`${e.day} <= ${dayOf(time)}`);
  const { client, operation } = filters;
  const query = select({
    ...pick(e, "id", "at", "operation", "operationId", "status", "requestId", "detail"),
    client: CLIENT,
  })
    .from(e)
    .leftJoin(c, and(eq(c.tenantId, e.tenantId), eq(c.id, e.client)))
    .where(
      and(
        eq(e.tenantId, tenantId),
        // As text: the partial index is found by the constant alone.
        sql`${e.type} = 'conflict' and ${e.day} >= ${dayOf(since)}`,
        inWindow(e.at, window),
        upTo(window.to),
        upTo(page.cursor?.value),
        client === undefined ? undefined : eq(CLIENT, client),
        operation === undefined ? not(isConsole(e.operation)) : eq(e.operation, operation),
        afterCursor(CONFLICT_SORT, page),
      ),
    )
    .orderBy(...orderOf(CONFLICT_SORT, page))
    .limit(page.limit + 1);
  return rowsOf(q, query);
}
