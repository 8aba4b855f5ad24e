import { HOT_KEY_REPLAYS } from "@/demo/history/shape";

/** Ids and words of a seeded tenant that its pages are asked for. */
export interface PageSamples {
  readonly operationId: string;
  readonly hotId: string;
  readonly key: string;
  readonly reference: string;
  readonly account: string;
  readonly client: string;
  readonly amount: string;
  readonly paymentId: string;
  readonly aggregate: string;
  readonly providerKey: string;
  readonly providerReference: string;
  readonly eventId: string;
  readonly publishedId: string;
  readonly inboxId: string;
  readonly messageId: string;
  readonly auditId: string;
  readonly subject: string;
  readonly planId: string;
  /** Half an hour ago. */
  readonly recently: string;
  /** In the middle of the month, with microseconds. */
  readonly middle: string;
}

const TIME = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;

/** One row of the day before yesterday with all that hangs on it, and one of each other kind. `$1` tenant. */
export const SAMPLES_SQL = `with one as (
  select r.*, p.id as payment_id, p.provider_key, p.provider_reference, h.id as message_id from onceboard.idempotency_requests r
  join payments.payments p on p.tenant_id = r.tenant_id and p.operation_id = r.operation_id
  join onceboard.outbox_history h on h.tenant_id = r.tenant_id and h.operation_id = r.operation_id
  where r.tenant_id = $1 and r.created_at < now() - interval '2 days' and r.operation = 'payments.create' and r.state = 'COMPLETED' order by r.created_at desc limit 1)
select o.operation_id as "operationId", o.key, o.reference, o.account_id as account, o.principal as client,
  (o.amount_minor / 100)::text || '.' || lpad((o.amount_minor % 100)::text, 2, '0') || ' ' || o.currency as amount, o.payment_id as "paymentId",
  o.payment_id as aggregate, o.provider_key as "providerKey", o.provider_reference as "providerReference", o.message_id as "publishedId", o.message_id::text as "messageId",
  (select i.id from onceboard.inbox_messages i where i.tenant_id = $1 and i.message_id = o.message_id::text limit 1) as "inboxId",
  (select e.id from onceboard.idempotency_events e where e.tenant_id = $1 and e.type = 'conflict' order by e.at desc limit 1) as "eventId",
  coalesce((select e.operation_id from onceboard.idempotency_events e where e.tenant_id = $1 and e.attempt > ${String(HOT_KEY_REPLAYS - 1)} limit 1), o.operation_id) as "hotId",
  (select a.id from onceboard.audit_entries a where a.tenant_id = $1 order by a.sequence desc limit 1) as "auditId",
  (select a.subject_id from onceboard.audit_entries a where a.tenant_id = $1 order by a.sequence desc limit 1) as subject,
  (select l.id from onceboard.plans l where l.tenant_id = $1 order by l.created_at desc limit 1) as "planId",
  to_char((now() - interval '30 minutes') at time zone 'utc', ${TIME}) as recently, to_char((now() - interval '15 days') at time zone 'utc', ${TIME}) as middle
from one o`;
