import { ACCOUNTS, type SeedDay } from "../shape";
import type { SeedStatement } from "../statement";
import { clientOf, timeOf } from "../rows";

/** What most of a lean history does: a local operation of a service that keeps its own rows elsewhere. */
export const ORDERS = "orders.place";
/** Prices of the shop: few, as in a catalogue. */
const PRICES = 400;
/** Of 10,000 orders: refused for good, and sent again once. */
const REFUSED = 190;
const RETRIED = 1_000;
/** Windows and bodies of the history last a day, what is known of an operation ninety. */
const WINDOW = "interval '24 hours'";
const PUBLISHED_AFTER = "interval '250 milliseconds'";

/** As the service registers it: one message, and nothing that moves money. */
export const LEAN_KIND: SeedStatement = {
  table: "operation_kinds",
  text: `select onceboard.register_operation_kind('${ORDERS}', 'orders', 'Order', 'local', 'service', 'POST /orders', p_expects => '{"event":"order.placed","entry":"none"}', p_version => '1')`,
};

/** A UUIDv7 of the row's time whose other digits are those of a hash: old ids lie before new ones, as in the product. */
function idOf(at: string, hash: string, from: number): string {
  const part = (start: number, length: number): string => `substr(${hash}, ${String(start)}, ${String(length)})`;
  return `(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7' || ${part(from, 3)} || '8' || ${part(from + 3, 15)})::uuid`;
}

/** 0 to 9999, the same for the same number and salt. */
const roll = (salt: number): string => `abs(hashint8extended(n, ${String(salt)}) % 10000)::integer`;

/** The last instant of a day: what follows an operation stays in its partition. */
const endOf = (day: string): string => `timestamptz '${day} 23:59:59.999Z'`;

/** @returns the statement that makes the day's orders as a temporary table */
export function orderRows(day: SeedDay): string {
  return `create temp table order_rows on commit drop as
with numbered as (
  select n, md5('order' || n) as hash, ${roll(11)} as roll, ${roll(12)} as roll_client, ${roll(13)} as roll_account, ${timeOf("n", day)} as at
  from generate_series(${String(day.first)}::bigint, ${String(day.first + day.count - 1)}::bigint) n
), timed as (
  select *, least(${endOf(day.day)}, at + make_interval(secs => (8 + roll_client / 400) / 1000.0)) as done_at from numbered
)
select n, hash, '${day.day}'::date as day, at, done_at, ${idOf("at", "hash", 1)} as operation_id, ${idOf("done_at", "hash", 8)} as message_id,
  ${idOf("at", "hash", 15)}::text as key, roll < ${String(REFUSED)} as refused, roll >= ${String(10_000 - RETRIED)} as again, 8 + roll_client / 400 as latency_ms,
  ${clientOf("roll_client")} as client, 'acc_' || lpad((1 + ${String(ACCOUNTS - 1)} * roll_account / 10000)::text, 5, '0') as account_id,
  (495 + 250 * (roll_account % ${String(PRICES)}))::bigint as amount_minor, sha256(hash::bytea) as body_hash
from timed`;
}

const PLACED = "not refused";
const STATUS = "case when refused then 409 else 201 end";
const CODE = "case when refused then 'order.out_of_stock' end";
/** Whose window was over when the history ends: retention has been there. */
const OVER = `at <= now() - ${WINDOW}`;
const LAST = "least(now(), (day + 1)::timestamp at time zone 'utc' - interval '1 millisecond')";

/** Keys, events and the message of each order of one day. `$1` tenant. */
export const ORDER_ROWS: readonly SeedStatement[] = [
  {
    table: "idempotency_requests",
    text: `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version,
  state, response_status, response_schema_version, resource_type, resource_id, error_code, replay, body_day, body_purged_at,
  account_id, reference, amount_minor, currency, created_at, updated_at, completed_at, expires_at, purge_after)
select $1::text, '${ORDERS}', key, operation_id, client, body_hash, 1, '1', case when ${OVER} then 'EXPIRED' when refused then 'FAILED_REPLAYABLE' else 'COMPLETED' end,
  ${STATUS}, '1', case when ${PLACED} then 'order' end, case when ${PLACED} then 'ord_' || n end, ${CODE}, 'none', day, case when ${OVER} then at + ${WINDOW} end,
  account_id, 'ref-' || (1000000000 + n), amount_minor, 'EUR', at, case when ${OVER} then at + ${WINDOW} else done_at end, done_at, at + ${WINDOW}, at + interval '90 days'
from order_rows`,
  },
  {
    // The mark of a command that its service kept to itself.
    table: "idempotency_bodies",
    text: `insert into onceboard.idempotency_bodies (tenant_id, day, operation_id, kind, fence, body, created_at)
select $1::text, day, operation_id, 'command', 1, '\\xff', at from order_rows where not (${OVER})`,
  },
  {
    // The local path tells of a claim and of its answer in one event.
    table: "idempotency_events",
    text: `insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, outcome, request_id, client, fence, attempt, delay_ms,
  latency_ms, status, code, served_hash)
select $1::text, day, ${idOf("at", "hash", 2)}, operation_id, '${ORDERS}', at, 'executed', 'executed', 'req-' || n, client, 1, 1, null, latency_ms, ${STATUS}, ${CODE}, body_hash from order_rows
union all
select $1::text, day, ${idOf("r.told", "hash", 9)}, operation_id, '${ORDERS}', r.told, 'replayed', 'replayed', 'req-' || n || '-2', client, 1, 2, 800, 3, ${STATUS}, ${CODE}, body_hash
from order_rows cross join lateral (select greatest(done_at, least(${LAST}, at + interval '800 milliseconds')) as told) r where again`,
  },
  {
    table: "outbox_history",
    text: `insert into onceboard.outbox_history (tenant_id, id, operation_id, aggregate_type, aggregate_id, topic, type, payload, created_at, attempts_started,
  attempts_finished, day, position, published_at, published_by, transport)
select $1::text, message_id, operation_id, 'order', 'ord_' || n, 'orders', 'order.placed', jsonb_build_object('id', message_id, 'type', 'order.placed', 'tenant', $1::text,
    'occurredAt', done_at, 'data', jsonb_build_object('orderId', 'ord_' || n, 'amount', (amount_minor / 100.0)::numeric(14, 2)::text, 'currency', 'EUR')),
  done_at, 1, 1, day, -1000000000 - n, greatest(done_at, least(${LAST}, done_at + ${PUBLISHED_AFTER})), 'worker-seed', 'http' from order_rows where ${PLACED}`,
  },
];
