import type { ForeignDatabase } from "../../testing/foreign-database";

/** The tables as the sample application has them: a ride keeps a reference to its key. */
export const BRANDUR_TABLES = `
create table public.users (id bigserial primary key, email text not null unique);
create table public.idempotency_keys (
  id bigserial primary key, created_at timestamptz not null default now(),
  idempotency_key text not null check (char_length(idempotency_key) <= 100),
  last_run_at timestamptz not null default now(), locked_at timestamptz default now(),
  request_method text not null check (char_length(request_method) <= 10), request_params jsonb not null,
  request_path text not null check (char_length(request_path) <= 100), response_code int, response_body jsonb,
  recovery_point text not null check (char_length(recovery_point) <= 50),
  user_id bigint not null references public.users on delete restrict);
create unique index on public.idempotency_keys (user_id, idempotency_key);
create table public.rides (
  id bigserial primary key, idempotency_key_id bigint unique references public.idempotency_keys on delete set null);`;

/** Ages in seconds; ids begin at 1, in this order. */
export const BRANDUR_ROWS = [
  { state: "done", point: "finished", created: 80 * 3_600, locked: null, code: 201 },
  { state: "failed", point: "ride_created", created: 79 * 3_600, locked: null, code: null },
  { state: "in_progress", point: "charge_created", created: 300, locked: 91, code: null },
  { state: "done", point: "finished", created: 200, locked: null, code: 402 },
  { state: "in_progress", point: "started", created: 5, locked: 5, code: null },
] as const;

/** A key in each state, of one user; two of them have a ride. */
export async function insertBrandurRows(database: ForeignDatabase): Promise<void> {
  await database.run("insert into users (email) values ('a@example.com')");
  for (const { point, created, locked, code } of BRANDUR_ROWS)
    await database.run(
      `insert into idempotency_keys (idempotency_key, created_at, last_run_at, locked_at, request_method, request_params, request_path, response_code, response_body, recovery_point, user_id)
       values (gen_random_uuid()::text, now() - $1 * interval '1 second', now(), now() - $2 * interval '1 second', 'POST', '{"a":1}', '/rides', $3, $4, $5, 1)`,
      [created, locked, code, code === null ? null : { message: "é" }, point],
    );
  await database.run("insert into rides (idempotency_key_id) values (1), (4)");
}
