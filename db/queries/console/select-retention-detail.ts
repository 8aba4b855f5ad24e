import type { Queryable } from "@/db/client";
import { TABLES_BY_DAY } from "@/db/statements/drop-partitions";
import { iso } from "../sql-text";

/** First examples of keys that lose their exact replay. */
const EXAMPLES = 5;
/** Bodies that are looked at for them. */
const LOOKED = 2_000;

export interface LosingRow {
  readonly operation_id: string;
  readonly operation: string;
  readonly key: string;
  readonly client: string;
  readonly expires_at: string;
}

/** Keys whose bodies a purge would take although a retry may still come, oldest body first. */
export async function selectLosingReplay(
  q: Queryable,
  tenantId: string,
  kept: {
    readonly bodyTtlHours: number;
    readonly ttls: Readonly<Record<string, number>>;
    readonly shortestHours: number;
  },
): Promise<LosingRow[]> {
  const { rows } = await q.query<LosingRow>({
    text: `with old as (
  select b.operation_id, b.day, b.created_at from onceboard.idempotency_bodies b
  where b.tenant_id = $1 and b.kind = 'command' and b.day <= ((now() - make_interval(hours => $2)) at time zone 'utc')::date
    and b.created_at <= now() - make_interval(hours => $2)
  order by b.day, b.operation_id limit ${String(LOOKED)})
select r.operation_id, r.operation, r.key, coalesce(c.name, r.principal) as client, ${iso("r.expires_at")} as expires_at
from old join onceboard.idempotency_requests r on r.tenant_id = $1 and r.operation_id = old.operation_id
left join onceboard.api_clients c on c.tenant_id = r.tenant_id and c.id = r.principal
where r.expires_at > now() and r.state not in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY', 'FAILED_RETRYABLE')
  and old.created_at <= now() - make_interval(hours => coalesce(($4::jsonb ->> r.operation)::integer, $3))
order by old.day, old.operation_id limit ${String(EXAMPLES)}`,
    values: [tenantId, kept.shortestHours, kept.bodyTtlHours, JSON.stringify(kept.ttls)],
  });
  return rows;
}

export interface PartitionSizeRow {
  readonly name: string;
  readonly days: number;
  readonly bytes: string;
  readonly first: string | null;
  readonly last: string | null;
}

/** Tables that are kept by the day: how many days there are and what they take on disk, of all tenants together. */
export async function selectPartitionSizes(q: Queryable): Promise<PartitionSizeRow[]> {
  const { rows } = await q.query<PartitionSizeRow>({
    text: `select p.relname as name, count(*)::int as days, coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint::text as bytes,
  min(substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \\(''(\\d{4}-\\d\\d-\\d\\d)')) as first,
  max(substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \\(''(\\d{4}-\\d\\d-\\d\\d)')) as last
from pg_catalog.pg_inherits i
join pg_catalog.pg_class p on p.oid = i.inhparent
join pg_catalog.pg_namespace n on n.oid = p.relnamespace and n.nspname = 'onceboard'
join pg_catalog.pg_class c on c.oid = i.inhrelid
where p.relname = any ($1::text[]) group by p.relname order by 3::bigint desc`,
    values: [[...TABLES_BY_DAY]],
  });
  return rows;
}
