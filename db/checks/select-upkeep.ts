import { and, asc, desc, eq, lte, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { TABLES_BY_DAY } from "@/db/partitions";
import { builder, dayOf, rowsOf, select, textRows, timeText } from "@/db/query";
import { idempotencyBodies, idempotencyRequests, outboxMessages, retentionRuns } from "@/db/schema";
import type { ChecklistFacts, CleanupFacts } from "@/domain/checks/checklist-facts";

const r = alias(idempotencyRequests, "r");
const b = alias(idempotencyBodies, "b");
const m = alias(outboxMessages, "m");
const t = alias(retentionRuns, "t");

/** What two writers at the same moment are decided by in our own tables, each as the columns of one unique index. */
const DECIDING = [
  {
    name: "one key per tenant and operation",
    relation: "onceboard.idempotency_requests",
    columns: ["tenant_id", "operation", "key"],
  },
  {
    name: "one notification per cause",
    relation: "onceboard.notifications",
    columns: ["tenant_id", "notification_key"],
  },
  {
    name: "one inbox row per consumer, source and event id",
    relation: "onceboard.inbox_messages",
    columns: ["tenant_id", "consumer", "source", "message_id"],
  },
];

/**
 * Unique indexes that decide, ours and those of modules, and the names of those that the database does not enforce now. In text:
 * drizzle does not know the catalogue of PostgreSQL.
 */
export async function selectConstraints(q: Queryable): Promise<NonNullable<ChecklistFacts["constraints"]>> {
  const rows = await textRows<{ name: string; enforced: boolean }>(
    q,
    `select d.name, exists (
  select 1 from pg_index i where i.indrelid = to_regclass(d.relation) and i.indisunique and i.indisvalid and i.indimmediate
    and array(select a.attname::text from unnest(i.indkey::smallint[]) as k(attnum)
              join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum order by 1)
      = array(select c from unnest(d.columns) as c order by 1)) as enforced
from (
  select o.name, o.relation, o.columns from jsonb_to_recordset($1::jsonb) as o(name text, relation text, columns text[])
  union all
  select c.name, c.relation, c.columns from onceboard.evidence_constraints c) d
order by d.name`,
    [JSON.stringify(DECIDING)],
  );
  return { all: rows.length, missing: rows.flatMap(({ name, enforced }) => (enforced ? [] : [name])) };
}

/** Retention may be this late before something counts as overdue. */
const LATE = sql`make_interval(hours => 2)`;
/** Keys that are looked at on either end of what is over, and bodies at the most: one is enough to know. */
const KEYS = 1_000;
const BODIES = 100;

/** Keys whose window is over, those that ended first or last. */
function endedKeys(tenantId: string, order: SQL) {
  return builder
    .select({ operationId: r.operationId, state: r.state, purgeAfter: r.purgeAfter, bodyPurgedAt: r.bodyPurgedAt })
    .from(r)
    .where(and(eq(r.tenantId, tenantId), lte(r.expiresAt, sql`now() - ${LATE}`)))
    .orderBy(order)
    .limit(KEYS);
}

/**
 * Whether what retention promises is done: days made ahead, windows closed, records gone, bodies purged as `purge_bodies` would.
 * Partitions and the steps between have no tables in our schema: they are text.
 * @param ttls hours that the bodies of an operation are kept, by operation; `otherwise` for any other one
 */
export async function selectCleanupFacts(
  q: Queryable,
  tenantId: string,
  ttls: Readonly<Record<string, number>>,
  otherwise: number,
): Promise<CleanupFacts> {
  const shortest = Math.min(otherwise, ...Object.values(ttls));
  const tables = sql`unnest(${sql.param(TABLES_BY_DAY)}::text[]) as t`;
  const lastRun = select({ at: timeText(t.at) })
    .from(t)
    .where(eq(t.tenantId, tenantId))
    .orderBy(desc(t.at))
    .limit(1);
  const rows = await rowsOf(
    q,
    sql<CleanupFacts>`with parts as materialized (
  select p.relname as parent, substring(pg_get_expr(c.relpartbound, c.oid) from $re$FROM \\('(\\d{4}-\\d\\d-\\d\\d)'\\)$re$)::date as day
  from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
  where i.inhparent = any (select ('onceboard.' || t)::regclass from ${tables})
), ahead as (
  -- The first day that is missing is how many there are before it.
  select t as parent, (select coalesce(min(n.n), 32)::int from generate_series(0, 31) as n(n)
    where not exists (select 1 from parts p where p.parent = t and p.day = (now() at time zone 'utc')::date + n.n)) as days
  from ${tables}
), ended as materialized (
  -- What ended first is what is deleted first; what ended last is what is marked last.
  ${endedKeys(tenantId, asc(r.expiresAt))} union ${endedKeys(tenantId, desc(r.expiresAt))}
), bodies as (
  select 1 from ${idempotencyBodies} b join ${idempotencyRequests} r on ${r.tenantId} = ${tenantId} and ${r.operationId} = ${b.operationId}
  where ${b.tenantId} = ${tenantId} and ${b.kind} = 'command'
    and ${b.day} <= ${dayOf(sql`now() - ${LATE} - make_interval(hours => ${shortest})`)}
    and ${b.createdAt} <= now() - ${LATE} - make_interval(hours => ${shortest})
    and ${b.createdAt} <= now() - ${LATE} - make_interval(hours => coalesce((${JSON.stringify(ttls)}::jsonb ->> ${r.operation})::integer, ${otherwise}))
    and ${r.bodyPurgedAt} is null and ${r.state} not in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY')
    and (${r.state} <> 'FAILED_RETRYABLE' or ${r.expiresAt} <= now() - ${LATE})
  limit ${BODIES}
)
select (select min(a.days) from ahead a) as days_ahead, ${lastRun} as last_run_at,
  (select count(*)::int from ended e where e.purge_after <= now() - ${LATE} and e.state = 'EXPIRED' and e.body_purged_at is not null
    and not exists (select 1 from ${outboxMessages} m where ${m.tenantId} = ${tenantId} and ${m.operationId} = e.operation_id)) as overdue_records,
  (select count(*)::int from ended e where e.state in ('COMPLETED', 'FAILED_REPLAYABLE', 'FAILED_RETRYABLE')) as overdue_windows,
  (select count(*)::int from bodies) as overdue_bodies`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error("the clean-up returned no row");
  return row;
}
