import type { Queryable } from "@/db/client";
import { TABLES_BY_DAY } from "@/db/partitions";
import { iso } from "@/db/sql-text";

export interface CleanupFactsRow {
  /** Whole days, today included, that every table by day has a partition for; 0 when today has none somewhere. */
  readonly days_ahead: number;
  readonly last_run_at: string | null;
  readonly last_run_rows: number | null;
  /** Records whose days are over and that are still there, of the ones that ended first. */
  readonly overdue_records: number;
  /** Windows that are over and not marked so. */
  readonly overdue_windows: number;
}

/** Retention may be this late before something counts as overdue. */
export const OVERDUE_AFTER_HOURS = 2;
const LOOKED = 1_000;
const LATE = `make_interval(hours => ${String(OVERDUE_AFTER_HOURS)})`;

/** Whether what retention promises is done: days made ahead, windows closed, records gone. */
export async function selectCleanupFacts(q: Queryable, tenantId: string): Promise<CleanupFactsRow> {
  const { rows } = await q.query<CleanupFactsRow>({
    text: `with parts as (
  select p.relname as parent, substring(pg_get_expr(c.relpartbound, c.oid) from $re$FROM \\('(\\d{4}-\\d\\d-\\d\\d)'\\)$re$)::date as day
  from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
  where i.inhparent = any (select ('onceboard.' || t)::regclass from unnest($2::text[]) as t)
), ahead as (
  select t as parent, (select count(*) from generate_series(0, 31) as n(n)
    where not exists (select 1 from generate_series(0, n.n) as m(m)
      where not exists (select 1 from parts p where p.parent = t and p.day = (now() at time zone 'utc')::date + m.m::int))) as days
  from unnest($2::text[]) as t
), ended as materialized (
  -- What ended first is what is deleted first; what ended last is what is marked last.
  (select r.operation_id, r.state, r.purge_after, r.body_purged_at from onceboard.idempotency_requests r
   where r.tenant_id = $1 and r.expires_at <= now() - ${LATE} order by r.expires_at limit $3)
  union
  (select r.operation_id, r.state, r.purge_after, r.body_purged_at from onceboard.idempotency_requests r
   where r.tenant_id = $1 and r.expires_at <= now() - ${LATE} order by r.expires_at desc limit $3)
)
select (select min(a.days)::int from ahead a) as days_ahead,
  (select ${iso("t.at")} from onceboard.retention_runs t where t.tenant_id = $1 order by t.at desc limit 1) as last_run_at,
  (select t.rows from onceboard.retention_runs t where t.tenant_id = $1 order by t.at desc limit 1) as last_run_rows,
  (select count(*)::int from ended e where e.purge_after <= now() - ${LATE} and e.state = 'EXPIRED' and e.body_purged_at is not null
    and not exists (select 1 from onceboard.outbox_messages m where m.tenant_id = $1 and m.operation_id = e.operation_id)) as overdue_records,
  (select count(*)::int from ended e where e.state in ('COMPLETED', 'FAILED_REPLAYABLE', 'FAILED_RETRYABLE')) as overdue_windows`,
    values: [tenantId, [...TABLES_BY_DAY], LOOKED],
  });
  const [row] = rows;
  if (row === undefined) throw new Error("the clean-up returned no row");
  return row;
}

/** Bodies that are looked for at the most; one is enough to know. */
const BODIES = 100;

/**
 * Bodies of settled operations past their time, and not purged, as `purge_bodies` would take them.
 * @param ttls hours by operation; `otherwise` for any other one
 */
export async function countOverdueBodies(
  q: Queryable,
  tenantId: string,
  ttls: Readonly<Record<string, number>>,
  otherwise: number,
): Promise<number> {
  const shortest = Math.min(otherwise, ...Object.values(ttls));
  const { rows } = await q.query<{ overdue: number }>({
    text: `select count(*)::int as overdue from (
  select 1 from onceboard.idempotency_bodies b
  join onceboard.idempotency_requests r on r.tenant_id = $1 and r.operation_id = b.operation_id
  where b.tenant_id = $1 and b.kind = 'command'
    and b.day <= ((now() - ${LATE} - make_interval(hours => $4)) at time zone 'utc')::date
    and b.created_at <= now() - ${LATE} - make_interval(hours => coalesce(($2::jsonb ->> r.operation)::integer, $3))
    and r.body_purged_at is null and r.state not in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY')
    and (r.state <> 'FAILED_RETRYABLE' or r.expires_at <= now() - ${LATE})
  limit ${String(BODIES)}) o`,
    values: [tenantId, JSON.stringify(ttls), otherwise, shortest],
  });
  return rows[0]?.overdue ?? 0;
}
