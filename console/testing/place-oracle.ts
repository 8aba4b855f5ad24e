import { OUTAGE_CODES } from "@/domain/messages/outage";

/**
 * What every sentence about topics and consumers means, in SQL over the rows that engine and people wrote; never over roll-ups.
 * `w` is what waits, `c` what the sentence captured; $1 tenant, $2 when it was read, $3 side, $4 place or null for all of them.
 */
const OUTAGES = OUTAGE_CODES.map((code) => `'${code}'`).join(", ");
const WAITS = `
  select m.topic as place, m.created_at as at, m.attempts_finished > 0 as failing, m.next_attempt_at as next,
    coalesce(m.last_error_code in (${OUTAGES}), false) as stopped, t.paused_at
  from onceboard.outbox_messages m left join onceboard.topics t on t.tenant_id = m.tenant_id and t.topic = m.topic
  where m.tenant_id = $1 and m.state = 'pending' and $3 = 'outbox'
  union all
  select i.consumer, i.received_at, o.attempts_finished > 0, o.next_attempt_at, false, null
  from onceboard.inbox_messages i join onceboard.inbox_open o on o.tenant_id = i.tenant_id and o.id = i.id
  where i.tenant_id = $1 and i.state = 'recorded' and $3 = 'inbox'`;
const DEAD = `(
  select m.topic as place from onceboard.outbox_messages m where m.tenant_id = $1 and m.state = 'dead' and $3 = 'outbox'
  union all
  select i.consumer from onceboard.inbox_messages i where i.tenant_id = $1 and i.state = 'dead' and $3 = 'inbox') d`;
/** What was done in the sixty whole minutes before the one that runs. */
const DONE = `(
  select h.topic as place, h.published_at as at from onceboard.outbox_history h
  where h.tenant_id = $1 and $3 = 'outbox' and h.published_by is distinct from 'operator'
  union all
  select i.consumer, i.processed_at from onceboard.inbox_messages i where i.tenant_id = $1 and i.state = 'processed' and $3 = 'inbox') d`;
const IN_HOUR = `(select count(*) from ${DONE} where d.place = $4
  and d.at >= date_trunc('minute', $2::timestamptz) - interval '1 hour' and d.at < date_trunc('minute', $2::timestamptz))`;
const HERE = "($4::text is null or place = $4)";
const RESTS = "place in (select place from w where stopped or paused_at is not null)";
const count = (where: string): string => `(select count(*) from w where ${where})`;
const number = (captured: string): string => `coalesce(nullif(replace(${captured}, ',', ''), ''), '0')::int`;
/** As a duration is spoken: rounded down in its unit. */
const spoken = (since: string, amount: string, unit: string): string =>
  `floor(extract(epoch from $2::timestamptz - ${since}) / case ${unit} when 'second' then 1 when 'minute' then 60 when 'hour' then 3600 else 86400 end) = ${amount}::int`;
const AGE = String.raw`(\d+) (second|minute|hour|day)s?`;
const N = String.raw`([\d,]+)`;
/** "one", "two" and "three" of few things. */
const FEW = String.raw`(?:[\d,]+|[Oo]ne|[Tt]wo|[Tt]hree)`;
const few = (captured: string): string =>
  `case lower(${captured}) when 'one' then 1 when 'two' then 2 when 'three' then 3 else ${number(captured)} end`;
const LOST = `(?:nothing waits|(${FEW}) waits?, none is lost)`;

export const PLACE_ORACLE: readonly (readonly [sentence: string, sql: string])[] = [
  [
    `^${N} messages? waits?(?: to be handled)?(?: in topic .+| by .+| in it now)?[.,]$`,
    `${count(HERE)} = ${number("c[1]")}`,
  ],
  [`^the oldest for ${AGE}\\.$`, spoken(`(select min(at) from w where ${HERE})`, "c[1]", "c[2]")],
  [
    `^the oldest elsewhere for ${AGE}\\.$`,
    `${count(RESTS)} > 0 and ${spoken(`(select min(at) from w where not ${RESTS})`, "c[1]", "c[2]")}`,
  ],
  [String.raw`^Nothing waits (?:in the outbox|in the inbox|in it now|in topic .+|for .+)\.$`, `${count(HERE)} = 0`],
  [
    String.raw`^Everything (?:that arrived|for .+) is handled\.$`,
    "not exists (select from onceboard.inbox_messages i where i.tenant_id = $1 and i.state <> 'processed' and ($4::text is null or i.consumer = $4))",
  ],
  [`^${N} messages? (?:is|are) dead\\.$`, `(select count(*) from ${DEAD} where ${HERE}) = ${number("c[1]")}`],
  [
    `^Topic (.+) paused ${AGE} ago: ${LOST}\\.$`,
    `exists (select from onceboard.topics t where t.tenant_id = $1 and t.topic = $5 and ${spoken("t.paused_at", "c[2]", "c[3]")})
       and ${count("place = $5")} = ${few("c[4]")}`,
  ],
  [
    `^${N} topics are paused: ${LOST}\\.$`,
    `(select count(*) from onceboard.topics t where t.tenant_id = $1 and t.paused_at is not null) = c[1]::int and ${count("paused_at is not null")} = ${few("c[2]")}`,
  ],
  [
    `^Topic (.+): at the last try .+\\. (?:Nothing waits|(${FEW}) waits?, none is lost, the oldest for ${AGE})\\.$`,
    `${count("place = $5 and stopped and paused_at is null")} > 0 and ${count("place = $5")} = ${few("c[2]")} and ${spoken("(select min(at) from w where place = $5)", "c[3]", "c[4]")}`,
  ],
  [
    `^Nothing could be sent to ${N} topics at the last try: ${LOST}\\.$`,
    `(select count(distinct place) from w where stopped and paused_at is null) = c[1]::int
       and ${count("place in (select place from w where stopped and paused_at is null)")} = ${few("c[2]")}`,
  ],
  [
    `^(?:Topic|Consumer) (.+): ${N} failing, (?:next attempt in (.+)|(tried again now))\\.$`,
    `${count("place = $5 and failing")} = ${number("c[2]")} and ((select min(next) from w where place = $5 and failing) > $2::timestamptz) = (c[4] is null)`,
  ],
  [
    `^${N} are failing at ${N} (?:topics|consumers), (?:next attempt in (.+)|(tried again now))\\.$`,
    `${count(`failing and not ${RESTS}`)} = ${number("c[1]")} and (select count(distinct place) from w where failing and not ${RESTS}) = ${number("c[2]")}
       and ((select min(next) from w where failing and not ${RESTS}) > $2::timestamptz) = (c[4] is null)`,
  ],
  [String.raw`^(?:Published|Handled) none in the last hour\.$`, `${IN_HOUR} = 0`],
  [
    `^(?:Published|Handled) ${N} messages? in the last hour(?:, lag p95 up to .+)?\\.$`,
    `${IN_HOUR} = ${number("c[1]")}`,
  ],
  [
    String.raw`^What was (?:published|handled) in the last hour is not counted yet\.$`,
    "not exists (select from onceboard.metric_buckets b where b.tenant_id = $1 and b.computed_at > $2::timestamptz - interval '2 minutes')",
  ],
];

/** $5 the place that the sentence names, $6 what it captured. */
export function placeOracleQuery(sql: string): string {
  return `with w as (${WAITS})
select coalesce((${sql}), false) as holds from (select $6::text[] as c, $1::text, $2::timestamptz, $3::text, $4::text, $5::text) x(c)`;
}
