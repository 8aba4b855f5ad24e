/** Tables of pg-boss 12 as far as a job needs them: one partition for all queues, and one of a queue of its own. */
export const PG_BOSS_11_TABLES = `
create schema pgboss;
create type pgboss.job_state as enum ('created', 'retry', 'active', 'completed', 'cancelled', 'failed');
create table pgboss.queue (name text primary key, policy text not null, retry_limit int not null default 2, table_name text not null default 'job_common');
create table pgboss.job (
  id uuid not null default gen_random_uuid(), name text not null, priority integer not null default 0, data jsonb,
  state pgboss.job_state not null default 'created', retry_limit integer not null default 2, retry_count integer not null default 0,
  retry_delay integer not null default 0, retry_backoff boolean not null default false, retry_delay_max integer,
  expire_seconds int not null default 900, deletion_seconds int not null default 604800,
  singleton_key text, singleton_on timestamp, group_id text, group_tier text,
  start_after timestamptz not null default now(), created_on timestamptz not null default now(), started_on timestamptz,
  completed_on timestamptz, keep_until timestamptz not null default now() + interval '14 days', output jsonb,
  dead_letter text, policy text, heartbeat_on timestamptz, heartbeat_seconds int,
  blocked boolean not null default false, blocking boolean not null default false,
  primary key (name, id)) partition by list (name);
create table pgboss.job_common partition of pgboss.job default;
create table pgboss.job_large partition of pgboss.job for values in ('large');
create unique index on pgboss.job_common (name, coalesce(singleton_key, '')) where state <= 'active' and policy = 'exclusive';
create index on pgboss.job_common (name, state, blocked, start_after) where state in ('created', 'retry', 'active', 'failed');
insert into pgboss.queue (name, policy) values ('orders', 'standard'), ('large', 'standard'), ('alone', 'exclusive');`;

/** Before heartbeats, groups and jobs that depend on others: version 11.0. */
export const PG_BOSS_11_0_CHANGES = `
alter table pgboss.job drop column heartbeat_on, drop column heartbeat_seconds, drop column group_id, drop column group_tier,
  drop column blocked cascade, drop column blocking`;

const ERROR = `'{"name": "GatewayError", "message": "The gateway was gone.", "stack": "at pay"}'`;

/** State, the state of pg-boss, and what else of a row makes it so. */
export const PG_BOSS_11_ROWS = [
  { n: 1, state: "waiting", raw: "created", set: {} },
  { n: 2, state: "scheduled", raw: "created", set: { start_after: "now() + interval '1 hour'" } },
  { n: 3, state: "expired", raw: "created", set: { keep_until: "now() - interval '1 minute'" } },
  { n: 4, state: "retrying", raw: "retry", set: { retry_count: "1", started_on: "now()", output: ERROR } },
  { n: 5, state: "in_progress", raw: "active", set: { started_on: "now()", singleton_key: "'customer-7'" } },
  {
    n: 6,
    state: "sent",
    raw: "completed",
    set: { started_on: "now()", completed_on: "now()", output: `'{"message": "a result"}'` },
  },
  { n: 7, state: "cancelled", raw: "cancelled", set: { completed_on: "now()" } },
  {
    n: 8,
    state: "dead",
    raw: "failed",
    set: { started_on: "now()", retry_count: "2", completed_on: "now() - interval '1 day'", output: ERROR },
  },
] as const;

export const pgBoss11Id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

export const PG_BOSS_11_INSERTS = PG_BOSS_11_ROWS.map(({ n, raw, set }) => {
  const columns = { id: `'${pgBoss11Id(n)}'`, name: "'orders'", state: `'${raw}'`, data: `'{"amount": 12}'`, ...set };
  return `insert into pgboss.job (${Object.keys(columns).join(", ")}) values (${Object.values(columns).join(", ")})`;
}).join(";\n");
