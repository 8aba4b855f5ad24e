import type { ForeignDatabase } from "../../testing/foreign-database";

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

/** A row in each state, in both tables. */
export async function insertDjangoOutboxRows(database: ForeignDatabase): Promise<void> {
  for (const [index, { status, retry, expires }] of DJANGO_OUTBOX_ROWS.entries()) {
    const values = [djangoOutboxId(index + 1), retry, status, expires, index];
    const times = "timestamptz '2026-03-01 12:00Z' + $5 * interval '1 second', now() + $4 * interval '1 hour'";
    await database.run(
      `insert into published values ($1, 'v1', '/exchange/orders.v1', '{"a": 1}', ${times}, $2, $3, '{"dop-msg-id": "x"}')`,
      values,
    );
    await database.run(
      `insert into received values ($1, '{"destination": "/exchange/orders"}', '{"a": 1}', ${times}, $2, $3, 'm-' || $5::integer)`,
      values,
    );
  }
}
