import { createHash, randomUUID } from "node:crypto";
import fc from "fast-check";
import { outboxBody, type EnvelopeSource } from "@/engine/outbox/envelope";

/** Runs one statement as the owner of the tables. */
export type Rows = <R>(text: string, ...values: unknown[]) => Promise<R[]>;

/** Ages are seconds before now. */
interface GeneratedPlace {
  readonly kind:
    "payments" | "accounts" | "elsewhere" | "mail" | "enabled" | "disabled" | "deleted" | "ledger" | "receipts";
  readonly paused: boolean;
  readonly successes: readonly number[];
  readonly failures: readonly { readonly age: number; readonly code: string }[];
  readonly changed?: number | undefined;
}
interface GeneratedMessage {
  /** Index of its place, modulo how many there are. */
  readonly place: number;
  readonly state: "waiting" | "leased" | "dead" | "discarded" | "done";
  readonly type: string;
  readonly code: string;
  readonly age: number;
  /** Which of a few aggregates it belongs to. */
  readonly line: number;
  /** Of a dead one: since its last attempt, from that to the one before, and whether a requeue ended so before. */
  readonly deadFor: number;
  readonly gap: number;
  readonly diedBefore: boolean;
  /** Of the outbox: our inbox has it. */
  readonly held: "no" | "processed" | "mismatch";
}
export interface MessageWorld {
  readonly places: readonly GeneratedPlace[];
  readonly messages: readonly GeneratedMessage[];
  /** The minutes that are over were rolled up. */
  readonly rolledUp: boolean;
}

const OUTBOX = ["payments", "accounts", "elsewhere", "mail", "enabled", "disabled", "deleted"] as const;
const CODES = [
  "webhook.http_503",
  "webhook.http_422",
  "webhook.malformed",
  "ledger.malformed_event",
  "delivery.payload_mismatch",
  "mail.no_address",
  "inbox.no_consumer",
  "inbox.handler_failed",
  "inbox.poisonous",
] as const;
const AGES = [5, 30, 70, 200, 600, 1_000, 4_000] as const;

const age = fc.constantFrom(...AGES);
/** What a place may get over is half of all: most is said of those. */
const code = fc.oneof(fc.constantFrom("webhook.http_503", "inbox.handler_failed"), fc.constantFrom(...CODES));
const seldom = fc.nat(5).map((roll) => roll === 0);
const weighted = fc.oneof<fc.WeightedArbitrary<GeneratedPlace["kind"]>[]>(
  { weight: 3, arbitrary: fc.constantFrom("enabled", "ledger", "payments") },
  { weight: 2, arbitrary: fc.constantFrom(...OUTBOX, "receipts") },
);
const place = fc.record<GeneratedPlace>({
  kind: weighted,
  paused: seldom,
  successes: fc.array(age, { maxLength: 2 }),
  failures: fc.array(fc.record({ age, code }), { maxLength: 2 }),
  changed: fc.option(age, { nil: undefined }),
});
const message = fc.record<GeneratedMessage>({
  place: fc.nat(9),
  state: fc.constantFrom("dead", "dead", "dead", "dead", "waiting", "waiting", "leased", "discarded", "done"),
  type: fc.constantFrom("payment.succeeded", "refund.succeeded", "account.opened"),
  code,
  age,
  line: fc.nat(2),
  deadFor: age,
  gap: fc.constantFrom(2, 20, 190),
  diedBefore: seldom,
  held: fc.constantFrom("no", "no", "no", "no", "no", "processed", "mismatch"),
});

/** Messages of both sides in every state, dead of every cause, at places in every state, with what happened there. */
export const messageWorlds: fc.Arbitrary<MessageWorld> = fc.record({
  places: fc.uniqueArray(place, { minLength: 1, maxLength: 4, selector: ({ kind }) => kind }),
  messages: fc.array(message, { minLength: 1, maxLength: 10 }),
  rolledUp: fc.boolean(),
});

const ago = (seconds: string): string => `now() - make_interval(secs => ${seconds})`;

/** Writes a world into a tenant of its own. @returns the tenant */
export async function writeWorld(rows: Rows, world: MessageWorld): Promise<string> {
  const tenant = `t-${randomUUID().slice(0, 8)}`;
  await rows("insert into onceboard.tenants (id, name) values ($1, $1)", tenant);
  const names = [];
  for (const each of world.places) names.push({ ...each, name: await writePlace(rows, tenant, each) });
  for (const each of world.messages) {
    const at = names[each.place % names.length];
    if (at === undefined) continue;
    const inbox = at.kind === "ledger" || at.kind === "receipts";
    await (inbox ? writeArrival : writeMessage)(rows, tenant, at.name, each);
  }
  if (world.rolledUp) await rollUp(rows, tenant);
  return tenant;
}

async function writePlace(rows: Rows, tenant: string, { kind, paused, ...of }: GeneratedPlace): Promise<string> {
  const inbox = kind === "ledger" || kind === "receipts";
  const endpoint = kind === "enabled" || kind === "disabled" || kind === "deleted" ? randomUUID() : undefined;
  const name = endpoint === undefined ? kind : `webhook:${endpoint}`;
  if (endpoint !== undefined && kind !== "deleted")
    await rows(
      `insert into onceboard.webhook_endpoints (tenant_id, id, url, types, created_by, disabled_at)
       values ($1, $2, $3, '{}', 'op-1', case when $4 then now() end)`,
      ...[tenant, endpoint, `https://shop.example/${endpoint}`, kind === "disabled"],
    );
  if (!inbox && (paused || kind === "elsewhere"))
    await rows(
      `insert into onceboard.topics (tenant_id, topic, destination, paused_at, paused_by, pause_reason, updated_by)
       values ($1, $2, case when $2 = 'elsewhere' then 'https://bank.example' end, case when $3 then now() end, 'op-1', 'a test', 'op-1')`,
      ...[tenant, name, paused],
    );
  for (const seconds of of.successes) await (inbox ? writeHandled : writePublished)(rows, tenant, name, seconds);
  for (const failure of of.failures) await writeAttempt(rows, tenant, inbox ? "inbox" : "outbox", name, failure);
  if (!inbox && of.changed !== undefined)
    await rows(
      `insert into onceboard.audit_entries (tenant_id, id, sequence, at, actor_kind, actor_id, actor_name, action, subject_type, subject_id, previous_hash, hash)
       values ($1, gen_random_uuid(), (random() * 1e9)::bigint, ${ago("$2")}, 'operator', 'op-1', 'Mira', $3, $4, $5, '\\x00', '\\x00')`,
      ...[tenant, of.changed],
      ...(endpoint === undefined
        ? ["topics.route", "topic", name]
        : ["webhook_endpoints.enable", "webhook_endpoint", endpoint]),
    );
  return name;
}

/** As fail_outbox and fail_inbox leave it. */
async function writeAttempt(
  rows: Rows,
  tenant: string,
  side: string,
  place: string,
  {
    age: seconds,
    code: errorCode,
    of = randomUUID(),
  }: { readonly age: number; readonly code: string; readonly of?: string },
): Promise<void> {
  await rows(
    `insert into onceboard.message_attempts (tenant_id, day, id, side, message_row_id, place, attempt, fence, ended_at, outcome, error_code, error, error_fingerprint)
     select $1, (at at time zone 'utc')::date, gen_random_uuid(), $2, $3, $4, 1, 1, at, 'failed', $5, 'it failed', $5 || ':1'
     from (select ${ago("$6")} as at) t`,
    ...[tenant, side, of, place, errorCode, seconds],
  );
}

/** As publish_outbox leaves it. */
async function writePublished(rows: Rows, tenant: string, topic: string, seconds: number): Promise<void> {
  await rows(
    `insert into onceboard.outbox_history (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, day, position, published_at, published_by, transport)
     select $1, gen_random_uuid(), 'payment', 'p', $2, 'payment.succeeded', '{}', at, (at at time zone 'utc')::date, 1, at, 'relay-1', 'http'
     from (select ${ago("$3")} as at) t`,
    ...[tenant, topic, seconds],
  );
}

/** As finish_inbox leaves it. */
async function writeHandled(rows: Rows, tenant: string, consumer: string, seconds: number): Promise<void> {
  await rows(
    `with t as (select ${ago("$3")} as at), b as (
       insert into onceboard.inbox_batches (tenant_id, processed_at, id, consumer, lags_ms)
       select $1, at, gen_random_uuid(), $2, array[1.0] from t)
     insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, received_at, state, processed_at, result)
     select $1, gen_random_uuid(), $2, 'shop', gen_random_uuid()::text, 'x', '{}', '\\x00', at, 'processed', at, 'ok' from t`,
    ...[tenant, consumer, seconds],
  );
}

async function writeMessage(rows: Rows, tenant: string, topic: string, of: GeneratedMessage): Promise<void> {
  if (of.state === "done") {
    await writePublished(rows, tenant, topic, of.age);
    return;
  }
  const id = randomUUID();
  const dead = of.state === "dead";
  const state = of.state === "waiting" || of.state === "leased" ? "pending" : of.state;
  await rows(
    `insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, next_attempt_at, state,
       owner, locked_until, last_error_code, attempts_started, attempts_finished)
     values ($1, $2, 'payment', $3, $4, $5, '{}', ${ago("$6")}, now(), $7, case when $8 then 'relay-1' end,
       case when $8 then now() + interval '10 minutes' end, case when $7 = 'dead' then $9 end, 12, 12)`,
    ...[
      tenant,
      id,
      `line-${String(of.line)}`,
      topic,
      of.type,
      Math.max(of.age, of.deadFor + of.gap),
      state,
      of.state === "leased",
      of.code,
    ],
  );
  if (of.held !== "no") await writeHeld(rows, tenant, id, of);
  if (dead) await writeDeath(rows, tenant, "outbox", id, topic, of);
}

/** Our inbox has it: the same body, or another one. */
async function writeHeld(rows: Rows, tenant: string, id: string, { type, held }: GeneratedMessage): Promise<void> {
  const [row] = await rows<EnvelopeSource>(
    "select * from onceboard.outbox_messages where tenant_id = $1 and id = $2",
    tenant,
    id,
  );
  const body = row === undefined || held === "mismatch" ? "another" : outboxBody(tenant, row);
  await rows(
    `with told as (
       insert into onceboard.inbox_batches (tenant_id, processed_at, id, consumer, lags_ms) values ($1, now(), gen_random_uuid(), 'ledger', array[1.0]))
     insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, received_at, state, processed_at)
     values ($1, gen_random_uuid(), 'ledger', 'onceboard', $2, $3, '{}', $4, now(), 'processed', now())`,
    ...[tenant, id, type, createHash("sha256").update(body).digest()],
  );
}

async function writeArrival(rows: Rows, tenant: string, consumer: string, of: GeneratedMessage): Promise<void> {
  if (of.state === "done") {
    await writeHandled(rows, tenant, consumer, of.age);
    return;
  }
  const id = randomUUID();
  const dead = of.state === "dead";
  const state = of.state === "waiting" || of.state === "leased" ? "recorded" : of.state;
  await rows(
    `insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, received_at, state, last_error_code)
     values ($1, $2, $3, 'onceboard', $4, $5, '{}', '\\x00', ${ago("$6")}, $7, $8)`,
    ...[
      tenant,
      id,
      consumer,
      randomUUID(),
      of.type,
      Math.max(of.age, of.deadFor + of.gap),
      state,
      dead ? of.code : null,
    ],
  );
  if (state === "recorded")
    await rows(
      `insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at, attempts_started, owner, locked_until)
       select tenant_id, id, consumer, received_at, now(), $2::integer, case when $2 = 1 then 'consumer-1' end,
         case when $2 = 1 then now() + interval '10 minutes' end from onceboard.inbox_messages where id = $1`,
      ...[id, of.state === "leased" ? 1 : 0],
    );
  if (dead) await writeDeath(rows, tenant, "inbox", id, consumer, of);
}

async function writeDeath(
  rows: Rows,
  tenant: string,
  side: string,
  id: string,
  place: string,
  { type, code: errorCode, deadFor, gap, diedBefore }: GeneratedMessage,
): Promise<void> {
  await writeAttempt(rows, tenant, side, place, { age: deadFor + gap, code: errorCode, of: id });
  await writeAttempt(rows, tenant, side, place, { age: deadFor, code: errorCode, of: id });
  await rows(
    `insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at,
       settled_at, settled_by, settlement)
     select $1, gen_random_uuid(), $2, $3, $4, $5, $6 || ':1', $6, 'it failed', 12, coalesce(s.at, a.ended_at), s.at, case when s.at is not null then 'op-1' end,
       case when s.at is not null then 'requeued' end
     from (select max(ended_at) as ended_at from onceboard.message_attempts where tenant_id = $1 and message_row_id = $3) a
     cross join (select null::timestamptz as at union all select now() - interval '3 hours' where $7) s`,
    ...[tenant, side, id, place, type, errorCode, diedBefore],
  );
}

/** Every minute that is over, as the worker does it. */
async function rollUp(rows: Rows, tenant: string): Promise<void> {
  await rows(
    `with m as (select generate_series(date_trunc('minute', now()) - interval '2 hours', date_trunc('minute', now()) - interval '1 minute', '1 minute') as minute),
       b as (insert into onceboard.metric_buckets (tenant_id, bucket, computed_at) select $1, minute, now() from m)
     select onceboard.roll_up_messages($1, array_agg(minute)) from m`,
    tenant,
  );
}
