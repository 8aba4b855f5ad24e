import type { Queryable } from "@/db/client";
import { actorName } from "../access/actor-names";
import { iso } from "../sql-text";
import { CLIENT_JOIN, OPERATION_COLUMNS, type OperationListRow } from "./select-operations";

export interface AttentionDbRow extends Omit<OperationListRow, "sort_value"> {
  readonly since: string;
  readonly checks: number;
  readonly last_finding: string | null;
  readonly next_check_at: string | null;
  /** Name of who looks after it. */
  readonly assigned_to: string | null;
  readonly locked_until: string | null;
  readonly webhook: string | null;
  /** Name of the provider that it was prepared for. */
  readonly provider: string | null;
  readonly weight: string;
}

const DOUBT = "(o.unknown_since is not null or o.locked_until <= now())";
/** Age in minutes × amount: what is old and dear comes first; without an amount only age counts. `$2` fixes the moment. */
const WEIGHT = `(greatest(0, extract(epoch from $2::timestamptz - coalesce(o.unknown_since, o.locked_until, o.opened_at)) / 60)::bigint
  * greatest(1, coalesce(r.amount_minor, 0) / 100))`;

export interface AttentionPage {
  readonly limit: number;
  /** Moment that ages are measured at, RFC 3339: the first page's, so that the order stays while paging. */
  readonly asOf: string;
  readonly after?: { readonly weight: string; readonly id: string; readonly back: boolean } | undefined;
}

/** Unknown and stale operations by age × amount, heaviest first, from the small open table. */
export async function selectAttention(q: Queryable, tenantId: string, page: AttentionPage): Promise<AttentionDbRow[]> {
  const back = page.after?.back === true;
  const values: unknown[] = [tenantId, page.asOf, page.limit + 1];
  if (page.after !== undefined) values.push(page.after.weight, page.after.id);
  const after =
    page.after === undefined ? "" : `and (${WEIGHT}, r.operation_id) ${back ? ">" : "<"} ($4::bigint, $5::uuid)`;
  const order = back ? "asc" : "desc";
  const { rows } = await q.query<AttentionDbRow>({
    text: `select ${OPERATION_COLUMNS}, ${iso("coalesce(o.unknown_since, o.locked_until)")} as since, o.checks, o.last_finding,
  ${iso("o.next_check_at")} as next_check_at, ${actorName("o.assigned_to", "o.tenant_id")} as assigned_to, ${iso("o.locked_until")} as locked_until,
  (select m.payload -> 'data' ->> 'status' from onceboard.inbox_messages m
   where m.tenant_id = o.tenant_id and m.operation_id = o.operation_id and m.payload -> 'data' ? 'providerKey'
     and (o.provider_key is null or m.payload -> 'data' ->> 'providerKey' = o.provider_key)
   order by m.received_at desc limit 1) as webhook,
  (select p.provider from onceboard.provider_requests p
   where p.tenant_id = o.tenant_id and p.operation_id = o.operation_id order by p.prepared_at desc limit 1) as provider,
  ${WEIGHT}::text as weight
from onceboard.idempotency_open o
join onceboard.idempotency_requests r on r.tenant_id = o.tenant_id and r.operation_id = o.operation_id
${CLIENT_JOIN}
where o.tenant_id = $1 and r.tenant_id = $1 and ${DOUBT} ${after}
order by ${WEIGHT} ${order}, r.operation_id ${order}
limit $3`,
    values,
  });
  return rows;
}

export interface DoubtTotalRow {
  readonly currency: string;
  readonly minor: bigint;
  readonly count: number;
}

/** Money in doubt, per currency, exact: only what is unknown, as a stale lease is asked about within seconds. */
export async function selectDoubtTotals(q: Queryable, tenantId: string): Promise<DoubtTotalRow[]> {
  const { rows } = await q.query<DoubtTotalRow>({
    text: `select r.currency, sum(r.amount_minor)::bigint as minor, count(*)::int as count
from onceboard.idempotency_open o
join onceboard.idempotency_requests r on r.tenant_id = o.tenant_id and r.operation_id = o.operation_id
where o.tenant_id = $1 and r.tenant_id = $1 and o.unknown_since is not null and r.amount_minor is not null and r.currency is not null
group by r.currency order by 2 desc`,
    values: [tenantId],
  });
  return rows;
}
