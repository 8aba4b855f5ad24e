import { CORRECTED, DISABLED, ENDPOINT, HEAD, HELD, PAUSED, REQUEUE_ORACLE, T, TEXT } from "./requeue-oracle";

/**
 * What every sentence about one message means, in SQL over the rows that engine and people wrote; never over roll-ups, which the
 * console reads. `d` is its open death, `x` the row of the message, `c` what the sentence captured.
 */
const SUCCESSES = `(
  select h.published_at as at from onceboard.outbox_history h
  where h.tenant_id = $1 and h.topic = $4 and $3 = 'outbox' and h.published_by is distinct from 'operator'
  union all
  select i.processed_at from onceboard.inbox_messages i
  where i.tenant_id = $1 and i.consumer = $4 and $3 = 'inbox' and i.state = 'processed')`;
const ATTEMPTS = `(
  select a.* from onceboard.message_attempts a where a.tenant_id = $1 and a.side = $3 and a.place = $4)`;
const CODE = String.raw`([a-z_.0-9]+)`;
const never = (what: string): string => `not exists (select from ${SUCCESSES} s where ${what})`;

const AGAIN = "^Likely to die again: ";
const LIKELY = "^Likely to succeed: ";
const UNKNOWN = "^Not known: ";

/** How long it took, as the page says it: "2.19 s", "2 min 10 s"; c[n] is that text. */
const TOOK = (n: number): string =>
  `abs(extract(epoch from x.done - x.began) - (select sum(u[1]::numeric * case u[2] when 'ms' then 0.001 when 's' then 1 when 'min' then 60 when 'h' then 3600 else 86400 end)
     from regexp_matches(c[${String(n)}], '([0-9.]+) (ms|s|min|h|d)', 'g') u)) < 1`;
/** The consumers that the sentence names are all that have it in this state. */
const AT = (state: string): string =>
  `(select array_agg(h.consumer order by h.consumer) from ${HELD} h where h.state = '${state}') = (select array_agg(n order by n) from unnest(string_to_array(c[1], ' and ')) n)`;
const REPLACED = `(${CORRECTED} is not null or exists (
  select from onceboard.outbox_messages r where r.tenant_id = $1 and r.headers ->> 'corrects' = $2::text
  union all select from onceboard.outbox_history r where r.tenant_id = $1 and r.headers ->> 'corrects' = $2::text))`;

/** What the verdict on a message's own page says beside the hints. */
export const VERDICT_ORACLE: readonly (readonly [sentence: string, sql: string])[] = [
  [
    String.raw`^Published (.+) after it was written, at (?:the first attempt|attempt (\d+))\.$`,
    `x.state = 'published' and x.by is distinct from 'operator' and greatest(x.attempts, 1) = coalesce(c[2]::int, 1) and ${TOOK(1)}`,
  ],
  [String.raw`^Handled, (.+) after it arrived\.$`, `x.state = 'processed' and ${TOOK(1)}`],
  [
    String.raw`^Closed by a person: its consumer had it already\.$`,
    `x.state = 'published' and x.by = 'operator' and exists (select from ${HELD} h)`,
  ],
  [String.raw`^It is dead at (.+)\.$`, `x.state = 'published' and ${AT("dead")}`],
  [String.raw`^(\w+(?: and \w+)*) did not handle it yet\.$`, `x.state = 'published' and ${AT("recorded")}`],
  [String.raw`^It was discarded at (.+)\.$`, `x.state = 'published' and ${AT("discarded")}`],
  [
    String.raw`^Handled by (.+)\.$`,
    `x.state = 'published' and ${AT("processed")} and not exists (select from ${HELD} h where h.state <> 'processed')`,
  ],
  [String.raw`^(?:Corrected by a person|Another message took its place)\.$`, `x.state = 'discarded' and ${REPLACED}`],
  [String.raw`^Discarded by a person\.$`, `x.state = 'discarded' and not ${REPLACED}`],
  [
    String.raw`^It is no longer (sent|handled)\.$`,
    `x.state = 'discarded' and $3 = case c[1] when 'sent' then 'outbox' else 'inbox' end and not ${REPLACED}`,
  ],
  [
    String.raw`^Dead (?:at the first attempt|after (\d+) attempts)\.$`,
    "x.state = 'dead' and greatest(x.attempts, 1) = coalesce(c[1]::int, 1)",
  ],
  [String.raw`^Under way, (?:its first attempt|attempt (\d+))\.$`, "x.leased and x.attempts = coalesce(c[1]::int, 1)"],
  ["^(?:Waits: its topic is paused|Nothing is lost)\\.$", `x.state = 'pending' and ${PAUSED}`],
  ["^Waits behind an older message\\.$", `x.state = 'pending' and ${HEAD} is not null and not ${PAUSED}`],
  ["^Not published yet\\.$", "x.state = 'pending' and x.attempts = 0"],
  ["^Recorded, not handled yet\\.$", "x.state = 'recorded' and x.attempts = 0"],
  [
    String.raw`^Tried (?:once|(\d+) times), not (published|handled) yet\.$`,
    `not x.leased and x.attempts = coalesce(c[1]::int, 1) and x.state = case c[2] when 'handled' then 'recorded' else 'pending' end`,
  ],
  [
    String.raw`^Arrived (?:once|(twice)|(\d+) times)(?:, recorded once)?\.$`,
    "1 + x.duplicates + x.mismatches = case when c[1] is null then coalesce(c[2]::int, 1) else 2 end",
  ],
  [String.raw`^(\d+) with another payload, never handled\.$`, "x.mismatches = c[1]::int"],
];

export const MESSAGE_ORACLE: readonly (readonly [sentence: string, sql: string])[] = [
  ...REQUEUE_ORACLE,
  // Would it get through?
  [`${AGAIN}its endpoint was deleted\\.$`, `$4 like 'webhook:%' and not exists (select from ${ENDPOINT} e)`],
  [
    String.raw`${AGAIN}the cause is in the message \(${CODE}\), and the message stays the same\.$`,
    "d.error_code = c[1] and c[1] in ('webhook.malformed', 'ledger.malformed_event', 'delivery.payload_mismatch')",
  ],
  [
    `${AGAIN}no worker has run its consumer since it died\\.$`,
    `d.error_code = 'inbox.no_consumer' and ${never("s.at > d.dead_at")}`,
  ],
  ["^Will wait: its endpoint is disabled\\.$", DISABLED],
  ["^Will wait: its topic is paused\\.$", PAUSED],
  [
    `${AGAIN}the newest attempt there failed the same way on ${T}, and none worked since\\.$`,
    `exists (select from ${ATTEMPTS} a where a.message_row_id <> $2 and a.error_code = d.error_code and a.ended_at > now() - interval '15 minutes'
       and ${TEXT("a.ended_at")} = c[1] and ${never("s.at > a.ended_at")}
       and not exists (select from ${ATTEMPTS} b where b.message_row_id <> $2 and b.ended_at > a.ended_at))`,
  ],
  [
    `${AGAIN}it was requeued before and died of the same error\\.$`,
    "exists (select from onceboard.dead_letters e where e.tenant_id = $1 and e.message_row_id = $2 and e.settlement = 'requeued' and e.error_fingerprint = d.error_fingerprint)",
  ],
  [
    `${UNKNOWN}other messages got through while it failed, so the cause may be in the message\\.$`,
    `exists (select from ${SUCCESSES} s where s.at < d.dead_at and s.at > (select min(a.ended_at) from ${ATTEMPTS} a where a.message_row_id = $2))`,
  ],
  [
    `${UNKNOWN}${CODE} is about this message, and nothing shows that its cause is gone\\.$`,
    "d.error_code = c[1] and c[1] in ('webhook.http_422', 'mail.no_address', 'inbox.poisonous')",
  ],
  [
    `${LIKELY}another message was (?:delivered|handled) there on ${T}, after it died\\.$`,
    `exists (select from ${SUCCESSES} s where s.at > d.dead_at and ${TEXT("s.at")} = c[1]
       and not exists (select from ${ATTEMPTS} a where a.ended_at > s.at))`,
  ],
  [
    String.raw`${UNKNOWN}other messages got through since it died, but the newest attempt there failed \(${CODE}\)\.$`,
    `exists (select from ${SUCCESSES} s where s.at > d.dead_at)
       and (select a.error_code from ${ATTEMPTS} a order by a.ended_at desc limit 1) = c[1]
       and ${never(`s.at > (select max(a.ended_at) from ${ATTEMPTS} a)`)}`,
  ],
  [
    `${LIKELY}(?:its endpoint was enabled|the route of its topic was changed) on ${T}, after it died\\.$`,
    `exists (select from onceboard.audit_entries e where e.tenant_id = $1 and e.subject_id = replace($4, 'webhook:', '') and e.at > d.dead_at and ${TEXT("e.at")} = c[1]
       and not exists (select from ${ATTEMPTS} a where a.ended_at > e.at))`,
  ],
  [
    String.raw`${UNKNOWN}no attempt there has worked since it died; the newest failed on ${T} \(${CODE}\)\.$`,
    `${never("s.at > d.dead_at")} and exists (select from (select * from ${ATTEMPTS} a order by a.ended_at desc limit 1) a
       where a.ended_at > d.dead_at and ${TEXT("a.ended_at")} = c[1] and a.error_code = c[2])`,
  ],
  [
    `${UNKNOWN}nothing was tried there since it died\\.$`,
    `${never("s.at > d.dead_at")} and not exists (select from ${ATTEMPTS} a where a.ended_at > d.dead_at)`,
  ],
];

/** $1 tenant, $2 message, $3 side, $4 place, $5 what the sentence captured. */
export function oracleQuery(sql: string): string {
  return `select coalesce((${sql}), false) as holds
from (
  select m.state, coalesce(m.locked_until > now(), false) as leased, m.locked_until, m.operation_id, m.last_error_code, 0 as unfinished,
    m.attempts_started as attempts, m.created_at as began, null::timestamptz as done, null::text as by, 0 as duplicates, 0 as mismatches
  from onceboard.outbox_messages m where m.tenant_id = $1 and m.id = $2::uuid
  union all
  select 'published', false, null, h.operation_id, null, 0, h.attempts_started, h.created_at, h.published_at, h.published_by, 0, 0
  from onceboard.outbox_history h where h.tenant_id = $1 and h.id = $2::uuid
  union all
  select i.state, coalesce(o.locked_until > now(), false), o.locked_until, i.operation_id, i.last_error_code,
    coalesce(o.attempts_started - case when o.locked_until > now() then 1 else 0 end - o.attempts_finished, i.attempts_started - i.attempts_finished),
    coalesce(o.attempts_started, i.attempts_started), i.received_at, i.processed_at, null, i.duplicates, i.mismatches
  from onceboard.inbox_messages i
  left join onceboard.inbox_open o on o.tenant_id = i.tenant_id and o.id = i.id where i.tenant_id = $1 and i.id = $2::uuid) x
left join (
  select e.* from onceboard.dead_letters e where e.tenant_id = $1 and e.message_row_id = $2::uuid and e.settled_at is null) d on true
cross join (select $5::text[] as c, $3::text as side, $4::text as place) p`
    .replaceAll("$2::text", "($2::uuid)::text")
    .replaceAll(/\$2(?!:)/g, "$2::uuid");
}

const LEDGER = "('payment.succeeded', 'refund.succeeded', 'payment.voided')";
const OURS = (topic: string): string =>
  `(${topic} not like 'webhook:%' and ${topic} <> 'mail' and not exists (select from onceboard.topics t where t.tenant_id = $1 and t.topic = ${topic} and t.destination is not null))`;
const WITH_LEDGER = (id: string): string =>
  `exists (select from onceboard.inbox_messages i where i.tenant_id = $1 and i.consumer = 'ledger' and i.message_id = ${id}::text)`;
const FOR_LEDGER = `(
  select m.created_at as at from onceboard.outbox_messages m
  where m.tenant_id = $1 and m.state = 'pending' and m.type in ${LEDGER} and ${OURS("m.topic")} and not ${WITH_LEDGER("m.id")}
  union all
  select i.received_at from onceboard.inbox_messages i
  where i.tenant_id = $1 and i.consumer = 'ledger' and i.state = 'recorded' and i.type in ${LEDGER})`;
const WAITING = `(
  select m.topic as place, m.created_at as at from onceboard.outbox_messages m where m.tenant_id = $1 and m.state = 'pending'
  union all
  select i.consumer, i.received_at from onceboard.inbox_messages i where i.tenant_id = $1 and i.state = 'recorded')`;
const LATE_PLACES = `(select w.place, count(*) as waiting, min(w.at) as oldest from ${WAITING} w group by w.place having min(w.at) < now() - interval '1 minute')`;
/** "7 minutes", as the page rounds it down; c[n] is the count and c[n + 1] the unit. */
const AGED = (since: string, n: number): string =>
  `abs(extract(epoch from now() - ${since}) - c[${String(n)}]::int * case c[${String(n + 1)}] when 'second' then 1 when 'minute' then 60 else 3600 end) < case c[${String(n + 1)}] when 'second' then 20 when 'minute' then 80 else 3660 end`;
const OLD = String.raw`(\d+) (second|minute|hour)s? old\.$`;

/** The same for the sentences of the overview and of the dead letters about all messages. $1 tenant, $2 what the sentence captured. */
export const TENANT_ORACLE: readonly (readonly [sentence: string, sql: string])[] = [
  [
    String.raw`^(Topic|Consumer|Webhook)(?: to)? (\S+?)(?: is (paused|disabled))?: ([\d,]+) messages? waits?, (?:the oldest is )?${OLD}`,
    `exists (select from ${LATE_PLACES} l
       left join onceboard.webhook_endpoints e on e.tenant_id = $1 and l.place = 'webhook:' || e.id::text
       left join onceboard.topics t on t.tenant_id = $1 and t.topic = l.place
       where l.waiting = c[4]::int and ${AGED("l.oldest", 5)}
         and case c[3] when 'paused' then t.paused_at is not null when 'disabled' then e.disabled_at is not null else true end
         and case c[1] when 'Webhook' then l.place like 'webhook:%' else l.place = c[2] end)`,
  ],
  [
    String.raw`^Messages wait too long in (\d+) topics and consumers, longest in .+: the oldest is ${OLD}`,
    `(select count(*) from ${LATE_PLACES} l) = c[1]::int and ${AGED(`(select min(l.oldest) from ${LATE_PLACES} l)`, 2)}`,
  ],
  [
    String.raw`^The ledger is behind: (\d+) events? for it waits?, (?:the oldest is )?${OLD}`,
    `(select count(*) from ${FOR_LEDGER} f) = c[1]::int and ${AGED(`(select min(f.at) from ${FOR_LEDGER} f)`, 2)}
       and (select min(f.at) from ${FOR_LEDGER} f) < now() - interval '1 minute'`,
  ],
  [
    String.raw`^The ledger lacks (\d+) events?: (?:it is|they are) dead until a requeue\.$`,
    `(select count(*) from onceboard.dead_letters d where d.tenant_id = $1 and d.settled_at is null and d.type in ${LEDGER}
       and (d.side = 'inbox' and d.place = 'ledger' or d.side = 'outbox' and ${OURS("d.place")} and not ${WITH_LEDGER("d.message_row_id")})) = c[1]::int`,
  ],
  [
    String.raw`^(\d+) messages? (?:is|are) dead\.$`,
    "(select count(*) from onceboard.dead_letters d where d.tenant_id = $1 and d.settled_at is null) = c[1]::int",
  ],
  [
    String.raw`^(?:Dead messages are kept until someone requeues them)\.$`,
    `(select count(*) from onceboard.dead_letters d where d.tenant_id = $1 and d.settled_at is null) = (
       select count(*) from (select id from onceboard.outbox_messages where tenant_id = $1 and state = 'dead'
         union all select id from onceboard.inbox_messages where tenant_id = $1 and state = 'dead') m
       where exists (select from onceboard.dead_letters d where d.message_row_id = m.id and d.settled_at is null))`,
  ],
  [
    String.raw`^No message is dead\.$`,
    "not exists (select from onceboard.dead_letters d where d.tenant_id = $1 and d.settled_at is null)",
  ],
  [
    String.raw`^Nothing is unknown and no lease is stale\.$`,
    "not exists (select from onceboard.idempotency_open o where o.tenant_id = $1)",
  ],
  [String.raw`^No worker runs\.$`, "not exists (select from onceboard.worker_heartbeats)"],
  [
    "^Whether something was sent twice was not checked yet\\.$",
    "not exists (select from onceboard.invariant_checks k where k.tenant_id = $1 and k.name = 'one_execution_per_key')",
  ],
];

export function tenantOracleQuery(sql: string): string {
  return `select coalesce((${sql}), false) as holds from (select $2::text[] as c, $1::text as tenant) p`;
}
