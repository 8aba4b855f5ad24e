import type { Queryable } from "../client";
import { chainName } from "@/domain/access/audit-chain";
import { AUDIT_LINKS, CHECK_HOURS, STALE_MINUTES } from "@/domain/checks/windows";

/** What follows by itself, such as a posting, may take so long before its absence counts. */
const LAG = "interval '5 minutes'";
const SINCE = "now() - make_interval(hours => $2)";
const DAYS = `((${SINCE}) at time zone 'utc')::date`;
/** An effect that stands; what has no status is there or not. */
const STANDS = (effect: string): string => `coalesce(${effect}.status, '') not in ('pending', 'failed')`;
/** The effect of this tenant with one id, each type of ids by its own index: with its limit it is asked for each row, never joined. */
const effectsOf = (row: string, id: string): string => `(
  select found.* from onceboard.effects found where found.tenant_id = $1 and found.id_as_uuid = ${row}.${id}_as_uuid
  union all
  select found.* from onceboard.effects found where found.tenant_id = $1 and found.id_as_text = ${row}.${id}_as_text
  limit 1)`;
/** Topics that carry copies for people and merchants, not our own events. */
const COPIES = (column: string): string => `(${column} = 'mail' or ${column} like 'webhook:%')`;

/** Selects `id` of what contradicts each check of a tenant. `$1` tenant, `$2` hours where it has a window. */
export const COUNTEREXAMPLES = {
  one_execution_per_key: `select p.operation_id as id from onceboard.idempotency_requests r
join onceboard.provider_requests p on p.tenant_id = r.tenant_id and p.operation_id = r.operation_id
where r.tenant_id = $1 and p.tenant_id = $1 and r.created_at >= ${SINCE} and p.outcome = 'succeeded'
group by p.operation_id having count(distinct p.provider_reference) > 1`,
  provider_reference_once: `select p.operation_id as id from onceboard.idempotency_requests r
join onceboard.provider_requests p on p.tenant_id = r.tenant_id and p.operation_id = r.operation_id
where r.tenant_id = $1 and p.tenant_id = $1 and r.created_at >= ${SINCE} and p.outcome = 'succeeded' and p.kind <> 'lookup'
  and exists (select 1 from onceboard.provider_requests o
    where o.tenant_id = $1 and o.provider_reference = p.provider_reference and o.provider = p.provider and o.operation_id <> p.operation_id
      and o.outcome = 'succeeded' and o.kind <> 'lookup')
group by p.operation_id`,
  // A replay by reference shows today's state on purpose.
  replays_byte_equal: `select e.operation_id as id from onceboard.idempotency_events e
where e.tenant_id = $1 and e.day >= ${DAYS} and e.at >= ${SINCE} and e.served_hash is not null and e.outcome in ('executed', 'replayed')
  and e.detail ->> 'by' is distinct from 'reference'
group by e.operation_id having count(distinct e.served_hash) > 1`,
  answers_kept: `select r.operation_id as id from onceboard.idempotency_requests r
where r.tenant_id = $1 and r.created_at >= ${SINCE} and r.state in ('COMPLETED', 'FAILED_REPLAYABLE')
  and r.replay = 'stored' and r.body_purged_at is null
  and not exists (select 1 from onceboard.idempotency_bodies b
    where b.tenant_id = $1 and b.day = r.body_day and b.operation_id = r.operation_id and b.kind = 'response')`,
  open_rows_match: `select r.operation_id as id from onceboard.idempotency_requests r
where r.tenant_id = $1 and r.created_at >= ${SINCE} and r.state in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY')
  and not exists (select 1 from onceboard.idempotency_open o where o.tenant_id = $1 and o.operation_id = r.operation_id)
union all
select o.operation_id from onceboard.idempotency_open o
where o.tenant_id = $1 and not exists (select 1 from onceboard.idempotency_requests r
  where r.tenant_id = $1 and r.operation_id = o.operation_id and r.state in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY'))`,
  stale_leases_taken_over: `select o.operation_id as id from onceboard.idempotency_open o
where o.tenant_id = $1 and o.locked_until < now() - interval '${String(STALE_MINUTES)} minutes'`,
  one_ledger_entry: `select l.operation_id as id from onceboard.idempotency_requests r
cross join lateral (
  select l.operation_id from onceboard.entries l where l.tenant_id = $1 and l.operation_id = r.operation_id
  group by l.operation_id, l.kind having count(*) > 1 limit 1) l
where r.tenant_id = $1 and r.created_at >= ${SINCE}`,
  // What an entry posts is an effect of the same operation; one without an amount stands for all of what it belongs to.
  ledger_matches_effects: `select r.operation_id as id from onceboard.idempotency_requests r
where r.tenant_id = $1 and r.created_at >= ${SINCE} and exists (
  select from onceboard.entries l
  where l.tenant_id = $1 and l.operation_id = r.operation_id and l.source_id is not null and not exists (
    select from onceboard.effects e
    left join lateral ${effectsOf("e", "belongs_to")} whole on e.amount_minor is null
    where e.tenant_id = $1 and e.operation_id = l.operation_id and e.id = l.source_id and ${STANDS("e")}
      and coalesce(e.amount_minor, whole.amount_minor) = l.amount_minor and coalesce(e.currency, whole.currency) = l.currency))`,
  success_is_posted: `select r.operation_id as id from onceboard.idempotency_requests r
join onceboard.operation_kinds k on k.name = r.operation and coalesce(k.expects ->> 'entry', 'none') <> 'none'
where r.tenant_id = $1 and r.created_at >= ${SINCE} and r.state = 'COMPLETED' and r.completed_at < now() - ${LAG}
  and not exists (select 1 from onceboard.entries l where l.tenant_id = $1 and l.operation_id = r.operation_id)
  and not exists (select 1 from onceboard.outbox_messages m where m.tenant_id = $1 and m.operation_id = r.operation_id)
  and not exists (select 1 from onceboard.inbox_messages i
    where i.tenant_id = $1 and i.operation_id = r.operation_id and i.consumer = k.expects ->> 'postedBy' and i.state <> 'processed')`,
  refunds_within_payment: `select distinct p.operation_id as id from onceboard.idempotency_requests r
join onceboard.operation_kinds k on k.name = r.operation and k.expects ->> 'money' = 'returns'
cross join lateral (
  select whole.* from onceboard.effects f cross join lateral ${effectsOf("f", "belongs_to")} whole
  where f.tenant_id = $1 and f.operation_id = r.operation_id and f.amount_minor is not null) p
cross join lateral (
  select coalesce(sum(a.amount_minor) filter (where ${STANDS("a")}), 0) as done,
    coalesce(sum(a.amount_minor) filter (where coalesce(a.status, '') <> 'failed'), 0) as counted
  from (
    select a.status, a.amount_minor from onceboard.effects a where a.tenant_id = $1 and a.belongs_to_as_uuid = p.id_as_uuid
    union all
    select a.status, a.amount_minor from onceboard.effects a where a.tenant_id = $1 and a.belongs_to_as_text = p.id_as_text) a) s
where r.tenant_id = $1 and r.created_at >= ${SINCE} and (s.done > p.amount_minor or s.counted <> p.returned_minor)`,
  success_has_message: `select r.operation_id as id from onceboard.idempotency_requests r
join onceboard.operation_kinds k on k.name = r.operation and k.expects ? 'money' and coalesce(k.expects ->> 'event', 'none') <> 'none'
where r.tenant_id = $1 and r.created_at >= ${SINCE} and r.state = 'COMPLETED'
  and not exists (select 1 from onceboard.outbox_messages m where m.tenant_id = $1 and m.operation_id = r.operation_id)
  and not exists (select 1 from onceboard.outbox_history h where h.tenant_id = $1 and h.operation_id = r.operation_id and h.day >= ${DAYS})`,
  published_message_arrived: `select h.id from onceboard.outbox_history h
where h.tenant_id = $1 and h.day >= ${DAYS} and h.published_at >= ${SINCE} and h.published_at < now() - ${LAG}
  and h.transport = 'http' and h.type in (select k.expects ->> 'event' from onceboard.operation_kinds k where k.expects ? 'postedBy') and not ${COPIES("h.topic")}
  and not exists (select 1 from onceboard.topics t where t.tenant_id = $1 and t.topic = h.topic and t.destination is not null)
  and not exists (select 1 from onceboard.inbox_messages i where i.tenant_id = $1 and i.message_id = h.id::text)`,
  dead_but_processed: `select m.id from onceboard.outbox_messages m
join onceboard.inbox_messages i on i.tenant_id = m.tenant_id and i.message_id = m.id::text
where m.tenant_id = $1 and i.tenant_id = $1 and m.state = 'dead' and i.state = 'processed' and m.created_at >= ${SINCE}
group by m.id`,
  no_payload_swap: `select m.id from onceboard.inbox_messages m where m.tenant_id = $1 and m.received_at >= ${SINCE} and m.mismatches > 0`,
  inbox_queue_matches: `select m.id from onceboard.inbox_messages m
where m.tenant_id = $1 and m.received_at >= ${SINCE} and m.state = 'recorded'
  and not exists (select 1 from onceboard.inbox_open o where o.tenant_id = $1 and o.id = m.id)
union all
select o.id from onceboard.inbox_open o
where o.tenant_id = $1 and not exists (select 1 from onceboard.inbox_messages m
  where m.tenant_id = $1 and m.id = o.id and m.state = 'recorded')`,
  dead_letters_are_dead: `select d.message_row_id as id from onceboard.dead_letters d
where d.tenant_id = $1 and d.settled_at is null and d.dead_at >= ${SINCE} and not case d.side
  when 'outbox' then exists (select 1 from onceboard.outbox_messages m where m.tenant_id = $1 and m.id = d.message_row_id and m.state = 'dead')
  else exists (select 1 from onceboard.inbox_messages i where i.tenant_id = $1 and i.id = d.message_row_id and i.state = 'dead') end`,
  audit_chain_intact: `with newest as (
  select a.*, onceboard.audit_entry_hash(a, a.previous_hash) as should, lag(a.sequence) over w as link, lag(a.hash) over w as covers from (
    select * from onceboard.audit_entries e where e.tenant_id = $1 order by e.sequence desc limit ${String(AUDIT_LINKS)}) a
  window w as (order by a.sequence))
select n.id from newest n
where n.link <> n.sequence - 1 or n.covers <> n.previous_hash or n.hash is distinct from n.should
union
select n.id from onceboard.audit_heads h
left join lateral (select * from newest order by sequence desc limit 1) n on true
where h.tenant_id = $1 and h.sequence > 0 and (n.sequence is distinct from h.sequence or n.hash is distinct from h.hash)`,
  audit_as_checkpointed: `select k.chain || ' #' || k.broken_at as id from onceboard.audit_chain_checks k
where k.chain in ($1, '${chainName("", "access")}') and k.broken_at is not null
union
select c.chain || ' #' || c.sequence from onceboard.audit_checkpoints c
left join onceboard.audit_entries e on e.tenant_id = c.chain and e.sequence = c.sequence
where c.chain in ($1, '${chainName("", "access")}') and c.sequence > 0 and c.at >= ${SINCE} and e.hash is distinct from c.hash`,
  plan_items_settled: `select p.id from onceboard.plans p
where p.tenant_id = $1 and p.state = 'done' and p.ended_at >= ${SINCE}
  and exists (select 1 from onceboard.plan_items i where i.tenant_id = $1 and i.plan_id = p.id and i.state = 'waiting')`,
} as const;

export type CounterexampleId = keyof typeof COUNTEREXAMPLES;

/** Violations counted per check at the most. */
export const MOST_VIOLATIONS = 100;

/** @returns ids that violate the check; one more than MOST_VIOLATIONS: there are more. */
export async function findCounterexamples(q: Queryable, tenantId: string, id: CounterexampleId): Promise<string[]> {
  const sql = COUNTEREXAMPLES[id];
  const { rows } = await q.query<{ id: string | null }>({
    text: `select v.id::text as id from (${sql}) v limit ${String(MOST_VIOLATIONS + 1)}`,
    values: sql.includes("$2") ? [tenantId, CHECK_HOURS] : [tenantId],
  });
  return rows.map((row) => row.id ?? "");
}

/** The same statement with its values in it, to be run by hand. */
export function sqlToCopy(tenantId: string, id: CounterexampleId): string {
  const tenant = `'${tenantId.replaceAll("'", "''")}'`;
  const sql: string = COUNTEREXAMPLES[id];
  return `${sql.replaceAll("$1", () => tenant).replaceAll("$2", String(CHECK_HOURS))}\nlimit ${String(MOST_VIOLATIONS)};`;
}
