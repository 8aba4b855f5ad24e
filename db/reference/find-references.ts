import { and, desc, eq, gte, lt, sql } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { CHARGING_KINDS } from "@/db/kinds/expected";
import { allColumns, builder, pick, rowsOf, same, select, type RowOf } from "@/db/query";
import { r } from "@/db/operations/select-operations";

interface ReferenceSearchFilters {
  /** The account of the customer, whole. */
  readonly customer?: string | undefined;
  /** Minor units. */
  readonly minor?: bigint | undefined;
  readonly currency?: string | undefined;
  /** A day of UTC, `2026-11-19`. */
  readonly day?: string | undefined;
}

export type ReferenceHitRow = RowOf<typeof searchReferences>;

/**
 * Payments asked for by customer, amount and day, newest first: by the index of amounts where there is one, otherwise by that of
 * customers. One of the two is needed.
 * @param lookAt rows of that index that are looked at
 */
export async function searchReferences(
  q: Queryable,
  tenantId: string,
  { customer, minor, currency, day }: ReferenceSearchFilters,
  lookAt: number,
) {
  const walk = builder
    .select(allColumns(r))
    .from(r)
    .where(
      and(
        eq(r.tenantId, tenantId),
        minor === undefined ? same(r.accountId, customer) : eq(r.amountMinor, minor),
        day === undefined ? undefined : gte(r.createdAt, sql`${day}::date::timestamp at time zone 'utc'`),
        day === undefined ? undefined : lt(r.createdAt, sql`(${day}::date + 1)::timestamp at time zone 'utc'`),
      ),
    )
    .orderBy(desc(r.createdAt))
    .limit(lookAt)
    .as("r");
  const query = select({
    ...pick(r, "operationId", "operation", "key", "reference", "amountMinor", "currency", "createdAt"),
    account: r.accountId,
    /** Rows that were looked at: at the limit the search stopped. */
    matches: sql<boolean>`${r.operation} in ${CHARGING_KINDS} and ${and(
      customer === undefined ? sql`true` : eq(r.accountId, customer),
      currency === undefined ? sql`true` : eq(r.currency, currency),
    )}`,
  })
    .from(walk)
    .orderBy(desc(r.createdAt), desc(r.operationId));
  return rowsOf(q, query);
}
