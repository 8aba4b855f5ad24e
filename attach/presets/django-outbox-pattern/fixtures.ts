/** The tables as the migrations of version 3 make them. */
export const DJANGO_OUTBOX_TABLES = `
create table published (
  id uuid not null primary key, version varchar(100), destination varchar(255) not null, body jsonb not null,
  added timestamptz not null, expires_at timestamptz not null, retry integer not null check (retry >= 0), status integer not null,
  headers jsonb not null);
create index on published (added);
create index on published (status);
create table received (
  id uuid not null primary key, headers jsonb, body jsonb, added timestamptz not null, expires_at timestamptz not null,
  retry integer not null check (retry >= 0), status integer not null, msg_id varchar(100) unique);
create index on received (added);`;

/** Expiry as hours from now. */
export const DJANGO_OUTBOX_ROWS = [
  { state: "waiting", status: 1, retry: 0, expires: 20 },
  { state: "expired", status: 1, retry: 0, expires: -1 },
  { state: "dead", status: -1, retry: 50, expires: 300 },
  { state: "sent", status: 2, retry: 1, expires: 20 },
  { state: "unknown", status: 7, retry: 0, expires: 20 },
] as const;

export const djangoOutboxId = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
