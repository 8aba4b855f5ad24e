import { and, eq, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { afterCursor, orderOf, type PageRequest, type Sort } from "@/db/paging";
import { TABLES_BY_DAY } from "@/db/partitions";
import { pick, type RowOf, rowsOf, select, timeText } from "@/db/query";
import { retentionRuns } from "@/db/schema";

/** Operations that a preview looks at; beyond it the numbers are "at least". */
export const PREVIEW_LIMIT = 10_000;

export interface RetentionPreviewRow {
  readonly at: string;
  readonly looked: number;
  readonly operations: number;
  readonly bodyRows: number;
  readonly bytes: string;
  readonly oldest?: string | undefined;
  readonly losingReplay: number;
  readonly skippedOpen: number;
  readonly mayRunAgain: number;
}

interface BodyRetention {
  readonly bodyTtlHours: number;
  /** Of operations that differ from it. */
  readonly ttls: Readonly<Record<string, number>>;
  readonly shortestHours: number;
}

/** An operation with a time of its own is looked up for each body: not asked where there is none. */
function otherwiseKept(tenantId: string, { ttls, bodyTtlHours }: BodyRetention): SQL {
  if (Object.keys(ttls).length === 0) return sql``;
  return sql`    and b.created_at <= now() - make_interval(hours => coalesce((${JSON.stringify(ttls)}::jsonb ->> (
      select r.operation from onceboard.idempotency_requests r where r.tenant_id = ${tenantId} and r.operation_id = b.operation_id))::integer, ${bodyTtlHours}))`;
}

/** What `purge_bodies` would take now: the same condition, read only, in SQL text so that the two can be held side by side. */
export async function selectRetentionPreview(
  q: Queryable,
  tenantId: string,
  retention: BodyRetention,
): Promise<RetentionPreviewRow | undefined> {
  const rows = await rowsOf(
    q,
    sql<RetentionPreviewRow>`with old as (
  select b.operation_id, b.day, b.created_at from onceboard.idempotency_bodies b
  where b.tenant_id = ${tenantId} and b.kind = 'command' and b.day <= ((now() - make_interval(hours => ${retention.shortestHours})) at time zone 'utc')::date
    and b.created_at <= now() - make_interval(hours => ${retention.shortestHours})
${otherwiseKept(tenantId, retention)}
  order by b.day, b.operation_id limit ${PREVIEW_LIMIT}
), judged as (
  select j.*, not j.open and not j.again as goes from (
    select o.operation_id, o.day, o.created_at, r.expires_at, r.replay, r.state in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY') as open,
      r.state = 'FAILED_RETRYABLE' and r.expires_at > now() as again
    from old o join onceboard.idempotency_requests r on r.tenant_id = ${tenantId} and r.operation_id = o.operation_id) j
), bodies as (
  select coalesce(sum(s.n), 0)::int as body_rows, coalesce(sum(s.size), 0)::bigint::text as bytes
  -- Asked for each of them: a join would read the bodies of a whole day.
  from judged j cross join lateral (
    select count(*) as n, sum(octet_length(b.body)) as size from onceboard.idempotency_bodies b
    where b.tenant_id = ${tenantId} and b.day = j.day and b.operation_id = j.operation_id) s
  where j.goes
)
select ${timeText(sql`now()`)} as at, (select count(*)::int from old) as looked,
  count(*) filter (where j.goes)::int as operations, (select body_rows from bodies) as body_rows, (select bytes from bodies) as bytes,
  ${timeText(sql`min(j.created_at) filter (where j.goes)`)} as oldest,
  count(*) filter (where j.goes and j.expires_at > now() and j.replay = 'stored')::int as losing_replay, count(*) filter (where j.open)::int as skipped_open,
  count(*) filter (where j.again)::int as may_run_again
from judged j`,
  );
  return rows[0];
}

const t = alias(retentionRuns, "t");
export const RUNS_SORT: Sort = { value: t.at, type: "timestamptz", id: t.id, idType: "text" };

export type RetentionRunDbRow = RowOf<typeof selectRetentionRuns>;

export async function selectRetentionRuns(q: Queryable, tenantId: string, page: PageRequest) {
  const query = select({
    ...pick(t, "id", "at", "actor", "kind", "rows", "detail"),
    bytes: sql<string>`${t.bytes}::text`,
  })
    .from(t)
    .where(and(eq(t.tenantId, tenantId), afterCursor(RUNS_SORT, page)))
    .orderBy(...orderOf(RUNS_SORT, page))
    .limit(page.limit + 1);
  return rowsOf(q, query);
}

/** First examples of keys that lose their exact replay. */
const EXAMPLES = 5;
/** Bodies that are looked at for them. */
const SCAN_LIMIT = 2_000;

export interface LosingRow {
  readonly operationId: string;
  readonly operation: string;
  readonly key: string;
  readonly client: string;
  readonly expiresAt: string;
}

/** Keys whose first bytes a purge would take although a retry may still ask for them, oldest body first. In SQL text as {@link selectRetentionPreview}. */
export async function selectLosingReplay(
  q: Queryable,
  tenantId: string,
  retention: BodyRetention,
): Promise<LosingRow[]> {
  return rowsOf(
    q,
    sql<LosingRow>`with old as (
  select b.operation_id, b.day, b.created_at from onceboard.idempotency_bodies b
  where b.tenant_id = ${tenantId} and b.kind = 'command' and b.day <= ((now() - make_interval(hours => ${retention.shortestHours})) at time zone 'utc')::date
    and b.created_at <= now() - make_interval(hours => ${retention.shortestHours})
  order by b.day, b.operation_id limit ${SCAN_LIMIT})
select r.operation_id, r.operation, r.key, coalesce(c.name, r.principal) as client, ${timeText(sql`r.expires_at`)} as expires_at
from old join onceboard.idempotency_requests r on r.tenant_id = ${tenantId} and r.operation_id = old.operation_id
left join onceboard.api_clients c on c.tenant_id = r.tenant_id and c.id = r.principal
where r.expires_at > now() and r.replay = 'stored' and r.state not in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY', 'FAILED_RETRYABLE')
  and old.created_at <= now() - make_interval(hours => coalesce((${JSON.stringify(retention.ttls)}::jsonb ->> r.operation)::integer, ${retention.bodyTtlHours}))
order by old.day, old.operation_id limit ${EXAMPLES}`,
  );
}

export interface PartitionSizeRow {
  readonly name: string;
  readonly days: number;
  readonly bytes: string;
  readonly first?: string | undefined;
  readonly last?: string | undefined;
}

/**
 * Tables that are kept by the day: how many days there are and what they take on disk, of all tenants together. Parts for the days to come are
 * made beforehand and hold nothing: they count for the size alone. In SQL text: PostgreSQL's catalog is not in our schema.
 */
export async function selectPartitionSizes(q: Queryable): Promise<PartitionSizeRow[]> {
  return rowsOf(
    q,
    sql<PartitionSizeRow>`select p.relname as name, coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint::text as bytes,
  count(*) filter (where b.day is null or b.day <= b.today)::int as days,
  min(b.day) filter (where b.day <= b.today) as first, max(b.day) filter (where b.day <= b.today) as last
from pg_catalog.pg_inherits i
join pg_catalog.pg_class p on p.oid = i.inhparent
join pg_catalog.pg_namespace n on n.oid = p.relnamespace and n.nspname = 'onceboard'
join pg_catalog.pg_class c on c.oid = i.inhrelid
cross join lateral (select (clock_timestamp() at time zone 'utc')::date::text as today,
  substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \\(''(\\d{4}-\\d\\d-\\d\\d)') as day) b
where p.relname = any (${sql.param([...TABLES_BY_DAY])}::text[]) group by p.relname order by 2::bigint desc`,
  );
}
