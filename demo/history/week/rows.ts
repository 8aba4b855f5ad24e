import { PATTERN } from "../shape";
import { IDENTITIES } from "../rows";
import { crowdOf, type Habit } from "./habits";
import { minutesAfter, OPEN_MS, type Calendar, type Silence, type Stretch, type WeekDay } from "./calendar";

/** Operations a minute by night, and how many more when the traffic is at its peak: at the time of day that it is now. */
const BASE_PER_MINUTE = 3.6;
const PEAK_PER_MINUTE = 24;
/** Width of the peak, hours. */
const PEAK_HOURS = 1.6;
/** The first of a pattern need none of the others, so that a short time has its payments too. */
const ALONE = 8;
/** Order numbers begin here: above those that tests use, below those of the live traffic. */
const FIRST_ORDER = 10_000_000;
/** How long the provider has time, seconds. */
const PROVIDER_SECONDS = 8;
/** Seconds after an outcome became unknown at which recovery asks, as domain/idempotency/recovery-schedule has it. */
export const CHECK_SECONDS = [2, 7, 22, 52, 112, 232, 532, 1_132, 1_732, 2_332];
/** Seconds between the first attempt of a message and the n-th, in the middle of what the outbox's backoff may give. */
export const ATTEMPTS = [0, 0.75, 2, 4.25, 8.5, 16.75, 33, 65.25, 129.5, 257.75, 408, 558.25];
/** Minutes after the provider was away: a person settles by hand what stays unknown. */
export const BY_HAND_AFTER = 19;
export const BY_HAND_STEP = 3;
/** Minutes after the receiver was back: the plan runs. Then 25 rows every half second. */
export const REQUEUED_AFTER = 14;

/** What differs between two histories of a week. */
export interface WeekShape {
  /** Of the traffic, above 0. */
  readonly share: number;
  /** Bodies that are younger are kept; left out: none are. */
  readonly bodyHours: number | undefined;
  readonly habits: readonly Habit[];
  /** Added to every number, so that two tenants share none. */
  readonly offset: number;
}
/** After so long nobody misses the bodies of a history that has none. */
const UNKEPT_HOURS = 24;

export function instant(at: Date): string {
  return `timestamptz '${at.toISOString()}'`;
}
function within(column: string, { from, to }: Stretch): string {
  return `${column} >= ${instant(from)} and ${column} < ${instant(to)}`;
}
function array(values: readonly number[]): string {
  return `array[${values.join(", ")}]::double precision[]`;
}

/** Minutes of a day with their operations: a daily rush, less at the weekend, never the same twice. */
function arrivals({ day, from, to }: WeekDay, { now }: Calendar, share: number): string {
  const peak = now.getUTCHours() + now.getUTCMinutes() / 60;
  return `minutes as (
  select m, (extract(epoch from m) / 60)::bigint as k,
    ${String(share)} * (${String(BASE_PER_MINUTE)} + ${String(PEAK_PER_MINUTE)} * exp(-power(least(abs(h - ${String(peak)}), 24 - abs(h - ${String(peak)})) / ${String(PEAK_HOURS)}, 2)))
    * case when extract(isodow from m at time zone 'utc') > 5 then 0.85 else 1 end as rate
  from generate_series(date_trunc('minute', ${instant(from)}), ${instant(to)}, interval '1 minute') m
  cross join lateral (select extract(epoch from m - timestamptz '${day} 00:00:00Z') / 3600 as h) t
), arrivals as (
  select m + make_interval(secs => 60.0 * (i - 1 + pg_temp.seed_roll(k * 100 + i, 12) / 10000.0) / c) as at
  from minutes cross join lateral (select floor(rate * (0.75 + pg_temp.seed_roll(k, 11) / 20000.0) + pg_temp.seed_roll(k, 13) / 10000.0)::integer as c) e
  cross join lateral generate_series(1, c) i
), numbered as (
  select at, row_number() over (order by at) - 1 as place, count(*) over () as total from arrivals where at >= ${instant(from)} and at < ${instant(to)} - interval '${String(OPEN_MS)} milliseconds'
)`;
}

/** When a payment of the incident was settled: by recovery as soon as the provider can be asked, by the plan, or by a person. */
function settledAt({ to, byHand, planned }: Silence): string {
  const natural = `(select min(unknown_at + make_interval(secs => c)) from unnest(${array(CHECK_SECONDS)}) c where unknown_at + make_interval(secs => c) >= ${instant(to)})`;
  const byPlan =
    planned === undefined
      ? ""
      : `when ${natural} > ${instant(planned)} then ${instant(planned)} + interval '20 seconds' + lost_rank * interval '180 milliseconds'`;
  return `case when lost_rank <= ${String(byHand)} then ${instant(minutesAfter(to, BY_HAND_AFTER))} + lost_rank * interval '${String(BY_HAND_STEP)} minutes'
    ${byPlan} else ${natural} end`;
}

/** The silence of the provider that lies within the day. */
function silenceOf({ day }: WeekDay, { silence, timeouts }: Calendar): Silence {
  return silence.from.toISOString().startsWith(day) ? silence : timeouts;
}

/** How a message left: at once, at a later attempt, dead and requeued, or behind one that had not left yet. */
function departures({ outage, pause }: Calendar): string {
  const back = instant(outage.to);
  const requeued = `${instant(minutesAfter(outage.to, REQUEUED_AFTER))} + interval '2 seconds' + row_number() over (partition by in_outage order by done_at) * interval '20 milliseconds'`;
  return `tried as (
  select *, case when in_outage and by_provider and state = 'COMPLETED' then
      (select count(*) from unnest(${array(ATTEMPTS)}) o where done_at + make_interval(secs => o) < ${back})::integer else 0 end as failures
  from settled
), left_alone as (
  select *, failures = ${String(ATTEMPTS.length)} as died,
    case when failures = ${String(ATTEMPTS.length)} then ${requeued}
      when failures > 0 then done_at + make_interval(secs => (${array(ATTEMPTS)})[failures + 1] + 0.2)
      when operation = 'accounts.create' and ${within("done_at", pause)} then ${instant(pause.to)} + interval '1 second'
      else done_at + make_interval(secs => 0.2 + roll / 8000.0 + case when roll % 40 = 0 then 3 else 0 end) end as own_published
  from tried
), departed as (
  select *, about <> n and lag(own_published, 8) over (order by n) > done_at as behind, lag(own_published, 8) over (order by n) as parent_published from left_alone
)`;
}

/**
 * @returns the statement that makes the rows of one day of the week as a temporary table, with the incidents of the calendar in
 * them; every table of the day is filled from it, as from a day of the month
 */
export function weekRows(day: WeekDay, calendar: Calendar, { share, bodyHours, habits, offset }: WeekShape): string {
  const crowd = crowdOf(habits);
  const first = String(day.first + offset);
  const { outage, release, slip, now } = calendar;
  const silence = silenceOf(day, calendar);
  const released = `(client = 'till-web' and ${within("at", release)} or client = 'till-ios' and ${within("at", slip)}) and roll_other < 4500`;
  return `create temp table seed_rows on commit drop as
with ${arrivals(day, calendar, share)}, shaped as (
  select ${first}::bigint + place as n, at, (place % ${String(PATTERN)})::integer as slot, 'settled' as kind,
    ${first}::bigint + place - case when place % ${String(PATTERN)} in (16, 17, 18) then 8 else 0 end as about,
    lag(at, 8) over (order by at) as at_before
  from numbered where place < total / ${String(PATTERN)} * ${String(PATTERN)} + least(total % ${String(PATTERN)}, ${String(ALONE)})
), rolled as (
  select *, case when about = n then at else at_before end as about_at, pg_temp.seed_roll(n, 1) as roll, pg_temp.seed_roll(n, 2) as roll_retries,
    pg_temp.seed_roll(n, 9) as roll_other, ${crowd.ofRoll("pg_temp.seed_roll(about, 3)")} as client, ${String(FIRST_ORDER)} + about as o,
    case when slot in (16, 17) then 'refunds.create' when slot = 18 then 'payments.void' when slot = 19 then 'accounts.create' else 'payments.create' end as operation
  from shaped
), named as (
  select *, case when slot > 15 or slot in (8, 9, 10) then 'COMPLETED' when roll < 160 then 'FAILED_REPLAYABLE' when roll < 240 then 'FAILED_RETRYABLE' else 'COMPLETED' end as state,
    (${crowd.byClient("client", ({ accounts }) => `(array['${accounts.join("', '")}'])[1 + pg_temp.seed_roll(about, 5) % ${String(accounts.length)}]`)}) as account_id,
    (${crowd.byClient("client", ({ typicalMinor }) => `${String(typicalMinor)} * exp((pg_temp.seed_roll(about, 6) / 10000.0 - 0.5) * 2.4)`)})::bigint as amount_of_payment,
    case when client = 'partner-lumen' and pg_temp.seed_roll(about, 7) < 1500 then 'USD' else 'EUR' end as currency,
    slot < 16 and slot not in (8, 9, 10) and roll >= 240 and ${within("at", silence)} as exposed
  from rolled
), ranked as (
  select *, case when exposed then row_number() over (partition by exposed order by roll_other, n) end as lost_rank from named
), timed as (
  select *, coalesce(lost_rank <= ${String(silence.lost)}, false) as lost,
    case when lost_rank <= ${String(silence.lost)} then ${String(PROVIDER_SECONDS * 1_000)} when operation = 'accounts.create' then 6 + roll / 900
      else 45 + pg_temp.seed_roll(n, 4) / 40 + case when roll_retries > 9900 then 1500 when ${within("at", { from: minutesAfter(silence.from, -8), to: minutesAfter(silence.to, 3) })} then 900 + roll / 8 else 0 end end as latency_ms
  from ranked
), answered as (
  select *, at + make_interval(secs => latency_ms / 1000.0) as unknown_at from timed
), settled as (
  select *, case when lost then ${settledAt(silence)} else unknown_at end as done_at, ${within("at", outage)} as in_outage,
    operation in ('payments.create', 'refunds.create', 'payments.void') as by_provider
  from answered
), ${departures(calendar)}
select n, slot, kind, operation, state, at, done_at, unknown_at, latency_ms, roll, account_id, currency, amount_of_payment, about_at, client, lost_rank, lost,
  case when operation = 'refunds.create' then 'rf-' || o when operation = 'payments.void' then 'void-' || o when operation = 'accounts.create' then 'acc-open-s' || n
    else ${crowd.byClient("client", ({ key }) => key)} end as key,
  case operation when 'payments.create' then ${crowd.byClient("client", ({ reference }) => reference)} when 'accounts.create' then null
    else pg_temp.seed_id(about_at, 'effect' || about)::text end as reference,
  case when state = 'FAILED_RETRYABLE' then 0 when roll_retries < ${crowd.byClient("client", ({ retried }) => String(retried))} then 1 + roll_retries % 3
    when lost then 1 else 0 end as replays,
  ${crowd.byClient("client", ({ retryMs }) => String(retryMs))} as retry_ms,
  case when state <> 'COMPLETED' or operation <> 'payments.create' or lost then 0 when ${released} then 1 + roll % 2
    when roll_other < ${crowd.byClient("client", ({ conflicting }) => String(conflicting))} then 1 else 0 end as conflicts,
  '["' || ${crowd.byClient("client", ({ conflictField }) => `'${conflictField}'`)} || '"]' as differing,
  operation = 'payments.create' and state = 'COMPLETED' and not lost and roll_other between 5000 and 5120 as overlap,
  false as pending, false as dead_outbox, false as dead_inbox, false as stale,
  at <= ${instant(now)} - interval '24 hours' as expired, ${crowd.byClient("client", ({ reference }) => reference)} as payment_reference, null::bytea as command_hash,
  ${bodyHours === undefined ? "false" : `at > ${instant(now)} - interval '${String(bodyHours)} hours'`} as kept, ${String(bodyHours ?? UNKEPT_HOURS)} as body_hours,
  case when lost then 1 + (select count(*) from unnest(${array(CHECK_SECONDS)}) c where unknown_at + make_interval(secs => c) < done_at - interval '1 second')::integer
    + case when lost_rank <= ${String(silence.byHand)} then 2 else 1 end else 1 end as fence,
  lost_rank <= ${String(silence.byHand)} as by_hand, ${instant(silence.to)} as silent_to, ${silence.planned === undefined ? "null::timestamptz" : instant(silence.planned)} as planned_at,
  died and not behind as died, case when behind then 0 else failures end as failures,
  least(day_end, case when behind then parent_published + interval '500 milliseconds' else own_published end) as published_at,
  least(day_end, case when behind then parent_published + interval '500 milliseconds' else own_published end + interval '350 milliseconds') as posted_at,
  case when behind or died then 1 else failures + 1 end as sends,
  case when failures > 0 and not behind then 'The destination answered 503' end as send_error,
  case when failures > 0 and not behind then 'delivery.http_503' end as send_error_code, ${IDENTITIES}
from departed cross join (select least(now(), timestamptz '${day.day} 00:00:00Z' + interval '1 day' - interval '1 second') as day_end) e`;
}
