import type { ForeignDatabase } from "../../testing/foreign-database";

/** The table as @nestarc/idempotency 0.4 makes it. */
export const NESTARC_TABLES = `
create table public.idempotency_records (
  key text primary key, token uuid not null, fingerprint text,
  status text not null check (status in ('PROCESSING', 'COMPLETED')), response_code int, response_body text,
  response_headers jsonb, created_at timestamptz not null default now(), expires_at timestamptz not null);
create index idx_idempotency_records_expires_at on public.idempotency_records (expires_at);`;

/** Start and end in minutes from now, in the order of their end. */
export const NESTARC_ROWS = [
  { key: "POST /orders::expired", state: "expired", status: "COMPLETED", began: -1500, ends: -60, code: 201 },
  { key: "POST /orders::abandoned", state: "expired", status: "PROCESSING", began: -2, ends: -1, code: null },
  { key: "POST /orders::stale", state: "in_progress", status: "PROCESSING", began: -30, ends: 1410, code: null },
  { key: "plain", state: "done", status: "COMPLETED", began: -20, ends: 1420, code: 204 },
  { key: "POST /orders::young", state: "in_progress", status: "PROCESSING", began: -1, ends: 1439, code: null },
  {
    key: "@nestarc/idempotency:key:v1:0f1e",
    state: "done",
    status: "COMPLETED",
    began: -1,
    ends: 1440,
    code: 200,
  },
] as const;

/** A key in each state. */
export async function insertNestarcRows(database: ForeignDatabase): Promise<void> {
  for (const { key, status, began, ends, code } of NESTARC_ROWS)
    await database.run(
      `insert into idempotency_records values ($1, gen_random_uuid(), 'f', $2, $3, $4, '{}',
         now() + $5 * interval '1 minute', now() + $6 * interval '1 minute')`,
      [key, status, code, code === null ? null : '{"id":1}', began, ends],
    );
}
