import type { Queryable } from "@/db/client";
import type { OperationState, Stage } from "@/domain/idempotency/states";
import { iso } from "../sql-text";

export interface OperationPlanRow {
  readonly operation_id: string;
  readonly operation: string;
  readonly key: string;
  readonly state: OperationState;
  readonly amount_minor: bigint | null;
  readonly currency: string | null;
  readonly created_at: string;
  readonly body_purged: boolean;
  readonly key_live: boolean;
  readonly body_age_hours: number | null;
  readonly stage: Stage | null;
  readonly provider_key: string | null;
  readonly owner: string | null;
  readonly leased: boolean;
  readonly locked_until: string | null;
  readonly provider: string | null;
}

/** What a plan judges operations by, in the order of their ids' list; those that are gone are left out. Never a body. */
export async function operationPlanFacts(
  q: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<OperationPlanRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await q.query<OperationPlanRow>({
    text: `select r.operation_id, r.operation, r.key, r.state, r.amount_minor, r.currency, ${iso("r.created_at")} as created_at,
  r.body_purged_at is not null as body_purged, r.expires_at > clock_timestamp() as key_live,
  (extract(epoch from clock_timestamp() - b.created_at) / 3600)::float8 as body_age_hours,
  o.stage, o.provider_key, o.owner, coalesce(o.locked_until > clock_timestamp(), false) as leased, ${iso("o.locked_until")} as locked_until,
  case when o.operation_id is null then null else (select p.provider from onceboard.provider_requests p
    where p.tenant_id = $1 and p.operation_id = r.operation_id order by p.prepared_at desc limit 1) end as provider
from unnest($2::uuid[]) with ordinality as named(id, n)
join onceboard.idempotency_requests r on r.tenant_id = $1 and r.operation_id = named.id
left join onceboard.idempotency_open o on o.tenant_id = $1 and o.operation_id = r.operation_id
left join onceboard.idempotency_bodies b on b.tenant_id = $1 and b.day = r.body_day and b.operation_id = r.operation_id and b.kind = 'command'
order by named.n`,
    values: [tenantId, ids],
  });
  return rows;
}

/** Money of operations by id, for rows that tell of one. */
export async function operationAmounts(
  q: Queryable,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly currency: string; readonly minor: bigint }>> {
  if (ids.length === 0) return new Map();
  const { rows } = await q.query<{ operation_id: string; currency: string; amount_minor: bigint }>({
    text: `select r.operation_id, r.currency, r.amount_minor from onceboard.idempotency_requests r
           where r.tenant_id = $1 and r.operation_id = any ($2::uuid[]) and r.amount_minor is not null and r.currency is not null`,
    values: [tenantId, ids],
  });
  return new Map(rows.map((row) => [row.operation_id, { currency: row.currency, minor: row.amount_minor }]));
}
