import type { SeedStatement } from "./statement";

const SHAPE = `'{"shape":{"notation":{"amount":"decimal string"},"defaulted":[]}}'::jsonb`;
const COLUMNS = `tenant_id, day, id, operation_id, operation, at, type, outcome, request_id, client, fence, attempt, delay_ms, latency_ms, status, code,
  served_hash, detail`;
/** The last instant of the day that is not in the future: retries of a late request stay in its partition. */
const LAST = "least(now(), (day + 1)::timestamp at time zone 'utc' - interval '1 millisecond')";
/** Of the k-th retry: each waits longer than the one before. */
const RETRY_AFTER = "(retry_ms * k + retry_ms * 0.375 * k * (k - 1) / 2) / 1000.0";
const STATUS = `case when state = 'FAILED_REPLAYABLE' then case when roll < 150 then 402 else 409 end when operation = 'payments.void' or operation like 'admin.%' then 200 else 201 end`;
const CODE = `case when state = 'FAILED_REPLAYABLE' then case when roll < 150 then 'payment.insufficient_funds' else 'payment.duplicate_reference' end end`;
const WHO = "case when operation like 'admin.%' then 'operator' else client end";

/** What happened to the operations of one day, five events each on the mean unless asked otherwise. `$1` tenant. */
export const EVENT_ROWS: readonly SeedStatement[] = [
  {
    table: "idempotency_events",
    text: `insert into onceboard.idempotency_events (${COLUMNS})
select $1::text, day, pg_temp.seed_id(at, 'claimed' || n), operation_id, operation, at, 'claimed', null, md5('request' || n)::uuid::text, ${WHO}, 1, 1, null::integer, null::integer, null::smallint, null,
  null::bytea, null::jsonb from seed_rows where operation <> 'accounts.create'
union all
select $1::text, day, pg_temp.seed_id(at, 'executed' || n), operation_id, operation, at, 'executed', 'executed', md5('request' || n)::uuid::text, ${WHO}, 1, 1, null, latency_ms, ${STATUS}, ${CODE},
  body_hash, ${SHAPE} from seed_rows where kind = 'settled' and state <> 'FAILED_RETRYABLE' and not lost
union all
select $1::text, day, pg_temp.seed_id(at, 'failed' || n), operation_id, operation, at, 'failed_retryable', 'failed', md5('request' || n)::uuid::text, client, 1, 1, null, latency_ms, 503,
  'dependency.unavailable', null, null from seed_rows where state = 'FAILED_RETRYABLE'`,
  },
  {
    table: "idempotency_events",
    text: `insert into onceboard.idempotency_events (${COLUMNS})
select $1::text, day, pg_temp.seed_id(r.told, 'replayed' || n || '-' || k), operation_id, operation, r.told, 'replayed', 'replayed', md5('replay' || n || '-' || k)::uuid::text, client, 1, 1 + k,
  (retry_ms + (k - 1) * retry_ms * 0.375)::integer, 2 + roll % 9, ${STATUS}, ${CODE}, body_hash, null::jsonb
from seed_rows cross join lateral generate_series(1, replays) k
cross join lateral (select least(${LAST}, done_at + make_interval(secs => ${RETRY_AFTER})) as told) r where replays > 0`,
  },
  {
    table: "idempotency_events",
    text: `insert into onceboard.idempotency_events (${COLUMNS})
select $1::text, day, pg_temp.seed_id(r.told, 'conflict' || n || '-' || k), operation_id, operation, r.told, 'conflict', 'conflict', md5('conflict' || n || '-' || k)::uuid::text, client, 1, 1 + k, 3500, 3, 409::smallint,
  'idempotency.payload_mismatch', null::bytea, jsonb_build_object('payloadHash', substr(md5('other' || n || '-' || k), 1, 16), 'foreignPrincipal', false,
    'differingFields', differing::jsonb)
from seed_rows cross join lateral generate_series(1, conflicts) k
cross join lateral (select least(${LAST}, done_at + k * interval '3500 milliseconds') as told) r where conflicts > 0
union all
select $1::text, day, pg_temp.seed_id(r.told, 'overlap' || n), operation_id, operation, r.told, 'in_progress', 'in_progress', md5('overlap' || n)::uuid::text, client, 1, 2, 20, 1, 409,
  'idempotency.in_progress', null, null
from seed_rows cross join lateral (select least(${LAST}, at + interval '20 milliseconds') as told) r where overlap
union all
select $1::text, day, pg_temp.seed_id(r.told, 'unknown' || n || '-' || k), operation_id, operation, r.told, 'unknown', 'unknown', md5('unknown' || n || '-' || k)::uuid::text, client, 1, k,
  case when k > 1 then 4000 end, case when k = 1 then latency_ms else 2 end, case when k = 1 then 504 else 409 end, case when k = 1 then 'dependency.timeout' else 'idempotency.outcome_unknown' end, null, null
from seed_rows cross join lateral generate_series(1, 3) k cross join lateral (select least(${LAST}, done_at + make_interval(secs => 4 * (k - 1))) as told) r where kind = 'unknown'`,
  },
];
