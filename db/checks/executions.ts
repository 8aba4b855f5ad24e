import { DAY, EFFECTS, INVARIANT_HOURS, LAG, SINCE, DAYS, STALE_MINUTES, type Invariant } from "./invariant";

/** A key stands for one execution, whatever was retried. */
export const EXECUTIONS: readonly Invariant[] = [
  {
    name: "one_execution_per_key",
    group: "One execution",
    label: "One execution per key",
    sentence: "No key made the provider execute twice: one reference of the provider per operation.",
    page: "operations",
    looksAt: DAY,
    sql: `select p.operation_id as id from onceboard.idempotency_requests r
join onceboard.provider_requests p on p.tenant_id = r.tenant_id and p.operation_id = r.operation_id
where r.tenant_id = $1 and p.tenant_id = $1 and r.created_at >= ${SINCE} and p.outcome = 'succeeded'
group by p.operation_id having count(distinct p.provider_reference) > 1`,
  },
  {
    name: "provider_reference_once",
    group: "One execution",
    label: "One operation per provider reference",
    sentence: "No reference of the provider belongs to two operations: one charge never answers two keys.",
    page: "operations",
    looksAt: DAY,
    sql: `select p.operation_id as id from onceboard.idempotency_requests r
join onceboard.provider_requests p on p.tenant_id = r.tenant_id and p.operation_id = r.operation_id
where r.tenant_id = $1 and p.tenant_id = $1 and r.created_at >= ${SINCE} and p.outcome = 'succeeded' and p.kind <> 'lookup'
  and exists (select 1 from onceboard.provider_requests o
    where o.tenant_id = $1 and o.provider_reference = p.provider_reference and o.provider = p.provider and o.operation_id <> p.operation_id
      and o.outcome = 'succeeded' and o.kind <> 'lookup')
group by p.operation_id`,
  },
  {
    name: "replays_byte_equal",
    group: "One execution",
    label: "Every replay was byte-equal",
    sentence: "Everybody who sent the same command got the same bytes.",
    page: "operations",
    looksAt: `answers of the last ${String(INVARIANT_HOURS)} hours`,
    // A replay by reference shows today's state on purpose.
    sql: `select e.operation_id as id from onceboard.idempotency_events e
where e.tenant_id = $1 and e.day >= ${DAYS} and e.at >= ${SINCE} and e.served_hash is not null and e.outcome in ('executed', 'replayed')
  and e.detail ->> 'by' is distinct from 'reference'
group by e.operation_id having count(distinct e.served_hash) > 1`,
  },
  {
    name: "answers_kept",
    group: "One execution",
    label: "Every answer can be replayed",
    sentence: "What was answered is kept until its time is over, so that a retry gets it again.",
    page: "operations",
    looksAt: DAY,
    sql: `select r.operation_id as id from onceboard.idempotency_requests r
where r.tenant_id = $1 and r.created_at >= ${SINCE} and r.state in ('COMPLETED', 'FAILED_REPLAYABLE')
  and r.replay = 'stored' and r.body_purged_at is null
  and not exists (select 1 from onceboard.idempotency_bodies b
    where b.tenant_id = $1 and b.day = r.body_day and b.operation_id = r.operation_id and b.kind = 'response')`,
  },
  {
    name: "open_rows_match",
    group: "One execution",
    label: "Every open operation is in the queue",
    sentence:
      "What is in progress or unknown is in the work queue, and nothing else is, so that recovery finds all of it.",
    page: "operations",
    looksAt: `${DAY}, and the whole work queue`,
    sql: `select r.operation_id as id from onceboard.idempotency_requests r
where r.tenant_id = $1 and r.created_at >= ${SINCE} and r.state in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY')
  and not exists (select 1 from onceboard.idempotency_open o where o.tenant_id = $1 and o.operation_id = r.operation_id)
union all
select o.operation_id from onceboard.idempotency_open o
where o.tenant_id = $1 and not exists (select 1 from onceboard.idempotency_requests r
  where r.tenant_id = $1 and r.operation_id = o.operation_id and r.state in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY'))`,
  },
  {
    name: "stale_leases_taken_over",
    group: "One execution",
    label: "Every stale lease is taken over",
    sentence: `No lease ended more than ${String(STALE_MINUTES)} minutes ago without somebody taking the operation over.`,
    page: "operations",
    looksAt: "the whole work queue",
    sql: `select o.operation_id as id from onceboard.idempotency_open o
where o.tenant_id = $1 and o.locked_until < now() - interval '${String(STALE_MINUTES)} minutes'`,
  },
];

/** What each effect owes to the ledger, and the ledger to each effect. */
export const MONEY: readonly Invariant[] = [
  {
    name: "one_ledger_entry",
    group: "Money",
    label: "One ledger entry per effect",
    sentence: "No payment, refund or void is posted twice.",
    page: "operations",
    looksAt: DAY,
    sql: `select l.operation_id as id from onceboard.idempotency_requests r
join onceboard.ledger_entries l on l.tenant_id = r.tenant_id and l.operation_id = r.operation_id
where r.tenant_id = $1 and l.tenant_id = $1 and r.created_at >= ${SINCE}
group by l.operation_id, l.entry_type having count(*) > 1`,
  },
  {
    name: "ledger_matches_effects",
    group: "Money",
    label: "The ledger says what happened",
    sentence: "Each entry has the amount and the currency of a payment, refund or void that succeeded.",
    page: "operations",
    looksAt: DAY,
    sql: `select l.operation_id as id from onceboard.idempotency_requests r
join onceboard.ledger_entries l on l.tenant_id = r.tenant_id and l.operation_id = r.operation_id
where r.tenant_id = $1 and l.tenant_id = $1 and r.created_at >= ${SINCE} and not case l.entry_type
  when 'payment' then exists (select 1 from onceboard.payments p where p.tenant_id = $1 and p.id = l.source_id
    and p.status in ('succeeded', 'voided') and p.amount_minor = l.amount_minor and p.currency = l.currency)
  when 'refund' then exists (select 1 from onceboard.refunds f where f.tenant_id = $1 and f.id = l.source_id
    and f.status = 'succeeded' and f.amount_minor = l.amount_minor and f.currency = l.currency)
  when 'void' then exists (select 1 from onceboard.voids v
    join onceboard.payments p on p.tenant_id = v.tenant_id and p.id = v.payment_id
    where v.tenant_id = $1 and v.id = l.source_id and v.status = 'succeeded' and p.amount_minor = l.amount_minor and p.currency = l.currency)
  else true end
group by l.operation_id`,
  },
  {
    name: "success_is_posted",
    group: "Money",
    label: "Every success is posted",
    sentence:
      "A payment, refund or void that succeeded is in the ledger after 5 minutes, or its message is known to wait, be dead or discarded.",
    page: "operations",
    looksAt: DAY,
    sql: `select r.operation_id as id from onceboard.idempotency_requests r
where r.tenant_id = $1 and r.created_at >= ${SINCE} and r.state = 'COMPLETED' and r.operation in ${EFFECTS}
  and r.completed_at < now() - ${LAG}
  and not exists (select 1 from onceboard.ledger_entries l where l.tenant_id = $1 and l.operation_id = r.operation_id)
  and not exists (select 1 from onceboard.outbox_messages m where m.tenant_id = $1 and m.operation_id = r.operation_id)
  and not exists (select 1 from onceboard.inbox_messages i
    where i.tenant_id = $1 and i.operation_id = r.operation_id and i.consumer = 'ledger' and i.state <> 'processed')`,
  },
  {
    name: "refunds_within_payment",
    group: "Money",
    label: "No refund exceeds its payment",
    sentence: "What was refunded of a payment is never more than was paid, and the payment counts it right.",
    page: "operations",
    looksAt: `payments with a refund in the last ${String(INVARIANT_HOURS)} hours`,
    sql: `select p.operation_id as id from onceboard.idempotency_requests r
join onceboard.refunds f on f.tenant_id = r.tenant_id and f.operation_id = r.operation_id
join onceboard.payments p on p.tenant_id = f.tenant_id and p.id = f.payment_id
cross join lateral (
  select coalesce(sum(a.amount_minor) filter (where a.status = 'succeeded'), 0) as done,
    coalesce(sum(a.amount_minor) filter (where a.status <> 'failed'), 0) as counted
  from onceboard.refunds a where a.tenant_id = $1 and a.payment_id = p.id) s
where r.tenant_id = $1 and f.tenant_id = $1 and p.tenant_id = $1 and r.created_at >= ${SINCE} and r.operation = 'refunds.create'
  and (s.done > p.amount_minor or s.counted <> p.refunded_minor)
group by p.operation_id`,
  },
];
