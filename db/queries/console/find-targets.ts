import type { Queryable } from "@/db/client";

/** Matches of each kind that are shown. */
const PER_KIND = 10;
/** An amount is looked for this far back: there is no index on amounts. */
const AMOUNT_HOURS = 24 * 7;

export interface FoundRow {
  readonly matched: string;
  readonly id: string;
  /** Operation behind it, where there is one. */
  readonly operation_id: string | null;
}

/** Everything an id may be: an operation, a business row, a message, an event. */
export async function findById(q: Queryable, tenantId: string, id: string): Promise<FoundRow[]> {
  const { rows } = await q.query<FoundRow>({
    text: `select 'operation' as matched, operation_id::text as id, operation_id from onceboard.idempotency_requests where tenant_id = $1 and operation_id = $2::uuid
union all select 'payment', id::text, operation_id from onceboard.payments where tenant_id = $1 and id = $2::uuid
union all select 'refund', id::text, operation_id from onceboard.refunds where tenant_id = $1 and id = $2::uuid
union all select 'void', id::text, operation_id from onceboard.voids where tenant_id = $1 and id = $2::uuid
union all select 'outbox message', id::text, operation_id from onceboard.outbox_messages where tenant_id = $1 and id = $2::uuid
union all (select 'outbox message', id::text, operation_id from onceboard.outbox_history where tenant_id = $1 and id = $2::uuid limit 1)
union all select 'inbox message', id::text, operation_id from onceboard.inbox_messages where tenant_id = $1 and id = $2::uuid
union all (select case when type = 'conflict' then 'conflict' else 'event' end, id::text, operation_id from onceboard.idempotency_events where tenant_id = $1 and id = $2::uuid limit 1)
union all select 'plan', id::text, null from onceboard.plans where tenant_id = $1 and id = $2::uuid
union all select 'dead letter', message_row_id::text || ':' || side, operation_id from onceboard.dead_letters where tenant_id = $1 and id = $2::uuid
union all select 'audit entry', id::text, null from onceboard.audit_entries where tenant_id = $1 and id = $2::uuid
union all (select 'provider call', id::text, operation_id from onceboard.provider_requests where tenant_id = $1 and id = $2::uuid)
union all (select 'ledger entry', id::text, operation_id from onceboard.ledger_entries where tenant_id = $1 and id = $2::uuid)`,
    values: [tenantId, id],
  });
  return rows;
}

/** Exact text: a key, a reference, a provider's name for it, an account, a message id. Each by its own index but the last two of a window. */
export async function findByText(q: Queryable, tenantId: string, text: string): Promise<FoundRow[]> {
  const { rows } = await q.query<FoundRow>({
    text: `(select 'key' as matched, key as id, operation_id from onceboard.idempotency_requests where tenant_id = $1 and key = $2 order by created_at desc limit $3)
union all (select 'reference', reference, operation_id from onceboard.idempotency_requests where tenant_id = $1 and reference = $2 and operation = 'payments.create' order by created_at desc limit $3)
union all (select 'provider key', provider_key, operation_id from onceboard.provider_requests where tenant_id = $1 and provider_key = $2 and kind <> 'lookup' order by prepared_at desc limit 1)
union all (select 'account', id, operation_id from onceboard.accounts where tenant_id = $1 and id = $2)
union all (select 'inbox message', id::text, operation_id from onceboard.inbox_messages where tenant_id = $1 and message_id = $2 order by received_at desc limit $3)`,
    values: [tenantId, text, PER_KIND],
  });
  return rows;
}

/** The provider's own reference; looked for only when nothing else matched, in the window: it has no index. */
export async function findByProviderReference(q: Queryable, tenantId: string, text: string): Promise<FoundRow[]> {
  const { rows } = await q.query<FoundRow>({
    text: `select 'provider reference' as matched, p.provider_reference as id, p.operation_id from onceboard.provider_requests p
where p.tenant_id = $1 and p.provider_reference = $2 and p.kind <> 'lookup' order by p.prepared_at desc limit $3`,
    values: [tenantId, text, PER_KIND],
  });
  return rows;
}

/** Operations of an amount in minor units, newest first, inside the window. */
export async function findByAmount(
  q: Queryable,
  tenantId: string,
  minor: string,
  currency: string | undefined,
): Promise<FoundRow[]> {
  const { rows } = await q.query<FoundRow>({
    text: `select 'amount' as matched, r.operation_id::text as id, r.operation_id from onceboard.idempotency_requests r
where r.tenant_id = $1 and r.created_at >= now() - make_interval(hours => ${String(AMOUNT_HOURS)}) and r.amount_minor = $2::bigint
  and ($3::text is null or r.currency = $3) order by r.created_at desc limit $4`,
    values: [tenantId, minor, currency ?? null, PER_KIND],
  });
  return rows;
}

export interface FoundLabelRow {
  readonly operation_id: string;
  readonly operation: string;
  readonly key: string;
  readonly amount_minor: bigint | null;
  readonly currency: string | null;
}

export async function labelsOf(
  q: Queryable,
  tenantId: string,
  operationIds: readonly string[],
): Promise<FoundLabelRow[]> {
  const { rows } = await q.query<FoundLabelRow>({
    text: `select r.operation_id, r.operation, r.key, r.amount_minor, r.currency from onceboard.idempotency_requests r
where r.tenant_id = $1 and r.operation_id = any($2::uuid[])`,
    values: [tenantId, operationIds],
  });
  return rows;
}
