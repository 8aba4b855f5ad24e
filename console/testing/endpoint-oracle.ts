import { SAID_COUNT, isCount, type RowMeaning } from "./meanings";

/**
 * What is said on the page of merchants' endpoints, in SQL over endpoints, circuits, secrets, messages and attempts; never over roll-ups, which
 * the page reads. `e` is the endpoint $2, null where it is about all of them; `c` what the sentence captured.
 */
const ALL = "(select w.*, 'webhook:' || w.id::text as topic from onceboard.webhook_endpoints w where w.tenant_id = $1)";
const all = (where: string): string => `(select count(*) from ${ALL} w where ${where})`;
/** Messages in a state: of the endpoint, or of all that there are. */
const messages = (state: string): string =>
  `(select count(*) from onceboard.outbox_messages m join ${ALL} w on w.topic = m.topic where m.tenant_id = $1 and m.state = '${state}'
     and ($2::uuid is null or w.id = $2::uuid))`;
const CIRCUIT = `(select k.* from onceboard.topic_circuits k where k.tenant_id = $1 and k.topic = e.topic and k.opened_at is not null)`;
const circuit = (where: string): string => `exists (select from ${CIRCUIT} k where ${where})`;
const DOWN = `exists (select from onceboard.topic_circuits k where k.tenant_id = $1 and k.topic = w.topic and k.opened_at is not null)`;
const TESTED = "coalesce(k.canary_out and k.canary_at > now(), false)";
const SECRETS = `(select v.* from onceboard.webhook_secrets v where v.tenant_id = $1 and v.endpoint_id = e.id and (v.expires_at is null or v.expires_at > now()))`;
/** "in 7 min", as the page rounds it down; some seconds have passed since it was read. */
const IN = String.raw`(\d+) (s|min|h|d)`;
const isIn = (at: number, moment: string): string =>
  `${moment} - now() between make_interval(secs => c[${String(at)}]::int * u.size - 20) and make_interval(secs => (c[${String(at)}]::int + 1) * u.size)`;
const inUnits = (at: number, sql: string): string =>
  `exists (select from (select case c[${String(at + 1)}] when 's' then 1 when 'min' then 60 when 'h' then 3600 else 86400 end as size) u where ${sql})`;
const waiting = isCount("c[1]", messages("pending"));
const validOf =
  "(select count(*) from onceboard.event_sources s where s.tenant_id = $1 and s.source = $4 and (s.expires_at is null or s.expires_at > now()))";

/** How long relays remember an endpoint, and one delivery takes at the most: docs/WEBHOOKS.md. */
const STOP = "Deliveries stop within about 20 seconds";

export const ENDPOINT_ORACLE: readonly RowMeaning[] = [
  // What the page opens with.
  [String.raw`^No webhook endpoint\.$`, `${all("true")} = 0`],
  [`^${SAID_COUNT} webhook endpoints?\\.$`, isCount("c[1]", all("true"))],
  [`^${SAID_COUNT} disabled\\.$`, isCount("c[1]", all("w.disabled_at is not null"))],
  [`^${SAID_COUNT} down\\.$`, isCount("c[1]", all(`w.disabled_at is null and ${DOWN}`))],
  [String.raw`^Nothing waits\.$`, `${messages("pending")} = 0`],
  [`^${SAID_COUNT} messages? waits?\\.$`, waiting],
  [`^${SAID_COUNT} dead\\.$`, isCount("c[1]", messages("dead"))],
  // What a row says of one that is down.
  [
    `^${SAID_COUNT} deliver(?:y|ies) in a row failed, the last: (.+)\\.$`,
    circuit("k.failures = c[1]::int and k.last_error = c[2]"),
  ],
  [`^${SAID_COUNT} messages? waits? and spends? no attempt\\.$`, `${waiting} and ${messages("pending")} > 0`],
  [String.raw`^One is sent as a test now\.$`, circuit(TESTED)],
  [String.raw`^The next one is sent as a test\.$`, circuit(`not ${TESTED} and k.canary_at <= now()`)],
  [`^The next one is sent as a test in ${IN}\\.$`, inUnits(1, circuit(`not ${TESTED} and ${isIn(1, "k.canary_at")}`))],
  [
    `^2 secrets are valid; the older ends in ${IN}\\.$`,
    inUnits(
      1,
      `(select count(*) from ${SECRETS} v) = 2 and ${isIn(1, `(select v.expires_at from ${SECRETS} v order by v.created_at limit 1)`)}`,
    ),
  ],
  [
    `^(\\d+) secrets are valid; the older (\\d+) end within ${IN}\\.$`,
    inUnits(
      3,
      `(select count(*) from ${SECRETS} v) = c[1]::int and (select count(*) from ${SECRETS} v where v.expires_at is not null) = c[2]::int
         and ${isIn(3, `(select max(v.expires_at) from ${SECRETS} v)`)}`,
    ),
  ],
  // What the dialogs of one say.
  [`^Disable: ${STOP}\\. No message waits for it now\\.$`, `${messages("pending")} = 0`],
  [
    `^Disable: ${STOP}\\. ${SAID_COUNT} messages? waits? for it now; what is not sent by then waits until .+\\.$`,
    waiting,
  ],
  [String.raw`^Enable: The relay may send there again: events of its types .+\.$`, `${messages("pending")} = 0`],
  [`^Enable: The relay may send there again: ${SAID_COUNT} waiting messages?, and events of its types .+\\.$`, waiting],
  [`^Delete: ${STOP}\\.$`, `${messages("pending")} = 0`],
  [
    `^Delete: ${STOP}\\. ${SAID_COUNT} messages? waits? for it now; what is not sent by then becomes a dead letter .+\\.$`,
    waiting,
  ],
  [
    String.raw`^Test: The relay may send one waiting message there at its next turn, .+\.$`,
    `e.disabled_at is null and ${messages("pending")} > 0 and ${circuit(`not ${TESTED}`)}`,
  ],
  [String.raw`^No test: It is disabled\.$`, "e.disabled_at is not null"],
  [String.raw`^No test: It is not down\.$`, `e.disabled_at is null and not ${circuit("true")}`],
  [String.raw`^No test: A test is under way\.$`, `e.disabled_at is null and ${circuit(TESTED)}`],
  [String.raw`^No test: No message waits for it\.$`, `${messages("pending")} = 0 and ${circuit(`not ${TESTED}`)}`],
  [String.raw`^It is disabled\. Once it is enabled, events .+ all are\.$`, "e.disabled_at is not null"],
  [String.raw`^From now on events .+ all are\.$`, "e.disabled_at is null"],
  [String.raw`^A tenant has at most (\d+) endpoints\.$`, `${all("true")} = c[1]::int`],
  // Of the secret of a source of events; $4 is the source.
  [
    String.raw`^It is the last one of its own: within a minute only events signed with the secret of the deployment are accepted\.$`,
    `$4 = 'provider' and ${validOf} = 1`,
  ],
  [
    String.raw`^It is the last valid one: every signed event of this source is refused, .+\.$`,
    `$4 <> 'provider' and ${validOf} = 1`,
  ],
  [String.raw`^Events that are signed with it alone are refused, .+\.$`, `${validOf} > 1`],
];

/** $1 tenant, $2 endpoint or null, $3 what the sentence captured, $4 source or null. */
export const endpointQuery = (sql: string): string =>
  `select coalesce((${sql}), false) as holds from (select $3::text[] as c, $4::text, $1::text) p (c) left join ${ALL} e on e.id = $2::uuid`.replaceAll(
    /\$4(?!:)/g,
    "$4::text",
  );

/** What stands beside each endpoint, from the rows that engine and people wrote; $1 tenant. */
export const ENDPOINT_ROWS = `select e.id::text, (select count(*)::int from onceboard.outbox_messages m where m.tenant_id = $1 and m.topic = e.topic and m.state = 'pending') as waiting,
  (select count(*)::int from onceboard.outbox_messages m where m.tenant_id = $1 and m.topic = e.topic and m.state = 'dead') as dead,
  exists (select from onceboard.outbox_messages m where m.tenant_id = $1 and m.topic = e.topic and m.state = 'pending' and m.last_error is not null) as trouble,
  (select count(*)::int from onceboard.outbox_history h where h.tenant_id = $1 and h.topic = e.topic and h.published_at > now() - interval '1 day') as delivered,
  (select count(*)::int from onceboard.message_attempts a where a.tenant_id = $1 and a.place = e.topic and a.ended_at > now() - interval '1 day') as failed,
  (select to_char(max(h.published_at) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI') from onceboard.outbox_history h where h.tenant_id = $1 and h.topic = e.topic) as last,
  case when e.disabled_at is not null then (select a.actor_name || ': ' || a.reason from onceboard.audit_entries a where a.tenant_id = $1 and a.subject_id = e.id::text
    and a.action = 'webhook_endpoints.disable' and a.after ->> 'changed' = 'true' order by a.sequence desc limit 1) end as disabled,
  array(select v.secret_id::text from ${SECRETS} v order by v.created_at desc) as secrets
from ${ALL} e order by e.created_at, e.id`;
