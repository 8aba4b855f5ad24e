import { createHash, randomUUID } from "node:crypto";
import fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import type { Rows } from "./message-world";

/** Messages of a world. */
const MOST_MESSAGES = 4;
/** Longer ago than metadata is kept, and more than can be edited. */
const OLD_DAYS = 40;
const LARGE_BYTES = 140_000;

/** How an attempt ended: the code of its failure, or nobody knows. */
const CODES = [
  "delivery.http_422",
  "webhook.http_410",
  "delivery.http_400",
  "delivery.too_large",
  "webhook.unsafe_destination",
  "delivery.http_409",
  "webhook.http_408",
  "delivery.http_503",
  "webhook.timeout",
  "lost",
] as const;
const PLACES = ["payments", "elsewhere", "mail", "enabled", "disabled", "deleted"] as const;

/** A message of the outbox that a person may want to correct. */
export interface TriedMessage {
  readonly place: (typeof PLACES)[number];
  readonly state: "dead" | "waiting" | "discarded" | "published";
  readonly ends: readonly (typeof CODES)[number][];
  /** Attempts that were made and are not on record any more. */
  readonly unkept: number;
  /** A requeue ended so before. */
  readonly diedBefore: boolean;
  readonly old: boolean;
  readonly large: boolean;
  readonly operation: "none" | "unknown" | "settled";
  /** A consumer of ours has it. */
  readonly held: boolean;
}

const seldom = fc.nat(7).map((roll) => roll === 0);
const REFUSALS = CODES.slice(0, 4);
const triedMessage = fc.record<TriedMessage>({
  place: fc.oneof(fc.constantFrom("payments", "enabled"), fc.constantFrom(...PLACES)),
  state: fc.oneof({ weight: 6, arbitrary: fc.constant("dead") }, fc.constantFrom("waiting", "discarded", "published")),
  ends: fc.oneof(
    fc.array(fc.constantFrom(...REFUSALS), { minLength: 1, maxLength: 3 }),
    fc.array(fc.constantFrom(...CODES), { minLength: 1, maxLength: 3 }),
  ),
  unkept: fc.nat(5).map((roll) => (roll === 0 ? 1 : 0)),
  diedBefore: seldom,
  old: seldom,
  large: seldom,
  operation: fc.constantFrom("none", "settled", "settled", "settled", "unknown"),
  held: seldom,
});
/** Messages in every state, tried at places of every kind, with every end. */
export const triedMessages = fc.array(triedMessage, { minLength: 1, maxLength: MOST_MESSAGES });

/** Writes messages into a tenant of their own. @returns the tenant and the ids, in their order */
export async function writeTried(
  rows: Rows,
  messages: readonly TriedMessage[],
): Promise<{ readonly tenant: string; readonly ids: readonly string[] }> {
  const tenant = `t-${randomUUID().slice(0, 8)}`;
  await rows("insert into onceboard.tenants (id, name) values ($1, $1)", tenant);
  await rows(
    "insert into onceboard.topics (tenant_id, topic, destination, updated_by) values ($1, 'elsewhere', 'https://bank.example', 'op-1')",
    tenant,
  );
  const ids = [];
  for (const message of messages) ids.push(await writeOne(rows, tenant, message));
  return { tenant, ids };
}

async function topicOf(rows: Rows, tenant: string, place: TriedMessage["place"]): Promise<string> {
  if (place !== "enabled" && place !== "disabled" && place !== "deleted") return place;
  const id = randomUUID();
  if (place !== "deleted")
    await rows(
      `insert into onceboard.webhook_endpoints (tenant_id, id, url, types, created_by, disabled_at)
       values ($1, $2::uuid, 'https://shop.example/' || $2::uuid::text, '{}', 'op-1', case when $3 then now() end)`,
      ...[tenant, id, place === "disabled"],
    );
  return `webhook:${id}`;
}

async function writeOne(rows: Rows, tenant: string, of: TriedMessage): Promise<string> {
  const id = uuidv7();
  const topic = await topicOf(rows, tenant, of.place);
  const operation = of.operation === "none" ? null : uuidv7();
  const data = {
    operationId: operation,
    amount: 10.5,
    lines: [{ sku: "a" }],
    ...(of.large && { note: "x".repeat(LARGE_BYTES) }),
  };
  const payload = JSON.stringify({ id, type: "payment.succeeded", tenant, data });
  const code = of.ends.at(-1);
  await writeMessage(rows, tenant, of, [id, operation, topic, payload, code === "lost" ? null : code]);
  if (operation !== null)
    await rows(
      `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version,
         state, body_day, created_at, updated_at, expires_at, purge_after, amount_minor, currency)
       values ($1, 'payments.create', $2::text, $2::uuid, 'shop', '\\x00', 1, '1', $3, current_date, now(), now(), now() + interval '1 day',
         now() + interval '30 days', 1050, 'EUR')`,
      ...[tenant, operation, of.operation === "unknown" ? "UNKNOWN_REQUIRES_RECOVERY" : "COMPLETED"],
    );
  if (of.held)
    await rows(
      `insert into onceboard.inbox_messages (tenant_id, id, consumer, source, message_id, type, payload, payload_hash, received_at, state, processed_at)
       values ($1, gen_random_uuid(), 'ledger', 'onceboard', $2, 'payment.succeeded', '{}', $3, now(), 'processed', now())`,
      ...[tenant, id, createHash("sha256").update(payload).digest()],
    );
  if (of.state !== "waiting" && of.state !== "published") await writeAttempts(rows, tenant, id, topic, of);
  return id;
}

async function writeMessage(
  rows: Rows,
  tenant: string,
  { state, ends, unkept, old }: TriedMessage,
  values: readonly unknown[],
): Promise<void> {
  const at = `now() - make_interval(days => ${old ? String(OLD_DAYS) : "0"}, hours => 2)`;
  const columns =
    "tenant_id, id, operation_id, aggregate_type, aggregate_id, topic, type, payload, last_error_code, created_at";
  const same = `$1, $2::uuid, $3::uuid, 'payment', $2::uuid::text, $4, 'payment.succeeded', $5::jsonb, $6, ${at}`;
  if (state === "published")
    await rows(
      `insert into onceboard.outbox_history (${columns}, day, position, published_at, published_by, transport)
       values (${same}, (now() at time zone 'utc')::date, 1, now(), 'relay-1', 'http')`,
      ...[tenant, ...values],
    );
  else
    await rows(
      `insert into onceboard.outbox_messages (${columns}, next_attempt_at, state, attempts_started, attempts_finished)
       values (${same}, now(), $7, $8::int, $8::int)`,
      ...[tenant, ...values, state === "waiting" ? "pending" : state, state === "waiting" ? 0 : ends.length + unkept],
    );
}

/** As fail_outbox leaves them: a line for each attempt that is kept, and the death. */
async function writeAttempts(rows: Rows, tenant: string, id: string, topic: string, of: TriedMessage): Promise<void> {
  const before = of.diedBefore ? [of.ends[0] ?? "lost"] : [];
  const ends = [...before, ...of.ends];
  for (const [index, end] of ends.entries())
    await rows(
      `insert into onceboard.message_attempts (tenant_id, day, id, side, message_row_id, place, attempt, fence, ended_at, outcome, error_code)
       select $1, (at at time zone 'utc')::date, gen_random_uuid(), 'outbox', $2, $3, $4::int + 1, 1, at, case when $5 = 'lost' then 'lost' else 'failed' end,
         nullif($5, 'lost')
       from (select now() - make_interval(mins => $6::int - $4::int) as at) t`,
      ...[tenant, id, topic, index, end, ends.length],
    );
  const settled = of.state === "discarded" ? "discarded" : null;
  const deaths = [...before.map(() => [1, "requeued"] as const), [of.ends.length + of.unkept, settled] as const];
  for (const [attempts, settlement] of deaths)
    await rows(
      `insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, operation_id, error_fingerprint, error_code, error, attempts,
         dead_at, settled_at, settled_by, settlement)
       select $1, gen_random_uuid(), 'outbox', m.id, m.topic, m.type, m.operation_id, 'x:1', coalesce(m.last_error_code, 'lost'), 'it failed', $3, now(),
         case when $4::text is not null then now() end, case when $4::text is not null then 'op-1' end, $4
       from onceboard.outbox_messages m where m.tenant_id = $1 and m.id = $2`,
      ...[tenant, id, attempts, settlement],
    );
}
