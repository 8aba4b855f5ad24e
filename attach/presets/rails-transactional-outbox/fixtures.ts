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
