import type { Queryable } from "@/db/client";

/** Hours back that each check looks; what broke earlier was shown then. */
export const INVARIANT_HOURS = 24;
/** Violations counted per check at the most. */
const VIOLATIONS = 100;

export interface Invariant {
  readonly name: string;
  readonly label: string;
  /** Page of a violating thing. */
  readonly page: "operations" | "outbox" | "inbox";
  /** Selects `id` of what violates it, newest first. `$1` tenant, `$2` hours. */
  readonly sql: string;
}

const SINCE = "now() - make_interval(hours => $2)";
const DAYS = `((${SINCE}) at time zone 'utc')::date`;

/** What must hold, each as a statement that finds its counterexamples. */
export const INVARIANTS: readonly Invariant[] = [
  {
    name: "one_execution_per_key",
    label: "One execution per key",
    page: "operations",
    sql: `select p.operation_id as id from onceboard.idempotency_requests r
join onceboard.provider_requests p on p.tenant_id = r.tenant_id and p.operation_id = r.operation_id
where r.tenant_id = $1 and p.tenant_id = $1 and r.created_at >= ${SINCE} and p.outcome = 'succeeded'
group by p.operation_id having count(distinct p.provider_reference) > 1`,
  },
  {
    name: "one_ledger_entry",
    label: "One ledger entry per payment and type",
    page: "operations",
    sql: `select l.operation_id as id from onceboard.idempotency_requests r
join onceboard.ledger_entries l on l.tenant_id = r.tenant_id and l.operation_id = r.operation_id
where r.tenant_id = $1 and l.tenant_id = $1 and r.created_at >= ${SINCE}
group by l.operation_id, l.entry_type having count(*) > 1`,
  },
  {
    name: "replays_byte_equal",
    label: "Every replay was byte-equal",
    page: "operations",
    sql: `select e.operation_id as id from onceboard.idempotency_events e
where e.tenant_id = $1 and e.day >= ${DAYS} and e.at >= ${SINCE} and e.served_hash is not null and e.outcome in ('executed', 'replayed')
group by e.operation_id having count(distinct e.served_hash) > 1`,
  },
  {
    name: "refunds_within_payment",
    label: "No refund exceeds its payment",
    page: "operations",
    sql: `select p.operation_id as id from onceboard.idempotency_requests r
join onceboard.refunds f on f.tenant_id = r.tenant_id and f.operation_id = r.operation_id
join onceboard.payments p on p.tenant_id = f.tenant_id and p.id = f.payment_id
where r.tenant_id = $1 and f.tenant_id = $1 and p.tenant_id = $1 and r.created_at >= ${SINCE} and r.operation = 'refunds.create'
  and (select coalesce(sum(a.amount_minor), 0) from onceboard.refunds a
       where a.tenant_id = $1 and a.payment_id = p.id and a.status = 'succeeded') > p.amount_minor
group by p.operation_id`,
  },
  {
    name: "dead_but_processed",
    label: "Dead in the outbox, processed in the inbox",
    page: "outbox",
    sql: `select m.id from onceboard.outbox_messages m
join onceboard.inbox_messages i on i.tenant_id = m.tenant_id and i.message_id = m.id::text
where m.tenant_id = $1 and i.tenant_id = $1 and m.state = 'dead' and i.state = 'processed' and m.created_at >= ${SINCE}
group by m.id`,
  },
  {
    name: "success_has_message",
    label: "Every success left a message",
    page: "operations",
    sql: `select p.operation_id as id from onceboard.idempotency_requests r
join onceboard.payments p on p.tenant_id = r.tenant_id and p.operation_id = r.operation_id
where r.tenant_id = $1 and p.tenant_id = $1 and r.created_at >= ${SINCE} and r.state = 'COMPLETED' and p.status in ('succeeded', 'voided')
  and not exists (select 1 from onceboard.outbox_messages m where m.tenant_id = $1 and m.operation_id = p.operation_id)
  and not exists (select 1 from onceboard.outbox_history h where h.tenant_id = $1 and h.operation_id = p.operation_id and h.day >= ${DAYS})`,
  },
  {
    name: "open_rows_match",
    label: "Every open operation is in the queue",
    page: "operations",
    sql: `select r.operation_id as id from onceboard.idempotency_requests r
where r.tenant_id = $1 and r.created_at >= ${SINCE} and r.state in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY')
  and not exists (select 1 from onceboard.idempotency_open o where o.tenant_id = $1 and o.operation_id = r.operation_id)`,
  },
  {
    name: "no_payload_swap",
    label: "No message id came with another payload",
    page: "inbox",
    sql: `select m.id from onceboard.inbox_messages m where m.tenant_id = $1 and m.received_at >= ${SINCE} and m.mismatches > 0 order by m.received_at desc`,
  },
];

/** @returns ids that violate the invariant, at most VIOLATIONS. */
export async function checkInvariant(q: Queryable, tenantId: string, invariant: Invariant): Promise<string[]> {
  const { rows } = await q.query<{ id: string }>({
    text: `select v.id::text as id from (${invariant.sql}) v limit ${String(VIOLATIONS)}`,
    values: [tenantId, INVARIANT_HOURS],
  });
  return rows.map((row) => row.id);
}
