import type { Queryable } from "@/db/client";
import { sentHash } from "./sent-hash";
import { OPEN_DEATH_DAYS, WAITING_ARRIVALS } from "./shape";
import type { SeedStatement } from "./statement";

export const TYPE = `case operation when 'refunds.create' then 'refund.succeeded' when 'payments.void' then 'payment.voided' when 'accounts.create' then 'account.opened' else 'payment.succeeded' end`;
const TOPIC = "case when operation = 'accounts.create' then 'accounts' else 'payments' end";
export const AGGREGATE = "case when operation = 'accounts.create' then 'account' else 'payment' end";
export const AGGREGATE_ID = "case when operation = 'accounts.create' then 'acc_s' || n else payment_id::text end";
const DATA = `jsonb_build_object('operationId', operation_id, 'paymentId', payment_id, 'accountId', account_id, 'amount', (coalesce(amount_minor, 0) / 100.0)::numeric(14, 2)::text,
    'currency', currency, 'status', 'succeeded', 'channel', 'web', 'createdAt', at, 'merchantReference', reference)`;
/** Where an event of ours stands in the history. */
const POSITION = "-1 - n";
/** Column of `seed_rows`: what an event of ours says. */
export const PAYLOAD = "told_payload";
/** Column of `seed_rows`: of what the relay sent of it. */
export const SENT_HASH = "told_hash";
const HEADERS = `jsonb_build_object('envelope', 'cloudevents/1.0', 'request-id', md5('request' || n)::uuid)`;
/** An effect of ours was told to somebody. */
const TOLD = "state in ('COMPLETED', 'EXPIRED') and operation not like 'admin.%'";
const TOLD_HASH = sentHash({
  ...{ id: "message_id", type: TYPE, aggregateType: AGGREGATE, aggregateId: AGGREGATE_ID },
  ...{ payload: "told.payload", position: POSITION },
});
const TOLD_COLUMNS = `alter table seed_rows add column ${PAYLOAD} jsonb, add column ${SENT_HASH} bytea`;
const TELL = `update seed_rows set ${PAYLOAD} = told.payload, ${SENT_HASH} = ${TOLD_HASH}
from (select n as told_n, jsonb_build_object('id', message_id, 'type', ${TYPE}, 'tenant', $1::text, 'occurredAt', done_at, 'data', ${DATA}) as payload from seed_rows where ${TOLD} offset 0) told
where told_n = n`;

/** Fills what events say into the rows of a day, before `MESSAGE_ROWS`: a message is in up to seven rows, and its hash takes longer than any of them. */
export async function tellEvents(tx: Queryable, tenant: string): Promise<void> {
  await tx.query({ text: TOLD_COLUMNS });
  await tx.query({ text: TELL, values: [tenant] });
}

/** A dead message of so long ago was requeued and went through. */
const SETTLED = `done_at < now() - interval '${String(OPEN_DEATH_DAYS)} days'`;
export const SENT = `${TOLD} and not pending and (not dead_outbox or ${SETTLED})`;
const OUTBOX =
  "tenant_id, id, operation_id, aggregate_type, aggregate_id, topic, type, payload, headers, created_at, attempts_started, attempts_finished, last_error, last_error_code";
/** Seconds until the relay had it there: a tenth waited longer. */
const LAG = "make_interval(secs => 0.2 + roll / 8000.0 + case when roll % 10 = 0 then 20 else 0 end)";
/** Not in the future, and in the partition of its day. */
export const LAST = "least(now(), (day + 1)::timestamp at time zone 'utc' - interval '1 second')";
/** When the relay had it out, for the rows of a day. */
export const PUBLISHED = `least(${LAST}, done_at + ${LAG})`;
export const RECEIVED = `least(${LAST}, published_at + interval '50 milliseconds')`;
/** Every seventh payment: the provider told of it by a webhook too. */
const WEBHOOK = "by_provider and state = 'COMPLETED' and not lost and roll % 7 = 0";
const FINGERPRINT = (side: string): string => `'${side}.seed:' || (n / 100 % 6)`;
const CODES =
  "(array['http.503', 'http.timeout', 'http.400', 'ledger.closed', 'webhook.malformed', 'payload.invalid'])[1 + n / 100 % 6]";
const INBOX =
  "tenant_id, id, consumer, source, message_id, type, operation_id, payload, payload_hash, headers, state, received_at, processed_at, result, duplicates, attempts_started, attempts_finished";

/** Messages of one day on both sides, the dead ones and their attempts. `$1` tenant. */
export const MESSAGE_ROWS: readonly SeedStatement[] = [
  {
    table: "outbox_history",
    text: `insert into onceboard.outbox_history (${OUTBOX}, day, position, published_at, published_by, transport)
select $1::text, message_id, operation_id, ${AGGREGATE}, ${AGGREGATE_ID}, ${TOPIC}, ${TYPE}, ${PAYLOAD}, ${HEADERS}, done_at, sends, sends, send_error, send_error_code, day, ${POSITION}, published_at, 'worker-seed', 'http' from seed_rows where ${SENT}`,
  },
  {
    table: "outbox_messages",
    text: `insert into onceboard.outbox_messages (${OUTBOX}, state, next_attempt_at)
select $1::text, message_id, operation_id, ${AGGREGATE}, ${AGGREGATE_ID}, ${TOPIC}, ${TYPE}, ${PAYLOAD}, ${HEADERS}, done_at, case when dead_outbox then 5 when n % 9 = 0 then 2 else 0 end,
  case when dead_outbox then 5 when n % 9 = 0 then 2 else 0 end, case when dead_outbox or n % 9 = 0 then 'The receiver did not take it' end,
  case when dead_outbox then ${CODES} when n % 9 = 0 then 'http.503' end, case when dead_outbox then 'dead' else 'pending' end, now() + interval '1 minute'
from seed_rows where ${TOLD} and (pending or dead_outbox and not ${SETTLED})`,
  },
  {
    table: "inbox_messages",
    text: `insert into onceboard.inbox_messages (${INBOX})
select $1::text, pg_temp.seed_id(${RECEIVED}, 'ledger' || n), 'ledger', 'onceboard', message_id::text, ${TYPE}, operation_id, ${PAYLOAD}, ${SENT_HASH},
  jsonb_build_object('webhook-id', message_id), case when dead_inbox and not ${SETTLED} then 'dead' else 'processed' end, ${RECEIVED},
  case when not dead_inbox or ${SETTLED} then ${RECEIVED} + interval '300 milliseconds' end, case when dead_inbox and not ${SETTLED} then null when operation = 'accounts.create' then 'ignored' else 'ok' end,
  case when roll % 40 = 0 then 1 else 0 end, case when dead_inbox then 5 else 1 end, case when dead_inbox then 5 else 1 end
from seed_rows where ${SENT}
union all
select $1::text, pg_temp.seed_id(least(now(), done_at), 'webhook' || n), 'provider-webhook', 'provider', 'evt_' || md5(n::text), 'charge.succeeded', operation_id,
  jsonb_build_object('type', 'charge.succeeded', 'data', jsonb_build_object('id', 'ch_' || md5(n::text), 'status', 'succeeded', 'amount', amount_minor::text, 'currency', currency,
    'providerKey', 'provider_payment_' || effect_id)), body_hash, jsonb_build_object('webhook-id', 'evt_' || md5(n::text)), 'processed', least(now(), done_at),
  least(now(), done_at) + interval '200 milliseconds', 'already settled', 0, 1, 1
from seed_rows where ${WEBHOOK}`,
  },
  {
    // Rates and lags are rolled up from these.
    table: "inbox_batches",
    text: `insert into onceboard.inbox_batches (tenant_id, processed_at, id, consumer, lags_ms)
select $1::text, max(i.processed_at), (array_agg(i.id))[1], i.consumer, array_agg(extract(epoch from i.processed_at - i.received_at)::double precision * 1000)
from onceboard.inbox_messages i where i.tenant_id = $1::text and i.state = 'processed'
  and i.received_at >= (select min(at) from seed_rows) and i.received_at < (select max(day) + 1 from seed_rows)::timestamp at time zone 'utc'
group by i.consumer, date_trunc('minute', i.processed_at)`,
  },
  {
    table: "inbox_arrivals",
    text: `insert into onceboard.inbox_arrivals (tenant_id, day, id, inbox_id, at, outcome, payload_hash, request_id)
select $1::text, day, pg_temp.seed_id(${RECEIVED}, 'arrival' || n || '-' || k), pg_temp.seed_id(${RECEIVED}, 'ledger' || n), ${RECEIVED},
  case when k = 1 then 'recorded' else 'duplicate' end, ${SENT_HASH}, md5('arrival' || n || '-' || k)::uuid::text
from seed_rows cross join lateral generate_series(1, case when roll % 40 = 0 then 2 else 1 end) k where ${SENT}`,
  },
  {
    table: "dead_letters",
    text: `insert into onceboard.dead_letters (tenant_id, id, side, message_row_id, place, type, operation_id, error_fingerprint, error_code, error, attempts, dead_at, settled_at, settled_by, settlement, reason)
select $1::text, pg_temp.seed_id(done_at, 'dead' || d.side || n), d.side, d.message, d.place, ${TYPE}, operation_id, d.fingerprint, ${CODES}, 'The receiver did not take it', 5, done_at + interval '5 minutes',
  case when ${SETTLED} then done_at + interval '1 hour' end, case when ${SETTLED} then 'Seed' end, case when ${SETTLED} then 'requeued' end, case when ${SETTLED} then 'seeded' end
from seed_rows cross join lateral (
  select 'outbox' as side, message_id as message, ${TOPIC} as place, ${FINGERPRINT("outbox")} as fingerprint where dead_outbox
  union all select 'inbox', pg_temp.seed_id(${RECEIVED}, 'ledger' || n), 'ledger', ${FINGERPRINT("inbox")} where dead_inbox) d`,
  },
  {
    table: "message_attempts",
    text: `insert into onceboard.message_attempts (tenant_id, day, id, side, message_row_id, place, attempt, owner, fence, ended_at, outcome, error_code, error, error_fingerprint)
select $1::text, day, pg_temp.seed_id(done_at, 'attempt' || d.side || n || '-' || k), d.side, d.message, d.place, k, 'worker-seed', k, least(${LAST}, done_at + make_interval(mins => k)),
  case when k = 5 then 'dead' else 'failed' end, ${CODES}, 'The receiver did not take it', d.fingerprint
from seed_rows cross join lateral (
  select 'outbox' as side, message_id as message, ${TOPIC} as place, ${FINGERPRINT("outbox")} as fingerprint where dead_outbox
  union all select 'inbox', pg_temp.seed_id(${RECEIVED}, 'ledger' || n), 'ledger', ${FINGERPRINT("inbox")} where dead_inbox) d cross join lateral generate_series(1, 5) k`,
  },
  {
    table: "notifications",
    text: `insert into onceboard.notifications (tenant_id, id, notification_key, operation_id, kind, detail, state, attempts, created_at, sent_at)
select $1::text, pg_temp.seed_id(done_at, 'receipt' || n), 'receipt_payment_' || effect_id, operation_id, 'receipt', jsonb_build_object('effect', 'payment', 'accountId', account_id, 'currency', currency),
  'sent', 1, done_at, done_at + interval '2 seconds' from seed_rows where operation = 'payments.create' and state = 'COMPLETED' and slot = 5`,
  },
];

/** What waits in the inbox, through the function that receives: it knows where a lease lies. */
export const WAITING_ROWS: SeedStatement = {
  table: "inbox_messages",
  text: `select onceboard.receive($1::text, gen_random_uuid(), gen_random_uuid(), 'ledger', 'onceboard', m.id::text, m.type, m.operation_id, m.payload, ${sentHash({ id: "m.id", type: "m.type", aggregateType: "m.aggregate_type", aggregateId: "m.aggregate_id", payload: "m.payload", position: "m.position" })},
  '{}'::jsonb, 'seed') from (select * from onceboard.outbox_messages where tenant_id = $1::text and state = 'pending' order by position limit ${String(WAITING_ARRIVALS)}) m`,
};
