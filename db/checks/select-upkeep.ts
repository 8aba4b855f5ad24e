import type { Queryable } from "@/db/client";
import { TABLES_BY_DAY } from "@/db/partitions";
import type { CleanupFacts } from "@/domain/checks/checklist-facts";
import { iso, objects } from "../sql-text";

/** What two writers at the same moment are decided by, each as the columns of one unique index. */
export const DECIDING = [
  {
    name: "one key per tenant and operation",
    table: "idempotency_requests",
    columns: ["tenant_id", "operation", "key"],
  },
  { name: "one payment per operation", table: "payments", columns: ["tenant_id", "operation_id"] },
  { name: "one refund per operation", table: "refunds", columns: ["tenant_id", "operation_id"] },
  { name: "one void per operation", table: "voids", columns: ["tenant_id", "operation_id"] },
  { name: "one void per payment", table: "voids", columns: ["tenant_id", "payment_id"] },
  {
    name: "one payment per merchant reference",
    table: "payments",
    columns: ["tenant_id", "account_id", "merchant_reference"],
  },
  { name: "one ledger entry per cause", table: "ledger_entries", columns: ["tenant_id", "entry_type", "source_id"] },
  { name: "one notification per cause", table: "notifications", columns: ["tenant_id", "notification_key"] },
  {
    name: "one inbox row per consumer, source and event id",
    table: "inbox_messages",
    columns: ["tenant_id", "consumer", "source", "message_id"],
  },
] as const satisfies readonly { name: string; table: string; columns: readonly string[] }[];

/** @returns the names of those that the database does not enforce now. */
export async function selectMissingConstraints(q: Queryable): Promise<string[]> {
  const { rows } = await q.query<{ name: string }>({
    text: `select d.name from jsonb_to_recordset($1::jsonb) as d(name text, "table" text, columns text[])
where not exists (
  select 1 from pg_index i where i.indrelid = to_regclass('onceboard.' || d."table") and i.indisunique and i.indisvalid and i.indimmediate
    and array(select a.attname::text from unnest(i.indkey::smallint[]) as k(attnum)
              join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum order by 1)
      = array(select c from unnest(d.columns) as c order by 1))
order by d.name`,
    values: [JSON.stringify(DECIDING)],
  });
  return rows.map(({ name }) => name);
}

/** Retention may be this late before something counts as overdue. */
const LATE = "make_interval(hours => 2)";
/** Keys that are looked at on either end of what is over, and bodies at the most: one is enough to know. */
const KEYS = 1_000;
const BODIES = 100;

/**
 * Whether what retention promises is done: days made ahead, windows closed, records gone, bodies purged as `purge_bodies` would.
 * @param ttls hours that the bodies of an operation are kept, by operation; `otherwise` for any other one
 */
export async function selectCleanupFacts(
  q: Queryable,
  tenantId: string,
  ttls: Readonly<Record<string, number>>,
  otherwise: number,
): Promise<CleanupFacts> {
  const shortest = Math.min(otherwise, ...Object.values(ttls));
  const sql = `with parts as (
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
   where r.tenant_id = $1 and r.expires_at <= now() - ${LATE} order by r.expires_at limit ${String(KEYS)})
  union
  (select r.operation_id, r.state, r.purge_after, r.body_purged_at from onceboard.idempotency_requests r
   where r.tenant_id = $1 and r.expires_at <= now() - ${LATE} order by r.expires_at desc limit ${String(KEYS)})
), bodies as (
  select 1 from onceboard.idempotency_bodies b
  join onceboard.idempotency_requests r on r.tenant_id = $1 and r.operation_id = b.operation_id
  where b.tenant_id = $1 and b.kind = 'command'
    and b.day <= ((now() - ${LATE} - make_interval(hours => $5)) at time zone 'utc')::date
    and b.created_at <= now() - ${LATE} - make_interval(hours => coalesce(($3::jsonb ->> r.operation)::integer, $4))
    and r.body_purged_at is null and r.state not in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY')
    and (r.state <> 'FAILED_RETRYABLE' or r.expires_at <= now() - ${LATE})
  limit ${String(BODIES)}
)
select (select min(a.days) from ahead a) as "daysAhead",
  (select ${iso("t.at")} from onceboard.retention_runs t where t.tenant_id = $1 order by t.at desc limit 1) as "lastRunAt",
  (select count(*) from ended e where e.purge_after <= now() - ${LATE} and e.state = 'EXPIRED' and e.body_purged_at is not null
    and not exists (select 1 from onceboard.outbox_messages m where m.tenant_id = $1 and m.operation_id = e.operation_id)) as "overdueRecords",
  (select count(*) from ended e where e.state in ('COMPLETED', 'FAILED_REPLAYABLE', 'FAILED_RETRYABLE')) as "overdueWindows",
  (select count(*) from bodies) as "overdueBodies"`;
  const values = [tenantId, [...TABLES_BY_DAY], JSON.stringify(ttls), otherwise, shortest];
  const [row] = await objects<CleanupFacts>(q, sql, values);
  if (row === undefined) throw new Error("the clean-up returned no row");
  return row;
}
