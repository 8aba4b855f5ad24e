/** Oban's table as its migration 14 leaves it, without what only its notifier needs. */
export const OBAN_TABLES = `
create type oban_job_state as enum
  ('available', 'suspended', 'scheduled', 'executing', 'retryable', 'completed', 'discarded', 'cancelled');
create table oban_jobs (
  id bigserial primary key, state oban_job_state not null default 'available', queue text not null default 'default',
  worker text not null, args jsonb not null default '{}', errors jsonb[] not null default array[]::jsonb[],
  attempt integer not null default 0, max_attempts integer not null default 20,
  inserted_at timestamp not null default (now() at time zone 'UTC'), scheduled_at timestamp not null default (now() at time zone 'UTC'),
  attempted_at timestamp, completed_at timestamp, discarded_at timestamp, cancelled_at timestamp,
  attempted_by text[], priority integer not null default 0, tags text[] default array[]::text[], meta jsonb default '{}',
  constraint attempt_range check (attempt >= 0 and attempt <= max_attempts),
  constraint positive_max_attempts check (max_attempts > 0));
create index on oban_jobs (state, queue, priority, scheduled_at, id);`;

export const OBAN_ROWS = [
  { id: 1, state: "waiting", raw: "available" },
  { id: 2, state: "scheduled", raw: "suspended" },
  { id: 3, state: "scheduled", raw: "scheduled" },
  { id: 4, state: "in_progress", raw: "executing" },
  { id: 5, state: "retrying", raw: "retryable" },
  { id: 6, state: "sent", raw: "completed" },
  { id: 7, state: "dead", raw: "discarded" },
  { id: 8, state: "cancelled", raw: "cancelled" },
] as const;

export const OBAN_INSERTS = `insert into oban_jobs (id, state, queue, worker, args, errors, attempt, max_attempts, inserted_at, scheduled_at, attempted_at, completed_at, discarded_at, cancelled_at, attempted_by, meta)
select n, s::oban_job_state, 'orders', 'Shop.Pay', '{"amount": 12}',
  array['{"at": "2026-03-01T11:00:00Z", "attempt": 1, "error": "first"}',
    '{"at": "2026-03-01T12:00:00Z", "attempt": 2, "error": "** (Shop.GatewayError) The gateway was gone.\\n    (shop 1.0) lib/pay.ex:7"}']::jsonb[],
  2, 2, '2026-03-01 11:00', '2026-03-01 11:30', '2026-03-01 12:00',
  case s when 'completed' then timestamp '2026-03-01 12:00:05' end, case s when 'discarded' then timestamp '2026-03-01 12:00:05' end,
  case s when 'cancelled' then timestamp '2026-03-01 12:00:05' end, array['node@shop', 'some-uuid'], '{"region": "eu"}'
from unnest(array['available', 'suspended', 'scheduled', 'executing', 'retryable', 'completed', 'discarded', 'cancelled']) with ordinality as t(s, n);
select setval('oban_jobs_id_seq', 100)`;
