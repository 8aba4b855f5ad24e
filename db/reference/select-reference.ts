import { and, asc, eq } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { UUID } from "@/domain/uuid";
import {
  allColumns,
  anyOf,
  builder,
  countRows,
  pick,
  rowsOf,
  same,
  select,
  textRows,
  timeTextOf,
  timeTextOrNull,
  type RowOf,
} from "@/db/query";
import { c, ITS_CLIENT, ITS_OPEN, o, OPERATION_FIELDS, r } from "@/db/operations/select-operations";

/** Rows that carry one reference and are looked at; a reference such as "1" may be shared by thousands of customers. */
const CARRIERS_LOOKED_AT = 2_000;

const KEY_FIELDS = {
  ...OPERATION_FIELDS,
  ...pick(r, "completedAt", "expiresAt"),
  lockedUntil: timeTextOrNull(o.lockedUntil),
  nextCheckAt: timeTextOrNull(o.nextCheckAt),
};

export type ReferenceKeyRow = RowOf<typeof selectKeysOfReference>;

/**
 * Operations of any kind that carry a reference, first come first.
 * @param account of one customer alone
 */
export async function selectKeysOfReference(
  q: Queryable,
  tenantId: string,
  by: { readonly reference: string; readonly account?: string | undefined },
  limit: number,
) {
  const looked = carriers(tenantId, by.reference).as("r");
  const query = select(KEY_FIELDS)
    .from(looked)
    .leftJoin(o, ITS_OPEN)
    .leftJoin(c, ITS_CLIENT)
    .where(same(r.accountId, by.account))
    .orderBy(asc(r.createdAt), asc(r.operationId))
    .limit(limit);
  return rowsOf(q, query);
}

function carriers(tenantId: string, reference: string) {
  return builder
    .select(allColumns(r))
    .from(r)
    .where(and(eq(r.tenantId, tenantId), eq(r.reference, reference)))
    .orderBy(asc(r.createdAt))
    .limit(CARRIERS_LOOKED_AT);
}

/** Whether more rows carry the reference than are looked at for one customer's. */
export async function hasMoreCarriers(q: Queryable, tenantId: string, reference: string): Promise<boolean> {
  return (await countRows(q, carriers(tenantId, reference).as("r"))) === CARRIERS_LOOKED_AT;
}

/** Keys that asked to return money of these payments, refused ones too: so many of each payment. */
export async function selectReversalKeys(q: Queryable, tenantId: string, paymentIds: readonly string[], limit: number) {
  const ids = await textRows<{ readonly operationId: string }>(
    q,
    `select k.operation_id from unnest($2::text[]) p(id) cross join lateral (
       select r.operation_id from onceboard.idempotency_requests r
       where r.tenant_id = $1 and r.reference = p.id and r.operation in (select k.name from onceboard.operation_kinds k where k.expects ->> 'money' = 'returns')
       order by r.created_at limit $3) k limit $3`,
    [tenantId, paymentIds, limit],
  );
  const its = and(
    eq(r.tenantId, tenantId),
    anyOf(
      r.operationId,
      ids.map(({ operationId }) => operationId),
    ),
  );
  const query = select(KEY_FIELDS)
    .from(r)
    .leftJoin(o, ITS_OPEN)
    .leftJoin(c, ITS_CLIENT)
    .where(its)
    .orderBy(asc(r.createdAt), asc(r.operationId));
  return rowsOf(q, query);
}

export interface EffectRow {
  /** As the kind of its operation names it: `payment`. */
  readonly kind: string;
  readonly id: string;
  readonly operationId: string;
  readonly paymentId: string;
  readonly account?: string | undefined;
  readonly amountMinor?: bigint | undefined;
  readonly currency?: string | undefined;
  readonly status?: string | undefined;
  readonly createdAt: string;
}

const FIELDS = `f.kind, f.id, f.operation_id, coalesce(f.belongs_to, f.id) as payment_id, f.account, f.amount_minor, f.currency, f.status,
       ${timeTextOf("f.created_at")} as created_at`;
/** Of kinds that take money: payments, whatever their module calls them. */
const TAKEN = `select ${FIELDS} from onceboard.effects f where f.tenant_id = $1
       and f.kind in (select k.expects -> 'effect' ->> 'kind' from onceboard.operation_kinds k where k.expects ->> 'money' = 'takes')`;

/** Payments that these operations made. */
export function selectPaymentsOfOperations(q: Queryable, tenantId: string, operationIds: readonly string[]) {
  return textRows<EffectRow>(q, `${TAKEN} and f.operation_id = any($2::uuid[])`, [tenantId, operationIds]);
}

/** Payments of these customers under the reference, also those whose key was deleted since. None of them failed. */
export function selectPaymentsOfCustomers(
  q: Queryable,
  tenantId: string,
  by: { readonly reference: string; readonly accounts: readonly string[] },
) {
  return textRows<EffectRow>(
    q,
    `${TAKEN} and f.account = any($2::text[]) and f.reference = $3 and f.status <> 'failed' limit $4`,
    [tenantId, by.accounts, by.reference, by.accounts.length],
  );
}

/** What belongs to these payments, such as refunds and voids, so many of each payment. */
export function selectReversals(q: Queryable, tenantId: string, paymentIds: readonly string[], limit: number) {
  return textRows<EffectRow>(
    q,
    `select x.* from unnest($2::text[], $3::uuid[]) p(id, as_uuid) cross join lateral (
       (select ${FIELDS} from onceboard.effects f where f.tenant_id = $1 and f.belongs_to_as_uuid = p.as_uuid limit $4)
       union all
       (select ${FIELDS} from onceboard.effects f where f.tenant_id = $1 and f.belongs_to_as_text = p.id limit $4)) x limit $4`,
    [tenantId, paymentIds, paymentIds.map((id) => (UUID.test(id) ? id : null)), limit],
  );
}
