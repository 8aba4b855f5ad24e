const columns = `
  id uuid primary key, aggregate_type text not null, aggregate_id text not null, message_type text not null, segment text,
  concurrency text not null default 'sequential' check (concurrency in ('sequential', 'parallel')), payload jsonb not null, metadata jsonb,
  locked_until timestamptz not null default to_timestamp(0), created_at timestamptz not null default clock_timestamp(),
  processed_at timestamptz, abandoned_at timestamptz,
  started_attempts smallint not null default 0, finished_attempts smallint not null default 0`;

const tableOf = (name: string): string => `
create table ${name} (${columns});
create index on ${name} (segment);
create index on ${name} (created_at);
create index on ${name} (processed_at);
create index on ${name} (abandoned_at);`;

/** Its tables as the set-up of version 0.6 makes them, without the function that listeners call. */
export const PG_TRANSACTIONAL_OUTBOX_TABLES = tableOf("outbox") + tableOf("inbox");
export const PG_TRANSACTIONAL_INBOX_ONLY = tableOf("inbox");

/** Each state, with what stands in the columns that tell it. */
export const PG_TRANSACTIONAL_OUTBOX_ROWS = [
  { state: "waiting", locked: "to_timestamp(0)", processed: "null", abandoned: "null", started: 0, finished: 0 },
  {
    state: "in_progress",
    locked: "now() + interval '5 minutes'",
    processed: "null",
    abandoned: "null",
    started: 1,
    finished: 0,
  },
  {
    state: "retrying",
    locked: "now() - interval '1 hour'",
    processed: "null",
    abandoned: "null",
    started: 2,
    finished: 2,
  },
  {
    state: "dead",
    locked: "now() - interval '1 hour'",
    processed: "null",
    abandoned: "now()",
    started: 5,
    finished: 5,
  },
  {
    state: "sent",
    locked: "now() - interval '1 hour'",
    processed: "now() - interval '8 days'",
    abandoned: "null",
    started: 1,
    finished: 1,
  },
  { state: "unknown", locked: "to_timestamp(0)", processed: "null", abandoned: "null", started: -1, finished: 0 },
] as const;

export const pgTransactionalOutboxId = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** SQL that puts a row in each state into a table. */
export const pgTransactionalOutboxRows = (table: string): string =>
  PG_TRANSACTIONAL_OUTBOX_ROWS.map(
    ({ locked, processed, abandoned, started, finished }, index) =>
      `insert into ${table} values ('${pgTransactionalOutboxId(index + 1)}', 'order', '17', 'paid', 's1', 'sequential', '{"a": 1}', '{"trace": "x"}', ${locked},
         now() - interval '9 days' + interval '1 minute' * ${String(index)}, ${processed}, ${abandoned}, ${String(started)}, ${String(finished)})`,
  ).join(";");
