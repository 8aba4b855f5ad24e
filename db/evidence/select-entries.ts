import { and, asc, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { pick, rowsOf, select, type RowOf } from "@/db/query";
import { entries } from "@/db/schema/evidence";

const l = alias(entries, "l");

export type EntryDbRow = RowOf<typeof selectEntries>;

const ENTRIES = 50;
const FIELDS = {
  entryType: l.kind,
  sourceId: sql<string>`coalesce(${l.sourceId}, ${l.operationId}::text)`,
  ...pick(l, "id", "debitAccount", "creditAccount", "amountMinor", "currency", "postedAt"),
};

/** What was posted for an operation. */
export async function selectEntries(q: Queryable, tenantId: string, operationId: string) {
  const query = select(FIELDS)
    .from(l)
    .where(and(eq(l.tenantId, tenantId), eq(l.operationId, operationId)))
    .orderBy(asc(l.postedAt), asc(l.id))
    .limit(ENTRIES);
  return rowsOf(q, query);
}
