import type { ForeignDatabase } from "../../testing/foreign-database";

/** The table as @idempot/postgres-store 1.1 makes it. */
export const IDEMPOT_TABLES = `
create table public.idempotency_records (
  key text primary key, fingerprint text not null, status text not null check (status in ('processing', 'complete')),
  response_status integer, response_headers text, response_body text, expires_at bigint not null);
create index idx_fingerprint on public.idempotency_records (fingerprint);
create index idx_expires_at on public.idempotency_records (expires_at);`;

/** Age in minutes; a key is kept for 24 hours. */
export const IDEMPOT_ROWS = [
  { key: "expired", state: "expired", status: "complete", minutes: 25 * 60, response: 201 },
  { key: "abandoned", state: "expired", status: "processing", minutes: 24 * 60 + 1, response: null },
  { key: "stale", state: "in_progress", status: "processing", minutes: 30, response: null },
  { key: "done", state: "done", status: "complete", minutes: 20, response: 200 },
  { key: "young", state: "in_progress", status: "processing", minutes: 1, response: null },
] as const;

/** A key in each state. */
export async function insertIdempotRows(database: ForeignDatabase): Promise<void> {
  for (const { key, status, minutes, response } of IDEMPOT_ROWS)
    await database.run(
      `insert into idempotency_records values ($1, 'f-' || $1, $2, $3, '{}', $4,
         (extract(epoch from now() - $5 * interval '1 minute') * 1000)::bigint + 86400000)`,
      [key, status, response, response === null ? null : "created é", minutes],
    );
}
