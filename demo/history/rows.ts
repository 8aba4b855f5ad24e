import { PUBLISHED } from "./message-rows";
import {
  ACCOUNTS,
  CLIENTS,
  HOT_KEY_REPLAYS,
  OPEN_OPERATIONS,
  PATTERN,
  PENDING_MESSAGES,
  STALE_OPERATIONS,
  UNKNOWN_OPERATIONS,
  type SeedDay,
  type SeedShape,
} from "./shape";

/** Helpers of one session, gone with it. */
export const SEED_FUNCTIONS = [
  // A UUIDv7 of the row's time, so that old ids lie before new ones as they do in the product.
  `create or replace function pg_temp.seed_id(p_at timestamptz, p_salt text) returns uuid language sql stable as $$
     select overlay(overlay(overlay(md5(p_salt) placing lpad(to_hex((extract(epoch from p_at) * 1000)::bigint), 12, '0') from 1)
       placing '7' from 13) placing '8' from 17)::uuid $$`,
  // 0 to 9999, the same for the same number and salt.
  `create or replace function pg_temp.seed_roll(p_n bigint, p_salt integer) returns integer language sql immutable as $$
     select abs(hashint8extended(p_n, p_salt) % 10000)::integer $$`,
] as const;

export function clientOf(roll: string): string {
  let below = 0;
  const cases = CLIENTS.map(([name, share]) => `when ${roll} < ${String((below += share) * 100)} then '${name}'`);
  return `case ${cases.join(" ")} end`;
}

/** Of payments: most go well, some are declined for good, some may be retried. */
const STATE = `case
    when kind = 'open' then 'IN_PROGRESS' when kind = 'unknown' then 'UNKNOWN_REQUIRES_RECOVERY'
    when slot > 15 or slot in (2, 3, 8, 9, 10) then 'COMPLETED'
    when roll < 190 then 'FAILED_REPLAYABLE' when roll < 290 then 'FAILED_RETRYABLE' when roll < 300 then 'EXPIRED'
    else 'COMPLETED' end`;
/** Further answers: none for most, many for few; the mean of these is 3. */
const RETRIES =
  "case when roll_retries < 4000 then 0 when roll_retries < 6000 then 1 when roll_retries < 8000 then 3 when roll_retries < 9500 then 8 else 20 end";
const RETRIES_MEAN = 3;

const PAID = "operation = 'payments.create' and state = 'COMPLETED'";

/** What every row of `seed_rows` is called, and what it moves; `about` is the number of the payment that it is about. */
export const IDENTITIES = `(at at time zone 'utc')::date as day, pg_temp.seed_id(at, 'operation' || n) as operation_id,
  pg_temp.seed_id(at, 'effect' || n) as effect_id, pg_temp.seed_id(about_at, 'effect' || about) as payment_id,
  case when operation = 'refunds.create' then greatest(1, amount_of_payment / 3)
    when operation in ('payments.create', 'payments.void') then amount_of_payment end as amount_minor,
  operation in ('payments.create', 'refunds.create', 'payments.void') as by_provider,
  pg_temp.seed_id(done_at, 'message' || n) as message_id, sha256(convert_to('body' || n, 'utf8')) as body_hash`;

/** When the traffic of a number was: denser by day than by night, even over the part of today that is over. */
export function timeOf(number: string, { first, count, day, seconds }: SeedDay): string {
  const part = `((${number} - ${String(first)})::double precision / ${String(Math.max(1, count))})`;
  const warped = seconds < 86_400 ? part : `(${part} + 0.6 * sin(2 * pi() * ${part}) / (2 * pi()))`;
  return `(timestamptz '${day} 00:00:00Z' + make_interval(secs => ${String(seconds)} * ${warped}))`;
}

/** @returns the statement that makes the day's rows as a temporary table; everything else of the day is inserted from it */
export function seedRows(day: SeedDay, shape: SeedShape): string {
  const { operations, unknownStep, deathStep, replays } = shape;
  const unknownLast = operations - 3 * PATTERN - PATTERN + 1;
  const unknownFirst = unknownLast - unknownStep * (UNKNOWN_OPERATIONS - 1);
  const openFrom = operations - OPEN_OPERATIONS;
  return `create temp table seed_rows on commit drop as
with numbered as (
  select n, (n % ${String(PATTERN)})::integer as slot, pg_temp.seed_roll(n, 1) as roll, pg_temp.seed_roll(n, 2) as roll_retries,
    pg_temp.seed_roll(n, 3) as roll_client,
    case when n >= ${String(openFrom)} then 'open'
      when n between ${String(unknownFirst)} and ${String(unknownLast)} and (${String(unknownLast)} - n) % ${String(unknownStep)} = 0 then 'unknown'
      else 'settled' end as kind
  from generate_series(${String(day.first)}::bigint, ${String(day.first + day.count - 1)}::bigint) n
), shaped as (
  select *, case when kind <> 'settled' then 'payments.create' when slot in (16, 17) then 'refunds.create' when slot = 18 then 'payments.void'
      when slot = 19 and roll < 400 then 'admin.operations.reconcile' when slot = 19 then 'accounts.create' else 'payments.create' end as operation,
    case when kind = 'settled' and slot in (16, 17, 18) then n - 8 else n end as about, ${STATE} as state,
    ${timeOf("n", day)} as at, 40 + pg_temp.seed_roll(n, 4) / 25 + case when roll_retries > 9900 then 4000 else 0 end as latency_ms
  from numbered
), named as (
  select *, ${timeOf("about", day)} as about_at, at + make_interval(secs => latency_ms / 1000.0) as done_at,
    'acc_' || lpad((1 + floor(${String(ACCOUNTS - 1)} * power(pg_temp.seed_roll(about, 5) / 10000.0, 2)))::text, 5, '0') as account_id,
    (250 + power(10, 2 + pg_temp.seed_roll(about, 6) / 4000.0))::bigint as amount_of_payment,
    case when pg_temp.seed_roll(about, 7) < 7000 then 'EUR' when pg_temp.seed_roll(about, 7) < 9000 then 'USD' else 'GBP' end as currency
  from shaped
), whole as (
select n, slot, kind, operation, state, at, done_at, latency_ms, roll, account_id, currency, amount_of_payment, about_at,
  ${clientOf("roll_client")} as client, ${IDENTITIES},
  case when operation like 'admin.%' then 'operator:' || md5('key' || n) when roll < 1500 then 'cart-' || (n * 7919 % 100000007)::text
    else overlay(overlay(md5('key' || n) placing '4' from 13) placing '8' from 17)::uuid::text end as key,
  case when operation in ('payments.create', 'refunds.create', 'payments.void') then 'order-' || (1000000 + about)::text end as reference,
  case when kind <> 'settled' or state = 'FAILED_RETRYABLE' or operation like 'admin.%' then 0
    when n = ${String(Math.floor(operations / 2))} then ${String(HOT_KEY_REPLAYS)}
    else floor((${RETRIES}) * ${String(replays / RETRIES_MEAN)} + pg_temp.seed_roll(n, 8) / 10000.0)::integer end as replays,
  state = 'COMPLETED' and operation not like 'admin.%' and n >= ${String(openFrom - PENDING_MESSAGES)} as pending,
  state = 'COMPLETED' and slot = 2 and (n - 2) % ${String(deathStep)} = 0 and n < ${String(openFrom - PENDING_MESSAGES)} as dead_outbox,
  state = 'COMPLETED' and slot = 3 and (n - 3) % ${String(deathStep)} = 0 and n < ${String(openFrom - PENDING_MESSAGES)} as dead_inbox,
  kind = 'open' and n < ${String(openFrom + STALE_OPERATIONS)} as stale
from named
)
select *, ${PUBLISHED} as published_at, done_at + interval '1 second' as posted_at, 1 as fence, false as expired, false as lost, 400 as retry_ms,
  case when ${PAID} and roll % 125 = 0 then 1 else 0 end as conflicts, case when roll % 250 = 0 then '["amount"]' else '["merchantReference"]' end as differing,
  ${PAID} and roll % 50 = 1 as overlap, case when dead_outbox then 6 else 1 end as sends, null::text as send_error, null::text as send_error_code,
  false as kept, 24 as body_hours, null::bytea as command_hash
from whole`;
}
