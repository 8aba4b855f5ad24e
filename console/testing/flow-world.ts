import { randomUUID } from "node:crypto";
import fc from "fast-check";
import type { MessageSide } from "@/domain/messages/side";

/** Runs one statement as the owner of the tables. */
type Rows = <R>(text: string, ...values: unknown[]) => Promise<R[]>;

interface GeneratedEvent {
  readonly operation: string | undefined;
  readonly topic: "payments" | "accounts" | "parked";
  /** Minutes since it was written; what left, left at once. */
  readonly age: number;
  readonly state: "published" | "pending" | "dead" | "closed";
  /** Which payment it belongs to: messages of one leave in order. */
  readonly line: number;
  /** What it became at the consumer of the ledger. */
  readonly ledger: "posted" | "ignored" | "waiting" | "dead" | "none";
  /** It was handed on to the merchant, and that message was delivered. */
  readonly hook: boolean;
}

export interface FlowWorld {
  readonly events: readonly GeneratedEvent[];
  /** Ages of what another system sent here, minutes. */
  readonly foreign: readonly number[];
  /** Ages of operations that wrote no message, minutes. */
  readonly silent?: readonly number[] | undefined;
  readonly paused: boolean;
  readonly endpoint: "enabled" | "disabled" | "down";
  /** The topic of what is parked leads elsewhere. */
  readonly elsewhere: boolean;
  readonly rolledUp: boolean;
}

const AGES = [1, 1, 1, 2, 30, 59, 61, 300, 1_400] as const;
const event = fc.record<GeneratedEvent>({
  operation: fc.constantFrom("payments.create", "refunds.create", undefined),
  topic: fc.constantFrom("payments", "payments", "accounts", "parked"),
  age: fc.constantFrom(...AGES),
  state: fc.constantFrom("published", "published", "published", "published", "pending", "dead", "closed"),
  line: fc.nat(2),
  ledger: fc.constantFrom("posted", "posted", "ignored", "waiting", "dead", "none"),
  hook: fc.boolean(),
});

export const flowWorlds: fc.Arbitrary<FlowWorld> = fc.record({
  events: fc.array(event, { maxLength: 10 }),
  foreign: fc.array(fc.constantFrom(...AGES), { maxLength: 2 }),
  silent: fc.array(fc.constantFrom(...AGES), { maxLength: 3 }),
  paused: fc.boolean(),
  endpoint: fc.constantFrom("enabled", "enabled", "disabled", "down"),
  elsewhere: fc.boolean(),
  rolledUp: fc.constantFrom(true, true, true, false),
});

/** In the middle of its minute, so that an age in minutes is a minute of its own. */
const ago = (minutes: string): string =>
  `date_trunc('minute', now()) - make_interval(mins => ${minutes}) + interval '20 seconds'`;

/** Writes a world into a tenant of its own. @returns the tenant */
export async function writeFlow(rows: Rows, world: FlowWorld): Promise<string> {
  const tenant = `t-${randomUUID().slice(0, 8)}`;
  await rows("insert into onceboard.tenants (id, name) values ($1, $1)", tenant);
  const hook = await writeEndpoint(rows, tenant, world.endpoint);
  for (const each of world.events) await writeEvent(rows, tenant, each, hook);
  for (const age of world.silent ?? []) await writeOperation(rows, tenant, { operation: "accounts.create", age });
  for (const minutes of world.foreign)
    await writeArrival(rows, tenant, { source: "shop", minutes, state: "processed" });
  if (world.paused || world.elsewhere)
    await rows(
      `insert into onceboard.topics (tenant_id, topic, destination, paused_at, paused_by, pause_reason, updated_by)
       select $1, t.topic, case when t.topic = 'parked' then 'https://bank.example/in' end,
         case when t.topic = 'accounts' then now() - interval '38 seconds' end, 'Mira Okafor', 'a test', 'op-1'
       from (values ('accounts', $2::boolean), ('parked', $3::boolean)) t (topic, wanted) where t.wanted`,
      ...[tenant, world.paused, world.elsewhere],
    );
  if (world.rolledUp) await rollUpLastDay(rows, tenant);
  return tenant;
}

async function writeEndpoint(rows: Rows, tenant: string, state: FlowWorld["endpoint"]): Promise<string> {
  const id = randomUUID();
  await rows(
    `insert into onceboard.webhook_endpoints (tenant_id, id, url, types, created_by, disabled_at)
     values ($1, $2, 'https://shop.example/hooks', '{}', 'op-1', case when $3 = 'disabled' then now() - interval '2 minutes' end)`,
    ...[tenant, id, state],
  );
  if (state === "down")
    await rows(
      `insert into onceboard.topic_circuits (tenant_id, topic, failures, opened_at, canary_at, last_error_code, updated_at)
       values ($1, $2, 9, now() - interval '5 minutes', now() + interval '30 seconds', 'webhook.http_503', now())`,
      ...[tenant, `webhook:${id}`],
    );
  return `webhook:${id}`;
}

/** @returns its id */
async function writeOperation(
  rows: Rows,
  tenant: string,
  { operation, age }: Pick<GeneratedEvent, "operation" | "age">,
): Promise<string> {
  const operationId = randomUUID();
  await rows(
    `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version,
       state, body_day, created_at, updated_at, expires_at, purge_after)
     select $1, $2, $3::text, $3::uuid, 'till-web', '\\x00', 1, '1', 'COMPLETED', current_date, at, at, now() + interval '1 day', now() + interval '30 days'
     from (select ${ago("$4")} as at) t`,
    ...[tenant, operation, operationId, age],
  );
  return operationId;
}

async function writeEvent(rows: Rows, tenant: string, of: GeneratedEvent, hook: string): Promise<void> {
  const operationId = of.operation === undefined ? undefined : await writeOperation(rows, tenant, of);
  const id = randomUUID();
  if (of.state === "published" || of.state === "closed") {
    await writePublished(rows, tenant, {
      id,
      operationId,
      topic: of.topic,
      minutes: of.age,
      closed: of.state === "closed",
    });
    if (of.state === "published" && of.ledger !== "none" && of.topic !== "parked")
      await writeHandled(rows, tenant, { id, operationId, of });
    if (of.hook && operationId !== undefined)
      await writePublished(rows, tenant, {
        id: randomUUID(),
        operationId,
        topic: hook,
        minutes: of.age,
        closed: false,
      });
    return;
  }
  await rows(
    `insert into onceboard.outbox_messages (tenant_id, id, operation_id, aggregate_type, aggregate_id, topic, type, payload, created_at, next_attempt_at, state)
     values ($1, $2, $3, 'payment', 'line-' || $4, $5, 'payment.succeeded', '{}', ${ago("$6")}, now(), $7)`,
    ...[tenant, id, operationId, of.line, of.topic, of.age, of.state],
  );
  if (of.state === "dead") await writeDeadLetter(rows, tenant, { side: "outbox", id, place: of.topic });
}

interface DeadMessage {
  readonly side: MessageSide;
  readonly id: string;
  readonly place: string;
}

/** As keep_failed_attempt leaves it. */
async function writeDeadLetter(rows: Rows, tenant: string, { side, id, place }: DeadMessage): Promise<void> {
  await rows(
    `insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, error_fingerprint, error_code, error, attempts, dead_at)
     values ($1, gen_random_uuid(), $2, $3, $4, 'payment.succeeded', 'f', 'it_failed', 'it failed', 12, now())`,
    ...[tenant, side, id, place],
  );
}

interface Published {
  readonly id: string;
  readonly operationId: string | undefined;
  readonly topic: string;
  readonly minutes: number;
  readonly closed: boolean;
}

/** As publish_outbox leaves it, or as a person who closes it does. */
async function writePublished(rows: Rows, tenant: string, of: Published): Promise<void> {
  await rows(
    `insert into onceboard.outbox_history (tenant_id, id, operation_id, aggregate_type, aggregate_id, topic, type, payload, created_at, day, position,
       published_at, published_by, transport)
     select $1, $2, $3, 'payment', 'p', $4, 'payment.succeeded', '{}', at, (at at time zone 'utc')::date, 1, at, case when $6 then 'operator' else 'relay-1' end, 'http'
     from (select ${ago("$5")} as at) t`,
    ...[tenant, of.id, of.operationId, of.topic, of.minutes, of.closed],
  );
}

async function writeHandled(
  rows: Rows,
  tenant: string,
  {
    id,
    operationId,
    of,
  }: { readonly id: string; readonly operationId: string | undefined; readonly of: GeneratedEvent },
): Promise<void> {
  const state = of.ledger === "waiting" ? "recorded" : of.ledger === "dead" ? "dead" : "processed";
  await writeArrival(rows, tenant, { source: "onceboard", messageId: id, operationId, minutes: of.age, state });
  if (of.ledger === "posted" && operationId !== undefined)
    await rows(
      `insert into payments.ledger_entries (tenant_id, id, entry_type, source_id, operation_id, debit_account, credit_account, amount_minor, currency, posted_at)
       values ($1, gen_random_uuid(), 'payment', gen_random_uuid(), $2, 'customer:a', 'merchant:b', 100, 'EUR', ${ago("$3")})`,
      ...[tenant, operationId, of.age],
    );
}

interface Arrival {
  readonly source: string;
  readonly messageId?: string | undefined;
  readonly operationId?: string | undefined;
  readonly minutes: number;
  readonly state: "recorded" | "processed" | "dead";
}

/** As receive and finish_inbox, or fail_inbox, leave it. */
async function writeArrival(rows: Rows, tenant: string, of: Arrival): Promise<void> {
  const { source, messageId = randomUUID(), operationId, minutes, state } = of;
  const id = randomUUID();
  const consumer = source === "onceboard" ? "ledger" : "provider-webhook";
  await rows(
    `insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, operation_id, type, payload, payload_hash, received_at, state, processed_at)
     select $1, $2, $3, $4, $5, $6, 'payment.succeeded', '{}', '\\x00', at, $8, case when $8 = 'processed' then at end from (select ${ago("$7")} as at) t`,
    ...[tenant, id, consumer, source, messageId, operationId, minutes, state],
  );
  if (state === "processed")
    await rows(
      `insert into onceboard.inbox_batches (tenant_id, processed_at, id, consumer, lags_ms) values ($1, ${ago("$2")}, gen_random_uuid(), $3, array[1.0])`,
      ...[tenant, minutes, consumer],
    );
  if (state === "recorded")
    await rows(
      `insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at) values ($1, $2, $3, ${ago("$4")}, now())`,
      ...[tenant, id, consumer, minutes],
    );
  if (state === "dead") await writeDeadLetter(rows, tenant, { side: "inbox", id, place: consumer });
}

/** Every minute of the last day that is over, as the worker does it. */
export async function rollUpLastDay(rows: Rows, tenant: string): Promise<void> {
  await rows(
    `with m as (select generate_series(date_trunc('minute', now()) - interval '25 hours', date_trunc('minute', now()) - interval '1 minute', '1 minute') as minute),
       b as (insert into onceboard.metric_buckets (tenant_id, bucket, computed_at) select $1, minute, now() from m)
     select onceboard.roll_up_messages($1, array_agg(minute)) from m`,
    tenant,
  );
}
