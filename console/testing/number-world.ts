import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { recordEvents, type EventInsert } from "@/db/operations/record-events";
import { INVARIANT_NAMES } from "@/console/invariants/invariant-list";
import type { AnswerOutcome } from "@/domain/idempotency/states";
import type { EngineContext } from "@/engine/context";
import type { Desk } from "./read-desk";

const MINUTE_MS = 60_000;
const CLIENTS = ["till-web", "till-app", "till-post"] as const;

/** Rows of everything that two pages count. */
export interface NumberWorld {
  readonly unknown: number;
  readonly stale: number;
  readonly inProgress: number;
  /** Messages of a topic; the first ones are endpoints. */
  readonly topics: readonly { readonly pending: number; readonly dead: number }[];
  readonly endpoints: readonly { readonly disabled: boolean }[];
  readonly consumers: readonly { readonly recorded: number; readonly dead: number }[];
  readonly settled: number;
  readonly conflicts: { readonly today: number; readonly older: number; readonly ofConsole: number };
  readonly plans: { readonly ready: number; readonly waiting: number; readonly running: number; readonly done: number };
  /** Dead letters that were settled since plans of them were made. */
  readonly settledSince: number;
  readonly broken: number;
  readonly answers: readonly { readonly outcome: AnswerOutcome; readonly minutes: number; readonly client: number }[];
}

const count = (max: number) => fc.integer({ min: 0, max });
export const NUMBER_WORLDS: fc.Arbitrary<NumberWorld> = fc.record({
  unknown: count(4),
  stale: count(4),
  inProgress: count(4),
  topics: fc.array(fc.record({ pending: count(3), dead: count(2) }), { maxLength: 4 }),
  endpoints: fc.array(fc.record({ disabled: fc.boolean() }), { maxLength: 2 }),
  consumers: fc.array(fc.record({ recorded: count(3), dead: count(2) }), { maxLength: 3 }),
  settled: count(4),
  conflicts: fc.record({ today: count(5), older: count(3), ofConsole: count(3) }),
  plans: fc.record({ ready: count(2), waiting: count(8), running: count(2), done: count(2) }),
  settledSince: count(3),
  broken: count(2),
  answers: fc.array(
    fc.record({
      outcome: fc.constantFrom<AnswerOutcome>("executed", "replayed", "in_progress"),
      minutes: fc.integer({ min: 2, max: 300 }),
      client: fc.nat(CLIENTS.length - 1),
    }),
    { maxLength: 12 },
  ),
});

/** A few of each. */
export const FEW: NumberWorld = {
  ...{ unknown: 2, stale: 1, inProgress: 1, settled: 1, settledSince: 1, broken: 1 },
  topics: [
    { pending: 2, dead: 1 },
    { pending: 1, dead: 1 },
  ],
  endpoints: [{ disabled: true }],
  consumers: [{ recorded: 2, dead: 1 }],
  conflicts: { today: 2, older: 0, ofConsole: 0 },
  plans: { ready: 1, waiting: 2, running: 0, done: 0 },
  answers: [{ outcome: "executed", minutes: 3, client: 0 }],
};

/** Some whole minutes back, at its thirtieth second. */
export const minutesAgo = (minutes: number): string =>
  new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - minutes * MINUTE_MS + MINUTE_MS / 2).toISOString();

export type GivenAnswer = Omit<Partial<EventInsert>, "outcome" | "at"> & {
  readonly outcome: AnswerOutcome;
  readonly at: string;
};
/** An answer of a key that nobody else uses. */
export async function recordAnswer(desk: Desk, tenantId: string, { outcome, ...more }: GivenAnswer): Promise<void> {
  const event = { id: randomUUID(), operationId: randomUUID(), operation: "payments.create", type: outcome };
  await recordEvents(desk.context().db.pool, [
    { tenantId, ...event, status: 409, client: CLIENTS[0], latencyMs: 10, outcome, ...more },
  ]);
}

/** @param open SQL of the open row: its `unknown_since` and its `locked_until` */
export async function openOperations(
  desk: Desk,
  tenantId: string,
  { many, state, open }: { readonly many: number; readonly state: string; readonly open: string },
): Promise<void> {
  await desk.rows(
    `with made as (
       insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version,
         api_version, state, body_day, amount_minor, currency, created_at, updated_at, expires_at, purge_after)
       select $1, 'payments.create', gen_random_uuid()::text, gen_random_uuid(), 'till-web', '\\x00', 1, '1', $2, current_date, 1000, 'EUR',
         now() - interval '2 hours', now(), now() + interval '1 day', now() + interval '30 days' from generate_series(1, $3::int)
       returning operation_id, key)
     insert into onceboard.idempotency_open (tenant_id, operation_id, operation, key, fence, opened_at, unknown_since, locked_until)
     select $1, operation_id, 'payments.create', key, 1, now() - interval '2 hours', ${open} from made`,
    ...[tenantId, state, many],
  );
}

export async function writeNumberWorld(desk: Desk, tenantId: string, world: NumberWorld): Promise<void> {
  const open = (many: number, state: string, row: string) => openOperations(desk, tenantId, { many, state, open: row });
  await open(world.unknown, "UNKNOWN_REQUIRES_RECOVERY", "now() - interval '1 hour', null");
  await open(world.stale, "IN_PROGRESS", "null, now() - interval '1 minute'");
  await open(world.inProgress, "IN_PROGRESS", "null, now() + interval '1 hour'");
  const endpoints: string[] = [];
  for (const { disabled } of world.endpoints) endpoints.push(await endpoint(desk, tenantId, disabled));
  for (const [index, { pending, dead }] of world.topics.entries()) {
    const topic = endpoints[index] ?? `t${String(index)}`;
    await messagesOut(desk, tenantId, { topic, state: "pending", many: pending });
    await messagesOut(desk, tenantId, { topic, state: "dead", many: dead });
  }
  for (const [index, { recorded, dead }] of world.consumers.entries()) {
    const place = `c${String(index)}`;
    await desk.rows(
      `insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at)
       select $1, gen_random_uuid(), $2, now() - interval '5 minutes', now() from generate_series(1, $3::int) n`,
      ...[tenantId, place, recorded],
    );
    await deadLetters(desk, tenantId, { side: "inbox", place, many: dead, settled: false });
  }
  await deadLetters(desk, tenantId, { side: "outbox", place: "t0", many: world.settled, settled: true });
  const { today, older, ofConsole } = world.conflicts;
  const conflict = (minutes: number, more: Partial<GivenAnswer> = {}) =>
    recordAnswer(desk, tenantId, { outcome: "conflict", at: minutesAgo(minutes), ...more });
  for (let n = 0; n < today; n += 1) await conflict(2 + n * 60);
  for (let n = 0; n < older; n += 1) await conflict(25 * 60);
  for (let n = 0; n < ofConsole; n += 1) await conflict(3, { operation: "admin.requeue" });
  const { ready, waiting, running, done } = world.plans;
  await plans(desk, tenantId, { ready, awaiting_approval: waiting, running, done });
  await desk.rows(
    `update onceboard.dead_letters set settled_at = now(), settlement = 'requeued', settled_by = 'op-3'
     where id in (select target_id from onceboard.plan_items where tenant_id = $1 order by target_id limit $2)`,
    ...[tenantId, world.settledSince],
  );
  // What was requeued waits again.
  await desk.rows(
    `update onceboard.outbox_messages m set state = 'pending' from onceboard.dead_letters d
     where m.tenant_id = $1 and d.tenant_id = $1 and d.message_row_id = m.id and m.state = 'dead' and d.settled_at is not null`,
    tenantId,
  );
  await desk.rows(
    `insert into onceboard.invariant_checks (tenant_id, name, checked_at, violations, duration_ms)
     select $1, name, now(), (n <= $3::int)::int, 3 from unnest($2::text[]) with ordinality as i(name, n)`,
    ...[tenantId, INVARIANT_NAMES, world.broken],
  );
  for (const { outcome, minutes, client } of world.answers)
    await recordAnswer(desk, tenantId, { outcome, at: minutesAgo(minutes), client: CLIENTS[client] ?? CLIENTS[0] });
}

async function endpoint(desk: Desk, tenantId: string, disabled: boolean): Promise<string> {
  const id = randomUUID();
  await desk.rows(
    `insert into onceboard.webhook_endpoints (tenant_id, id, url, types, created_by, disabled_at)
     values ($1, $2, $3, '{}', 'op-1', case when $4 then now() end)`,
    ...[tenantId, id, `https://shop.example/${id}`, disabled],
  );
  return `webhook:${id}`;
}

/** Dead ones with their dead letters. */
export async function messagesOut(
  desk: Desk,
  tenantId: string,
  { topic, state, many }: { readonly topic: string; readonly state: "pending" | "dead"; readonly many: number },
): Promise<void> {
  await desk.rows(
    `with made as (
       insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, state, next_attempt_at)
       select $1, gen_random_uuid(), 'payment', gen_random_uuid()::text, $2, 'payment.succeeded', '{}', now() - interval '3 minutes', $3, now()
       from generate_series(1, $4::int) returning id)
     insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at)
     select $1, gen_random_uuid(), 'outbox', id, $2, 'payment.succeeded', 'f', 'http.500', 'it failed', 12, now() from made where $3 = 'dead'`,
    ...[tenantId, topic, state, many],
  );
}

async function deadLetters(
  desk: Desk,
  tenantId: string,
  of: { readonly side: string; readonly place: string; readonly many: number; readonly settled: boolean },
): Promise<void> {
  await desk.rows(
    `insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at, settled_at, settlement)
     select $1, gen_random_uuid(), $2, gen_random_uuid(), $3, 'payment.succeeded', 'f', 'http.500', 'it failed', 12, now(),
       case when $5 then now() end, case when $5 then 'closed' end from generate_series(1, $4::int)`,
    ...[tenantId, of.side, of.place, of.many, of.settled],
  );
}

/** Of all dead messages of the outbox each, which would go again; those that are over ended before. */
async function plans(desk: Desk, tenantId: string, states: Readonly<Record<string, number>>): Promise<void> {
  for (const [state, many] of Object.entries(states))
    await desk.rows(
      `with dead as (select id, row_number() over (order by id) as n from onceboard.dead_letters
         where tenant_id = $1 and side = 'outbox' and settled_at is null),
       made as (
         insert into onceboard.plans (tenant_id, id, kind, state, filter, reason, total, created_at, created_by, approval_needed)
         select $1, gen_random_uuid(), 'requeue_dead_letters', $2, '{}', 'a test', (select count(*) from dead), now() - interval '1 minute',
           'op-2', case when $2 = 'awaiting_approval' then 'asked' end
         from generate_series(1, $3::int) returning id)
       insert into onceboard.plan_items (tenant_id, plan_id, position, target_id, label, verdict, verdict_reason, state, outcome, ended_at)
       select $1, made.id, dead.n, dead.id, '{}', 'safe', 'its receiver knows its id', case $2 when 'done' then 'done' else 'waiting' end,
         case $2 when 'done' then 'requeued' end, case $2 when 'done' then now() end from made cross join dead`,
      ...[tenantId, state, many],
    );
}

/** A context in which something else happens after each statement of a transaction. */
export function betweenStatements(ctx: EngineContext, happens: () => Promise<void>): EngineContext {
  const { pool } = ctx.db;
  const connect = async () => {
    const client = await pool.connect();
    const query = client.query.bind(client) as (...args: readonly unknown[]) => Promise<unknown>;
    const release = client.release.bind(client);
    const own = Object.getOwnPropertyDescriptor(client, "query");
    const hooked = async (...args: readonly unknown[]): Promise<unknown> => {
      const answer = await query(...args);
      await happens();
      return answer;
    };
    const back = (error?: Error | boolean): void => {
      if (own === undefined) Reflect.deleteProperty(client, "query");
      else Object.defineProperty(client, "query", own);
      client.release = release;
      release(error);
    };
    return Object.assign(client, { query: hooked, release: back });
  };
  const hookedPool = new Proxy(pool, {
    get: (of, name): unknown => (name === "connect" ? connect : Reflect.get(of, name, of)),
  });
  return { ...ctx, db: { ...ctx.db, pool: hookedPool } };
}
