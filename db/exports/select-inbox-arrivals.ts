import { and, asc, eq, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { builder, countRows, pick, rowsOf, same, select, type RowOf } from "@/db/query";
import { inboxArrivals, inboxMessages } from "@/db/schema";
import type { InboxExportFilters } from "@/domain/lists/filters";
import { type DayPlace, type ExportWindow, withinDays } from "./window";

const a = alias(inboxArrivals, "a");
const m = alias(inboxMessages, "m");
const ITS_MESSAGE = and(eq(m.tenantId, a.tenantId), eq(m.id, a.inboxId));

export type ArrivalExportRow = RowOf<typeof selectInboxArrivals>;

type Search = Pick<InboxExportFilters, "consumer" | "source" | "messageId">;

function ofSearch(tenantId: string, search: Search, window: ExportWindow, after?: DayPlace): SQL | undefined {
  return and(
    eq(a.tenantId, tenantId),
    same(m.consumer, search.consumer),
    same(m.source, search.source),
    same(m.messageId, search.messageId),
    withinDays(a, window, after),
  );
}

/** Every arrival of a window, also the ones that came again, in order of time: one row for each consumer. */
export async function selectInboxArrivals(
  q: Queryable,
  tenantId: string,
  search: Search,
  window: ExportWindow,
  page: { readonly after: DayPlace | undefined; readonly limit: number },
) {
  const query = select({
    day: sql<string>`${a.day}::text`,
    ...pick(a, "id", "at"),
    arrival: a.outcome,
    ...pick(m, "messageId", "source", "state", "processedAt", "result"),
  })
    .from(a)
    .innerJoin(m, ITS_MESSAGE)
    .where(ofSearch(tenantId, search, window, page.after))
    .orderBy(asc(a.day), asc(a.id))
    .limit(page.limit);
  return rowsOf(q, query);
}

/** @returns how many there are, counted no further than the limit. */
export function countInboxArrivals(
  q: Queryable,
  tenantId: string,
  search: Search,
  window: ExportWindow,
  limit: number,
): Promise<number> {
  const where = ofSearch(tenantId, search, window);
  const found = builder.select({ id: a.id }).from(a).innerJoin(m, ITS_MESSAGE).where(where).limit(limit).as("x");
  return countRows(q, found);
}
