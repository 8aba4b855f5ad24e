import { ACCOUNTS, CLIENTS } from "./shape";
import type { SeedStatement } from "./statement";

const AUDIT_ENTRIES = 3_000;
const PLANS = 120;
const PLAN_ROWS = 100;
const RETENTION_RUNS = 2_000;
const GAUGES = [
  "in_progress",
  "unknown",
  "stale",
  "oldest_in_progress_seconds",
  "oldest_unknown_seconds",
  "outbox_pending",
  "outbox_oldest_seconds",
  "inbox_recorded",
  "inbox_oldest_seconds",
  "dead_letters",
];

/** What a tenant has before its traffic. `$1` tenant. */
export const TENANT_ROWS: readonly SeedStatement[] = [
  {
    table: "tenants",
    text: "insert into onceboard.tenants (id, name) values ($1::text, initcap($1::text)) on conflict do nothing",
  },
  {
    table: "api_clients",
    text: `insert into onceboard.api_clients (tenant_id, id, name, scopes)
select $1::text, md5('client' || c.name)::uuid::text, c.name, '{payments,accounts}' from unnest('{${CLIENTS.map(([name]) => name).join(",")}}'::text[]) c(name) on conflict do nothing`,
  },
  {
    table: "accounts",
    text: `insert into payments.accounts (tenant_id, id, operation_id, currency, default_currency, created_at, updated_at)
select $1::text, 'acc_' || lpad(n::text, 5, '0'), md5('account' || n)::uuid, 'EUR', 'EUR', now() - interval '90 days', now() - interval '90 days'
from generate_series(1, ${String(ACCOUNTS)}) n on conflict do nothing`,
  },
];

/** What people and loops left beside it. `$1` tenant. The audit chain is made by its own function, so it verifies. */
export const SYSTEM_ROWS: readonly SeedStatement[] = [
  {
    table: "audit_entries",
    text: `select onceboard.append_audit($1::text, gen_random_uuid(), 'operator', 'op-' || n % 7, 'Operator ' || n % 7, a.action, a.subject, md5('subject' || n)::uuid::text, 'seeded', '{}', '{"changed":true}', null, md5('audit' || n))
from generate_series(1, ${String(AUDIT_ENTRIES)}) n cross join lateral (
  select (array['operations.reconcile', 'operations.resolve', 'outbox.requeue', 'inbox.requeue', 'retention.run'])[1 + n % 5] as action,
    (array['operation', 'operation', 'outbox_message', 'inbox_message', 'tenant'])[1 + n % 5] as subject) a`,
  },
  {
    table: "plans",
    text: `insert into onceboard.plans (tenant_id, id, kind, state, filter, reason, total, created_at, created_by, started_at, started_by, ended_at)
select $1::text, pg_temp.seed_id(p.at, 'plan' || n), 'requeue_dead_letters', 'done', '{}', 'seeded', ${String(PLAN_ROWS)}, p.at, 'op-1', p.at + interval '1 minute', 'op-1', p.at + interval '2 minutes'
from generate_series(1, ${String(PLANS)}) n cross join lateral (select now() - make_interval(hours => 6 * n) as at) p`,
  },
  {
    table: "plan_items",
    text: `insert into onceboard.plan_items (tenant_id, plan_id, position, target_id, label, verdict, verdict_reason, state, outcome, ended_at)
select $1::text, p.id, k, md5(p.id::text || k)::uuid, '{}', 'safe', 'dead, and nobody holds its id', 'done', 'requeued', p.ended_at
from onceboard.plans p cross join generate_series(1, ${String(PLAN_ROWS)}) k where p.tenant_id = $1::text and p.reason = 'seeded'`,
  },
  {
    table: "retention_runs",
    text: `insert into onceboard.retention_runs (tenant_id, id, at, actor, kind, rows, bytes)
select $1::text, 'seed-' || n, now() - make_interval(mins => 20 * n), 'retain', (array['bodies', 'requests', 'partitions'])[1 + n % 3], n % 900, n % 90000 from generate_series(1, ${String(RETENTION_RUNS)}) n`,
  },
  {
    table: "metric_gauges",
    text: `insert into onceboard.metric_gauges (tenant_id, bucket, name, value)
select $1::text, m, g.name, 1 + abs(hashtext(g.name || m::text) % 40) from generate_series(date_trunc('minute', now()) - interval '7 days', now(), interval '1 minute') m
cross join unnest('{${GAUGES.join(",")}}'::text[]) g(name) on conflict do nothing`,
  },
];
