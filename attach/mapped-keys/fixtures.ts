/** One of the five shapes in which teams make tables of keys, and what is shown and offered of it. */
export interface KeyShape {
  readonly title: string;
  readonly table: string;
  readonly ddl: string;
  /** Of the map that is guessed. */
  readonly guessed: Readonly<Record<string, unknown>>;
  readonly constants: Readonly<Record<string, string>>;
  /** In the order of the list. */
  readonly rows: readonly { readonly id: string; readonly state: string }[];
  readonly done: string;
  readonly stale?: string;
  readonly kept: readonly string[];
  readonly held: { readonly id: string; readonly where: string };
  readonly needed: readonly string[];
  /** Whether a lock can be freed, and keys whose time is over purged. */
  readonly acts: { readonly requeue: boolean; readonly purge: boolean };
}

const LIMIT = { stale_after: "15 minutes" };

/** Of rows that have a number: the first is `key:1`. */
const numbered = (states: readonly string[]) =>
  states.map((state, index) => ({ id: `key:${String(index + 1)}`, state }));

export const KEY_SHAPES: readonly KeyShape[] = [
  {
    title: "A: a status and a lock",
    table: "public.idempotency_keys",
    ddl: `create table public.idempotency_keys (
        id bigserial primary key, idempotency_key text not null, tenant_id uuid not null, operation text not null, request_hash text not null,
        status text not null, locked_at timestamptz, locked_by text, response_status int, response_body jsonb, attempts int not null default 1,
        created_at timestamptz not null default now(), updated_at timestamptz not null default now(), expires_at timestamptz not null,
        unique (tenant_id, operation, idempotency_key));
      insert into public.idempotency_keys (idempotency_key, tenant_id, operation, request_hash, status, locked_at, locked_by, response_status, response_body, created_at, updated_at, expires_at)
      select 'k-' || n, gen_random_uuid(), 'orders.create', 'h', status, now() - locked * interval '1 minute', 'web-1', code, body::jsonb,
             now() - interval '1 hour', now() - interval '1 hour', now() + ends * interval '1 hour'
        from (values (1, 'processing', 1, null, null, 23), (2, 'Processing', 30, null, null, 23), (3, 'completed', null, 201, '{"id":1}', 23),
                     (4, 'failed', null, 500, null, 23), (5, 'completed', null, 200, '{}', -1), (6, 'odd', null, null, null, 23)) as v(n, status, locked, code, body, ends)
       order by n;`,
    guessed: {
      ...{ key: "idempotency_key", id: ["id"], tenant: "tenant_id", scope: ["operation"], fingerprint: "request_hash" },
      ...{ status: "status", httpStatus: "response_status", response: "response_body", lockedAt: "locked_at" },
      ...{
        lockedBy: "locked_by",
        created: "created_at",
        updated: "updated_at",
        expires: "expires_at",
        inFlight: "status",
      },
    },
    constants: LIMIT,
    rows: numbered(["in_progress", "in_progress", "done", "failed", "expired", "unknown"]),
    done: "key:3",
    stale: "key:2",
    kept: ["key:1", "key:6"],
    held: { id: "key:4", where: "id = 4" },
    needed: ["locked_at", "status"],
    acts: { requeue: true, purge: true },
  },
  {
    title: "B: a status and no lock, in camel case and local time, as Prisma writes it",
    table: 'public."IdempotencyKey"',
    ddl: `create type public."State" as enum ('IN_PROGRESS', 'COMPLETED', 'FAILED');
      create table public."IdempotencyKey" (
        key text primary key, method text not null, path text not null, status public."State" not null, "responseStatus" int, "responseBody" text,
        "createdAt" timestamp(3) not null default current_timestamp, "completedAt" timestamp(3), "expiresAt" timestamp(3) not null);
      insert into public."IdempotencyKey" (key, method, path, status, "responseStatus", "responseBody", "createdAt", "expiresAt")
      select key, 'POST', '/orders', status::public."State", code, body, (now() - began * interval '1 minute') at time zone 'Asia/Tokyo', (now() + ends * interval '1 hour') at time zone 'Asia/Tokyo'
        from (values ('old', 'COMPLETED', 200, 'x', 90, -1), ('stale', 'IN_PROGRESS', null, null, 30, 23), ('done', 'COMPLETED', 200, 'no { json', 20, 23), ('failed', 'FAILED', 502, null, 10, 23),
                     ('young', 'IN_PROGRESS', null, null, 1, 23)) as v(key, status, code, body, began, ends);`,
    guessed: {
      ...{
        key: "key",
        id: ["method", "path", "key"],
        scope: ["method", "path"],
        status: "status",
        httpStatus: "responseStatus",
      },
      ...{
        response: "responseBody",
        created: "createdAt",
        completed: "completedAt",
        expires: "expiresAt",
        inFlight: "status",
      },
    },
    constants: { ...LIMIT, time_zone: "Asia/Tokyo" },
    rows: [
      ["old", "expired"],
      ["stale", "in_progress"],
      ["done", "done"],
      ["failed", "failed"],
      ["young", "in_progress"],
    ].map(([key = "", state = ""]) => ({ id: `key:4:POST7:/orders${key}`, state })),
    done: "key:4:POST7:/ordersdone",
    stale: "key:4:POST7:/ordersstale",
    kept: ["key:4:POST7:/ordersyoung", "key:done", "key:young", "key:-:"],
    held: { id: "key:4:POST7:/ordersstale", where: "key = 'stale'" },
    needed: ["responseStatus", "responseBody"],
    acts: { requeue: false, purge: true },
  },
  {
    title: "C: a hash and a response that is not there yet",
    table: "public.idempotency_keys",
    ddl: `create table public.idempotency_keys (
        user_id bigint, key varchar(200) not null, request_hash bytea not null, status int, response bytea, created_at timestamptz default now(), unique (user_id, key));
      insert into public.idempotency_keys values (1, 'a', '\\x01', null, null, now() - interval '30 minutes'), (11, 'a', '\\x02', 201, '\\xff00', now() - interval '20 minutes'),
        (1, '1a', '\\x02', null, null, now() - interval '1 minute'), (null, 'a', '\\x02', null, null, null);`,
    guessed: {
      ...{ key: "key", id: ["user_id", "key"], tenant: "user_id", fingerprint: "request_hash", httpStatus: "status" },
      ...{ response: "response", created: "created_at", inFlight: "no_response" },
    },
    constants: LIMIT,
    rows: [
      { id: "key:-:a", state: "in_progress" },
      { id: "key:1:1a", state: "in_progress" },
      { id: "key:2:11a", state: "done" },
      { id: "key:1:11a", state: "in_progress" },
    ],
    done: "key:2:11a",
    stale: "key:1:1a",
    kept: ["key:1:11a", "key:-:a"],
    held: { id: "key:1:1a", where: "user_id = 1 and key = 'a'" },
    needed: ["request_hash", "response"],
    acts: { requeue: false, purge: false },
  },
  {
    title: "D: a cache of responses, with times in milliseconds",
    table: "public.idempotent_responses",
    ddl: `create table public.idempotent_responses (id uuid primary key, idempotency_key text not null unique, response jsonb not null, expires_at bigint not null);
      insert into public.idempotent_responses
      select ('00000000-0000-0000-0000-00000000000' || n)::uuid, 'k-' || n, '{"id":1}', (extract(epoch from now()) * 1000)::bigint + ends * 3600000
        from (values (1, -1), (2, 23), (3, 22)) as v(n, ends);`,
    guessed: { key: "idempotency_key", id: ["id"], response: "response", expires: "expires_at", inFlight: "no_row" },
    constants: {},
    rows: ["expired", "done", "done"].map((state, index) => ({
      id: `key:00000000-0000-0000-0000-00000000000${String(index + 1)}`,
      state,
    })),
    done: "key:00000000-0000-0000-0000-000000000002",
    kept: ["key:00000000-0000-0000-0000-000000000009", "key:k-3"],
    held: { id: "key:00000000-0000-0000-0000-000000000003", where: "idempotency_key = 'k-3'" },
    needed: ["response", "expires_at"],
    acts: { requeue: false, purge: true },
  },
  {
    title: "E: a mark that refers to what was made",
    table: "public.processed_requests",
    ddl: `create table public.processed_requests (request_key text primary key, payment_id bigint not null, created_at timestamptz not null default now());
      insert into public.processed_requests values ('b', 7, now() - interval '2 minutes'), ('a', 8, now());`,
    guessed: {
      key: "request_key",
      id: ["request_key"],
      reference: "payment_id",
      created: "created_at",
      inFlight: "no_row",
    },
    constants: {},
    rows: [
      { id: "key:b", state: "done" },
      { id: "key:a", state: "done" },
    ],
    done: "key:a",
    kept: ["key:c"],
    held: { id: "key:b", where: "request_key = 'b'" },
    needed: ["payment_id"],
    acts: { requeue: false, purge: false },
  },
];
