import type { SeedStatement } from "../statement";
import { CHECK_SECONDS } from "./rows";

/** Retries of the caller while nobody knows, each four seconds after the one before. */
const RETRIES = 3;

/** Every look-up of a lost payment with its fence: recovery's, the plan's for those that it could not settle, and the one that settled it. */
const LOOKS = `(select r.*, l.asked_at, l.outcome, (row_number() over (partition by r.n order by l.asked_at) + 1)::integer as look_fence
  from seed_rows r cross join lateral (
    select unknown_at + make_interval(secs => c) as asked_at, case when unknown_at + make_interval(secs => c) < silent_to then 'unreachable' else 'processing' end as outcome
    from unnest(array[${CHECK_SECONDS.join(", ")}]::double precision[]) c where unknown_at + make_interval(secs => c) < done_at - interval '1 second'
    union all select planned_at + interval '20 seconds' + lost_rank * interval '180 milliseconds', 'processing' where by_hand
    union all select done_at - interval '15 milliseconds', 'succeeded' where not by_hand) l
  where r.lost)`;

/** What a silence of the provider left beside what every payment leaves. `$1` tenant. */
export const LOST_ROWS: readonly SeedStatement[] = [
  {
    table: "settled_doubts",
    text: `insert into onceboard.settled_doubts (tenant_id, operation_id, operation, since, until, amount_minor, currency)
select $1::text, operation_id, operation, unknown_at, done_at, amount_minor, currency from seed_rows where lost`,
  },
  {
    table: "provider_requests",
    text: `insert into onceboard.provider_requests (tenant_id, id, operation_id, provider_key, provider, kind, state, fence, outcome, provider_reference, detail, prepared_at, sent_at, answered_at)
select $1::text, pg_temp.seed_id(asked_at, 'look' || n || '-' || look_fence), operation_id, 'provider_payment_' || effect_id, 'sandbox', 'lookup', 'answered', look_fence, outcome,
  case when outcome = 'succeeded' then 'ch_' || md5(n::text) end, case outcome when 'unreachable' then 'the provider answered 503' else outcome end, asked_at, asked_at, asked_at + interval '12 milliseconds'
from ${LOOKS} l`,
  },
  {
    table: "idempotency_events",
    text: `insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, actor, fence, detail)
select $1::text, day, pg_temp.seed_id(asked_at, 'taken' || n || '-' || look_fence), operation_id, operation, asked_at, 'taken_over', 'worker-1', look_fence, '{"from":null,"stage":"PROVIDER_REQUEST_SENT"}'::jsonb
from ${LOOKS} l
union all
select $1::text, day, pg_temp.seed_id(asked_at, 'reconciled' || n || '-' || look_fence), operation_id, operation, asked_at + interval '14 milliseconds', 'reconciled', 'worker-1', look_fence,
  jsonb_build_object('from', 'UNKNOWN_REQUIRES_RECOVERY', 'to', case when outcome = 'succeeded' then 'COMPLETED' else 'UNKNOWN_REQUIRES_RECOVERY' end,
    'finding', case outcome when 'succeeded' then 'settled' when 'unreachable' then 'the provider answered 503' else outcome end)
from ${LOOKS} l
union all
select $1::text, day, pg_temp.seed_id(done_at, 'taken-by-hand' || n), operation_id, operation, done_at - interval '20 milliseconds', 'taken_over', 'api-1', fence, '{"from":null,"stage":"PROVIDER_REQUEST_SENT"}'::jsonb
from seed_rows where by_hand
union all
select $1::text, day, pg_temp.seed_id(done_at, 'resolved' || n), operation_id, operation, done_at, 'resolved', 'Olu', fence,
  '{"from":"UNKNOWN_REQUIRES_RECOVERY","to":"COMPLETED","decision":"succeeded","evidence":["provider_dashboard"]}'::jsonb
from seed_rows where by_hand`,
  },
  {
    table: "idempotency_events",
    text: `insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, outcome, request_id, client, fence, attempt, delay_ms, latency_ms, status, code)
select $1::text, day, pg_temp.seed_id(r.asked_at, 'unknown' || n || '-' || k), operation_id, operation, r.asked_at, 'unknown', 'unknown', md5(case k when 1 then 'request' || n else 'unknown' || n || '-' || k end)::uuid::text, client, 1, k,
  case when k > 1 then 4000 end, case when k = 1 then latency_ms else 3 end, case when k = 1 then 504 else 409 end, case when k = 1 then 'dependency.timeout' else 'idempotency.outcome_unknown' end
from seed_rows cross join lateral generate_series(1, ${String(1 + RETRIES)}) k
cross join lateral (select case when k = 1 then at else unknown_at + make_interval(secs => 4 * (k - 1)) end as asked_at) r where lost and r.asked_at < done_at`,
  },
];
