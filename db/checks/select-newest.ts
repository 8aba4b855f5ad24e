import type { Queryable } from "@/db/client";
import type { AnswerFacts, EffectFacts, KeyFacts, RetryFacts } from "@/domain/checks/checklist-facts";
import { isConsoleAction, iso, objects } from "../sql-text";

/** Hours back that the checklist looks; what went wrong earlier was shown then. */
export const CHECKLIST_HOURS = 24;
/** Rows of each kind that it looks at, the newest ones; beyond it a line says "of the newest". */
export const CHECKLIST_ROWS = 5_000;
/** Things that are named behind a line. */
const SAMPLES = 3;
/** Clients that are told of, the worst first. */
const CLIENTS = 5;
/** Bytes of the shortest hash that is taken for one. */
const HASH_BYTES = 16;

const SINCE = `(now() - interval '${String(CHECKLIST_HOURS)} hours')`;
/** Ids begin with their time (UUIDv7): the primary key leads to the newest rows without an index on a time. */
const ID_SINCE = `(lpad(to_hex(floor(extract(epoch from ${SINCE}) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid`;

/** The newest answers to clients, found by the day of their partition. */
const answers = (columns: string, more = "true"): string => `select ${columns} from onceboard.idempotency_events e
  where e.tenant_id = $1 and e.day >= (${SINCE} at time zone 'utc')::date and e.id >= ${ID_SINCE} and e.at >= ${SINCE} and e.outcome is not null
    and not (${isConsoleAction("e.operation")}) and ${more}
  order by e.day desc, e.id desc limit $2`;

/** How many there are and some of them. @param of a source with a column `id` */
const wrong = (of: string): string =>
  `(select jsonb_build_object('count', count(*), 'ids', coalesce(to_jsonb((array_agg(distinct w.id::text))[1:$3]), '[]')) from ${of} w)`;

async function one<Row>(q: Queryable, sql: string, values: readonly unknown[]): Promise<Row> {
  const [row] = await objects<Row>(q, sql, values);
  if (row === undefined) throw new Error("a count returned no row");
  return row;
}

/** Whether replays were the first answer, whether each conflict was refused, and whether each answer can be followed up. */
export function selectAnswerFacts(q: Queryable, tenantId: string): Promise<AnswerFacts> {
  const sql = `with sample as materialized (
  ${answers("e.operation_id as id, e.at, e.outcome, e.status, e.served_hash, e.request_id, e.attempt")}
), compared as (
  -- A replay by reference shows today's state on purpose; its policy says so elsewhere.
  select v.* from (
    select s.id, count(*) filter (where s.outcome = 'replayed') as replays, count(distinct (s.status, s.served_hash)) > 1 as differs
    from sample s where s.outcome in ('executed', 'replayed') and s.served_hash is not null group by s.id) v
  join onceboard.idempotency_requests r on r.tenant_id = $1 and r.operation_id = v.id and r.replay = 'stored' where v.replays > 0
), conflicts as (select s.id, s.status in (409, 422) as refused from sample s where s.outcome = 'conflict')
select (select count(*) from sample) as looked, (select ${iso("min(s.at)")} from sample s) as since, (select coalesce(sum(c.replays), 0) from compared c) as replays,
  (select count(*) from conflicts) as conflicts,
  ${wrong("(select c.id from compared c where c.differs)")} as differing,
  ${wrong("(select s.id from sample s where s.request_id is null or (s.attempt is null and s.outcome in ('executed', 'failed', 'unknown')))")} as untraceable,
  ${wrong("(select c.id from conflicts c where c.refused is not true)")} as accepted`;
  return one(q, sql, [tenantId, CHECKLIST_ROWS, SAMPLES]);
}

/** Whether each key has a hash that tells two commands apart, and each effect a key. */
export async function selectKeyFacts(q: Queryable, tenantId: string): Promise<KeyFacts> {
  const values = [tenantId, CHECKLIST_ROWS, SAMPLES];
  const keys = `with sample as materialized (
  select r.operation_id as id, octet_length(r.fingerprint) as size from onceboard.idempotency_requests r
  where r.tenant_id = $1 and r.created_at >= ${SINCE} order by r.created_at desc, r.operation_id desc limit $2
)
select (select count(*) from sample) as keys, ${wrong(`(select s.id from sample s where s.size < ${String(HASH_BYTES)})`)} as unhashed`;
  // Of an effect without a key no operation is known: its own id is named.
  const effect = (kind: EffectFacts["kind"]): string => `select '${kind}' as kind, count(*) as looked,
  jsonb_build_object('count', count(*) filter (where not f.keyed),
    'ids', coalesce(to_jsonb((array_agg(f.id) filter (where not f.keyed))[1:$3]), '[]')) as unkeyed
from (select t.id, exists (select 1 from onceboard.idempotency_requests r where r.tenant_id = $1 and r.operation_id = t.operation_id) as keyed
  from onceboard.${kind}s t where t.tenant_id = $1 and t.id >= ${ID_SINCE} and t.created_at >= ${SINCE}
  order by t.id desc limit $2) f`;
  return {
    ...(await one<Omit<KeyFacts, "effects">>(q, keys, values)),
    effects: await objects(q, (["payment", "refund", "void"] as const).map(effect).join("\nunion all\n"), values),
  };
}

/** An answer is on its way for so long: what comes sooner was sent before anybody had read it. */
const ON_ITS_WAY = "interval '50 milliseconds'";

/**
 * How clients retried in the newest answers. Two requests at the same time are no retry: a retry is asked after the answer
 * before it was read. Another command under a used key is no retry either, it is a conflict of its own.
 */
export function selectRetryFacts(q: Queryable, tenantId: string): Promise<RetryFacts[]> {
  const columns = `e.operation_id, e.client, e.outcome, e.status, e.at, e.id, coalesce(e.latency_ms, 0) as latency_ms,
    e.detail ->> 'payloadHash' as hash`;
  const sql = `with sample as materialized (
  ${answers(columns, "e.client is not null")}
), pairs as (
  select s.client, s.outcome, s.at, s.hash, lag(s.hash) over w as hash_before, lag(s.outcome) over w as before, lag(s.status) over w as told,
    lag(s.at + s.latency_ms * interval '1 millisecond') over w as answered
  from sample s window w as (partition by s.operation_id, s.client order by s.at, s.id)
), retries as (
  select p.client, p.at >= p.answered + ${ON_ITS_WAY} as read,
    -- Both carry Retry-After; the 504 of a first request does not, and may be retried by the client's own schedule.
    p.before in ('in_progress', 'unknown') and p.told = 409 and p.at < p.answered + interval '1 second' as too_soon,
    p.before in ('conflict', 'expired_retry') and p.outcome = p.before and p.hash is not distinct from p.hash_before
      or p.before in ('executed', 'replayed') and p.told between 400 and 499 and p.outcome = 'replayed' as hopeless
  from pairs p where p.answered is not null and p.at >= p.answered
)
select r.client, count(*) as retries, count(*) filter (where r.read and r.too_soon) as "tooSoon",
  count(*) filter (where r.read and r.hopeless) as hopeless
from retries r group by r.client
order by count(*) filter (where r.read and (r.too_soon or r.hopeless)) desc, count(*) desc, r.client limit $3`;
  return objects(q, sql, [tenantId, CHECKLIST_ROWS, CLIENTS]);
}
