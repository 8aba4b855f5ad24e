import type { Queryable } from "@/db/client";

/** Matches of each kind that are shown. */
const PER_KIND = 10;
/** A request is over by then: its events have ids of this time after its own. */
const REQUEST_SECONDS = 120;
/** Events of a busy moment that are looked through for one request. */
const REQUEST_EVENTS = 50_000;

export interface FoundRow {
  readonly matched: string;
  readonly id: string;
  /** Operation behind it, where there is one. */
  readonly operation_id: string | null;
  /** What it is, where no operation says so. */
  readonly label: string | null;
}

/** Everything an id may be: an operation, a business row, a message, an event. Each branch is a probe of one index. */
export async function findById(q: Queryable, tenantId: string, id: string): Promise<FoundRow[]> {
  const { rows } = await q.query<FoundRow>({
    text: `select 'operation' as matched, operation_id::text as id, operation_id, null as label from onceboard.idempotency_requests where tenant_id = $1 and operation_id = $2::uuid
union all select 'payment', id::text, operation_id, null from onceboard.payments where tenant_id = $1 and id = $2::uuid
union all select 'refund', id::text, operation_id, null from onceboard.refunds where tenant_id = $1 and id = $2::uuid
union all select 'void', id::text, operation_id, null from onceboard.voids where tenant_id = $1 and id = $2::uuid
union all select 'outbox message', id::text, operation_id, type from onceboard.outbox_messages where tenant_id = $1 and id = $2::uuid
union all (select 'outbox message', id::text, operation_id, type from onceboard.outbox_history where tenant_id = $1 and id = $2::uuid limit 1)
union all select 'inbox message', id::text, operation_id, type || ' for ' || consumer from onceboard.inbox_messages where tenant_id = $1 and id = $2::uuid
union all (select case when type = 'conflict' then 'conflict' else 'event' end, id::text, operation_id, null from onceboard.idempotency_events where tenant_id = $1 and id = $2::uuid limit 1)
union all select 'plan', id::text, null, kind || ', ' || total || ' rows, ' || state from onceboard.plans where tenant_id = $1 and id = $2::uuid
union all select 'dead letter', message_row_id::text || ':' || side, operation_id, type || ' at ' || place from onceboard.dead_letters where tenant_id = $1 and id = $2::uuid
union all select 'audit entry', id::text, null, action || ' by ' || actor_name from onceboard.audit_entries where tenant_id = $1 and id = $2::uuid
union all (select 'provider call', id::text, operation_id, kind from onceboard.provider_requests where tenant_id = $1 and id = $2::uuid)
union all (select 'ledger entry', id::text, operation_id, entry_type from onceboard.ledger_entries where tenant_id = $1 and id = $2::uuid)
union all (select 'notification', id::text, operation_id, kind from onceboard.notifications where tenant_id = $1 and id = $2::uuid and operation_id is not null)`,
    values: [tenantId, id],
  });
  return rows;
}

/** Exact text: a key, a reference, a provider's name for it, an account, a message id, a client. Each by its own index. */
export async function findByText(q: Queryable, tenantId: string, text: string): Promise<FoundRow[]> {
  const { rows } = await q.query<FoundRow>({
    text: `(select 'key' as matched, key as id, operation_id, null as label from onceboard.idempotency_requests where tenant_id = $1 and key = $2 order by created_at desc limit $3)
union all (select 'reference', reference, operation_id, null from onceboard.idempotency_requests where tenant_id = $1 and reference = $2 and operation = 'payments.create' order by created_at desc limit $3)
union all (select 'provider key', provider_key, operation_id, null from onceboard.provider_requests where tenant_id = $1 and provider_key = $2 and kind <> 'lookup' order by prepared_at desc limit 1)
union all (select distinct 'provider reference', provider_reference, operation_id, null from onceboard.provider_requests where tenant_id = $1 and provider_reference = $2 and kind <> 'lookup' limit $3)
union all (select 'account', id, operation_id, id from onceboard.accounts where tenant_id = $1 and id = $2)
union all (select 'inbox message', id::text, operation_id, type || ' for ' || consumer from onceboard.inbox_messages where tenant_id = $1 and message_id = $2 order by received_at desc limit $3)
union all (select 'notification', notification_key, operation_id, kind from onceboard.notifications where tenant_id = $1 and notification_key = $2 and operation_id is not null)
union all (select 'client', name, null, name from onceboard.api_clients where tenant_id = $1 and id = $2)
union all (select 'client', name, null, name from onceboard.api_clients where tenant_id = $1 and name = $2 and id <> $2)`,
    values: [tenantId, text, PER_KIND],
  });
  return rows;
}

/**
 * What a request of ours did: its events and its audit entry. A request id is a UUIDv7 and so is the id of an event, so the primary
 * key leads to the moment and no index of request ids is needed.
 * @param at when the request came, by its id
 */
export async function findByRequest(q: Queryable, tenantId: string, requestId: string, at: Date): Promise<FoundRow[]> {
  const { rows } = await q.query<FoundRow>({
    text: `with frame as (select $3::timestamptz - interval '1 second' as since, $3::timestamptz + interval '${String(REQUEST_SECONDS)} seconds' as until),
ids as (select since, until,
  (lpad(to_hex(floor(extract(epoch from since) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid as first,
  (lpad(to_hex(floor(extract(epoch from until) * 1000)::bigint), 12, '0') || 'ffffffffffffffffffff')::uuid as last from frame)
select * from (
  select distinct 'request' as matched, $2::text as id, s.operation_id, null as label from ids cross join lateral (
    select e.operation_id, e.request_id from onceboard.idempotency_events e
    where e.tenant_id = $1 and e.day between (ids.since at time zone 'utc')::date and (ids.until at time zone 'utc')::date
      and e.id between ids.first and ids.last limit ${String(REQUEST_EVENTS)}) s
  where s.request_id = $2 limit ${String(PER_KIND)}) events
union all
select 'audit entry', a.id::text, null, a.action || ' by ' || a.actor_name from ids join onceboard.audit_entries a
  on a.tenant_id = $1 and a.at between ids.since and ids.until and a.request_id = $2`,
    values: [tenantId, requestId, at],
  });
  return rows;
}

/** Operations whose messages belong to a trace, 32 hex digits; on both sides of publishing. */
export async function findByTrace(q: Queryable, tenantId: string, traceId: string): Promise<FoundRow[]> {
  const trace = (table: string): string => `(select operation_id from onceboard.${table}
  where tenant_id = $1 and headers ? 'traceparent' and split_part(headers ->> 'traceparent', '-', 2) = $2 limit $3)`;
  const { rows } = await q.query<FoundRow>({
    text: `select distinct 'trace' as matched, $2::text as id, t.operation_id, null as label
from (${trace("outbox_messages")} union all ${trace("outbox_history")}) t where t.operation_id is not null limit $3`,
    values: [tenantId, traceId, PER_KIND],
  });
  return rows;
}

/** Operations of an amount in minor units, newest first. */
export async function findByAmount(
  q: Queryable,
  tenantId: string,
  minor: string,
  currency: string | undefined,
): Promise<FoundRow[]> {
  const { rows } = await q.query<FoundRow>({
    text: `select 'amount' as matched, r.operation_id::text as id, r.operation_id, null as label from onceboard.idempotency_requests r
where r.tenant_id = $1 and r.amount_minor = $2::bigint and ($3::text is null or r.currency = $3) order by r.created_at desc limit $4`,
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

export async function selectFoundLabels(
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
