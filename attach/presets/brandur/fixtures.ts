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
