/** River's table as its migrations 1 to 7 leave it, without what only they need. */
export const RIVER_TABLES = `
create type river_job_state as enum
  ('available', 'cancelled', 'completed', 'discarded', 'pending', 'retryable', 'running', 'scheduled');
create table river_job (
  id bigserial primary key, state river_job_state not null default 'available', attempt smallint not null default 0,
  max_attempts smallint not null, attempted_at timestamptz, created_at timestamptz not null default now(),
  finalized_at timestamptz, scheduled_at timestamptz not null default now(), priority smallint not null default 1,
  args jsonb not null default '{}', attempted_by text[], errors jsonb[], kind text not null,
  metadata jsonb not null default '{}', queue text not null default 'default', tags varchar(255)[] not null default '{}',
  unique_key bytea, unique_states bit(8),
  constraint finalized_or_finalized_at_null check (
    (finalized_at is null and state not in ('cancelled', 'completed', 'discarded'))
    or (finalized_at is not null and state in ('cancelled', 'completed', 'discarded'))));
create index on river_job (state, finalized_at) where finalized_at is not null;
create index on river_job (state, queue, priority, scheduled_at, id);
-- River asks a bitmask which states count; here all of those that wait or run.
create unique index on river_job (unique_key)
  where unique_key is not null and unique_states is not null and state in ('available', 'pending', 'running', 'retryable', 'scheduled');`;

export const RIVER_ROWS = [
  { id: 1, state: "waiting", raw: "available" },
  { id: 2, state: "scheduled", raw: "scheduled" },
  { id: 3, state: "scheduled", raw: "pending" },
  { id: 4, state: "in_progress", raw: "running" },
  { id: 5, state: "retrying", raw: "retryable" },
  { id: 6, state: "sent", raw: "completed" },
  { id: 7, state: "cancelled", raw: "cancelled" },
  { id: 8, state: "dead", raw: "discarded" },
] as const;

/** A row in each state, as old as a test wants them. */
export const RIVER_INSERTS = `insert into river_job (id, state, attempt, max_attempts, attempted_at, created_at, finalized_at, scheduled_at, args, attempted_by, errors, kind, metadata, queue)
select n, s::river_job_state, 3, 3, timestamptz '2026-03-01 12:00Z', timestamptz '2026-03-01 11:00Z',
  case when s in ('cancelled', 'completed', 'discarded') then timestamptz '2026-03-01 12:00:05Z' end, timestamptz '2026-03-01 12:00Z',
  '{"amount": 12}', array['client-1', 'client-2'],
  array['{"at": "2026-03-01T11:00:00Z", "error": "first", "trace": ""}', '{"at": "2026-03-01T12:00:00Z", "error": "The gateway was gone.", "trace": "main.go:7"}']::jsonb[],
  'pay', '{"region": "eu"}', 'orders'
from unnest(array['available', 'scheduled', 'pending', 'running', 'retryable', 'completed', 'cancelled', 'discarded']) with ordinality as t(s, n);
select setval('river_job_id_seq', 100)`;
