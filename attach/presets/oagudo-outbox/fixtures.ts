import type { ForeignDatabase } from "../../testing/foreign-database";

/** The table as the library documents it for PostgreSQL. */
export const OAGUDO_OUTBOX_TABLES = `
create table outbox (
  id uuid primary key, created_at timestamptz not null, scheduled_at timestamptz not null, metadata bytea,
  payload bytea not null, times_attempted integer not null);
create index on outbox (created_at);
create index on outbox (scheduled_at);`;

/** Schedules as hours from now. */
export const OAGUDO_OUTBOX_ROWS = [
  { state: "waiting", scheduled: -1, attempts: 0 },
  { state: "scheduled", scheduled: 2, attempts: 0 },
  { state: "retrying", scheduled: 2, attempts: 4 },
  { state: "waiting", scheduled: -1, attempts: 4 },
] as const;

export const oagudoOutboxId = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** A message in each state. */
export async function insertOagudoOutboxRows(database: ForeignDatabase): Promise<void> {
  for (const [index, { scheduled, attempts }] of OAGUDO_OUTBOX_ROWS.entries())
    await database.run(
      "insert into outbox values ($1, timestamptz '2026-03-01 12:00Z' + $2 * interval '1 second', now() + $3 * interval '1 hour', $4, $5, $6)",
      [oagudoOutboxId(index + 1), index, scheduled, Buffer.from('{"a": "é"}'), Buffer.from([0, 255]), attempts],
    );
}
