import { and, asc, desc, eq, isNotNull, lte, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { afterCursor, orderOf, type PageRequest, type Sort } from "@/db/paging";
import {
  anyOf,
  builder,
  pick,
  rowsOf,
  rowsOver,
  select,
  subselect,
  timeText,
  allColumns,
  type RowOf,
} from "@/db/query";
import { deadLetters } from "@/db/schema";
import type { DeadLetterFilters, GroupSort } from "@/domain/lists/filters";
import { d, inScope, DEAD_LETTER_FIELDS, type DeadLetterDbRow } from "./dead-letters";

/** Groups shown; one more says that there are more. */
export const DEAD_LETTER_GROUPS = 50;
/** Newest rows of a filter that are grouped and counted; a wider one is narrowed. */
export const DEAD_LETTERS_COUNTED = 10_000;
/** Settled ones that are counted beside a group. */
const SETTLED_COUNTED = 1_000;
/** Deaths of one message that are shown. */
const DEATHS = 20;

/** By error and place. */
const open = sql`count(*) filter (where ${d.settledAt} is null)`;
const grouped = subselect({
  fingerprint: d.errorFingerprint,
  ...pick(d, "side", "place"),
  errorCode: sql<string>`(array_agg(${d.errorCode} order by ${d.deadAt} desc))[1]`,
  error: sql<string>`(array_agg(${d.error} order by ${d.deadAt} desc))[1]`,
  count: sql<number>`${open}::int`,
  firstDead: sql`min(${d.deadAt})`,
  lastDead: sql`max(${d.deadAt})`,
  types: sql<string[]>`array_agg(distinct ${d.type})`,
  attempts: sql<number>`max(${d.attempts})::int`,
  operations: sql<number>`count(distinct ${d.operationId})::int`,
  /** Of all groups together. */
  matching: sql<number>`sum(${open}) over ()::int`,
});

/** What groups may be sorted by, the greatest first. */
const GROUP_ORDERS = {
  last: ["lastDead"],
  count: ["count", "lastDead"],
} as const satisfies Readonly<Record<GroupSort, readonly string[]>>;

export type DeadLetterGroupRow = RowOf<typeof selectDeadLetterGroups>;

/** Dead letters of a filter by error and place: the newest DEAD_LETTERS_COUNTED of them. */
export async function selectDeadLetterGroups(q: Queryable, tenantId: string, filters: DeadLetterFilters) {
  const newestRows = builder.$with("d").as(newest(tenantId, filters, filters.settled, DEAD_LETTERS_COUNTED + 1));
  const g = grouped.from(newestRows).groupBy(d.errorFingerprint, d.side, d.place).as("g");
  const s = alias(deadLetters, "s");
  const settled = builder
    .select({ one: sql`1` })
    .from(s)
    .where(
      and(
        eq(s.tenantId, tenantId),
        eq(s.errorFingerprint, g.fingerprint),
        eq(s.side, g.side),
        eq(s.place, g.place),
        isNotNull(s.settledAt),
      ),
    )
    .limit(SETTLED_COUNTED)
    .as("n");
  const query = select({
    fingerprint: g.fingerprint,
    side: g.side,
    place: g.place,
    errorCode: g.errorCode,
    error: g.error,
    count: g.count,
    firstAt: timeText(sql`${g.firstDead}`),
    lastAt: timeText(sql`${g.lastDead}`),
    types: g.types,
    attempts: g.attempts,
    operations: g.operations,
    matching: g.matching,
    settled: sql<number>`${select({ count: sql`count(*)::int` }).from(settled)}`,
  })
    .from(g)
    .orderBy(
      ...GROUP_ORDERS[filters.sort].map((column) => desc(g[column])),
      asc(g.fingerprint),
      asc(g.side),
      asc(g.place),
    )
    .limit(DEAD_LETTER_GROUPS + 1);
  return rowsOver(q, newestRows, query);
}

/** The newest dead letters of a filter, under the same name. */
function newest(tenantId: string, filters: DeadLetterFilters, settled: boolean, limit: number) {
  const where = inScope(tenantId, filters, settled);
  return builder.select(allColumns(d)).from(d).where(where).orderBy(desc(d.deadAt)).limit(limit);
}

/**
 * The newest open dead letters of some causes of a filter, among its newest DEAD_LETTERS_COUNTED.
 *
 * @param fingerprints of those causes
 * @param each of one cause at the most
 */
export async function selectNewestOfGroups(
  q: Queryable,
  tenantId: string,
  filters: DeadLetterFilters,
  fingerprints: readonly string[],
  each: number,
): Promise<DeadLetterDbRow[]> {
  const where = and(inScope(tenantId, filters, false), anyOf(d.errorFingerprint, fingerprints));
  const found = builder.select(allColumns(d)).from(d).where(where).orderBy(desc(d.deadAt)).limit(DEAD_LETTERS_COUNTED);
  const newestRows = builder.$with("d").as(found);
  const group = sql`partition by ${d.errorFingerprint}, ${d.side}, ${d.place}`;
  const n = sql<number>`row_number() over (${group} order by ${d.deadAt} desc, ${d.id} desc)`.as("n");
  const ranked = builder
    .select({ ...allColumns(d), n })
    .from(newestRows)
    .as("d");
  return rowsOver(q, newestRows, select(DEAD_LETTER_FIELDS).from(ranked).where(lte(ranked.n, each)));
}

export const DEAD_LETTER_SORT: Sort = { value: d.deadAt, type: "timestamptz", id: d.id, idType: "uuid" };

/** One page of dead letters, newest first. */
export async function selectDeadLetters(
  q: Queryable,
  tenantId: string,
  filters: DeadLetterFilters,
  page: PageRequest,
): Promise<DeadLetterDbRow[]> {
  const query = select(DEAD_LETTER_FIELDS)
    .from(d)
    .where(and(inScope(tenantId, filters, filters.settled), afterCursor(DEAD_LETTER_SORT, page)))
    .orderBy(...orderOf(DEAD_LETTER_SORT, page))
    .limit(page.limit + 1);
  return rowsOf(q, query);
}

/** The deaths of one message, newest first. */
export async function selectDeadLettersOfMessage(
  q: Queryable,
  tenantId: string,
  side: "outbox" | "inbox",
  messageRowId: string,
): Promise<DeadLetterDbRow[]> {
  const its = and(eq(d.tenantId, tenantId), eq(d.side, side), eq(d.messageRowId, messageRowId));
  return rowsOf(q, select(DEAD_LETTER_FIELDS).from(d).where(its).orderBy(desc(d.deadAt)).limit(DEATHS));
}
