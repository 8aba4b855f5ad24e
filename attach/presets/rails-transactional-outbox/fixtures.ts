import type { ForeignDatabase } from "../../testing/foreign-database";

/** The table as the migration of version 1.2 makes it, with JSON columns that are not encrypted. */
export const RAILS_OUTBOX_TABLES = `
create table outbox_entries (
  id bigserial primary key, resource_class varchar, resource_id varchar, event_name varchar not null, context varchar not null,
  processed_at timestamp(6), arguments jsonb not null default '{}', changeset jsonb not null default '{}', causality_key varchar,
  failed_at timestamp(6), retry_at timestamp(6), error_class varchar, error_message varchar, attempts integer not null default 0,
  created_at timestamp(6) not null, updated_at timestamp(6) not null);
create index on outbox_entries (created_at) where processed_at is null;`;

/** Times as hours from now, in UTC as Rails writes them. */
export const RAILS_OUTBOX_ROWS = [
  { state: "waiting", processed: null, retry: null, attempts: 0, error: null },
  { state: "retrying", processed: null, retry: 4, attempts: 9, error: "Timeout::Error" },
  { state: "waiting", processed: null, retry: -1, attempts: 2, error: "Timeout::Error" },
  { state: "sent", processed: -100, retry: null, attempts: 1, error: null },
] as const;

/** An entry in each state. */
export async function insertRailsOutboxRows(database: ForeignDatabase): Promise<void> {
  for (const { processed, retry, attempts, error } of RAILS_OUTBOX_ROWS)
    await database.run(
      `insert into outbox_entries (resource_class, resource_id, event_name, context, processed_at, retry_at, failed_at, attempts, error_class, error_message, causality_key, created_at, updated_at)
       select 'User', '7', 'user_updated', 'active_record', now_utc + $1 * interval '1 hour', now_utc + $2 * interval '1 hour', case when $3 > 0 then now_utc end, $3, $4::text, case when $4::text is not null then 'late' end, 'k', '2026-03-01 12:00', now_utc
         from (select now() at time zone 'UTC' as now_utc) as clock`,
      [processed, retry, attempts, error],
    );
}
