import { and, desc, eq, gte, isNotNull, not, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { builder, dayOf, isConsole, rowsOf, type Select, timeText } from "@/db/query";
import { idempotencyEvents, idempotencyRequests } from "@/db/schema";
import type { AnswerFacts, EffectFacts, KeyFacts, RetryFacts, WrongRows } from "@/domain/checks/checklist-facts";

const e = alias(idempotencyEvents, "e");
const r = alias(idempotencyRequests, "r");

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

const SINCE = sql`(now() - ${sql.raw(`interval '${String(CHECKLIST_HOURS)} hours'`)})`;
/** Ids begin with their time (UUIDv7): the primary key leads to the newest rows without an index on a time. */
const ID_SINCE = sql`(lpad(to_hex(floor(extract(epoch from ${SINCE}) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid`;

/** The newest answers to clients, found by the day of their partition. */
function newestAnswers(tenantId: string, more?: SQL) {
  return builder
    .select({
      ...{ id: e.id, operationId: e.operationId, client: e.client, at: e.at, outcome: e.outcome, status: e.status },
      ...{ servedHash: e.servedHash, requestId: e.requestId, attempt: e.attempt, latencyMs: e.latencyMs },
      hash: sql`${e.detail} ->> 'payloadHash'`.as("hash"),
    })
    .from(e)
    .where(
      and(
        eq(e.tenantId, tenantId),
        gte(e.day, dayOf(SINCE)),
        gte(e.id, ID_SINCE),
        gte(e.at, SINCE),
        isNotNull(e.outcome),
        not(isConsole(e.operation)),
        more,
      ),
    )
    .orderBy(desc(e.day), desc(e.id))
    .limit(CHECKLIST_ROWS);
}

/** How many there are and some of them. @param of a source with a column `id` */
const wrong = (of: SQL): SQL<WrongRows> =>
  sql`(select jsonb_build_object('count', count(*), 'ids', coalesce(to_jsonb((array_agg(distinct w.id::text))[1:${SAMPLES}::int]), '[]')) from (${of}) w)`;

async function one<Row>(q: Queryable, query: Select<Row> | SQL<Row>) {
  const [row] = await rowsOf(q, query);
  if (row === undefined) throw new Error("a count returned no row");
  return row;
}

/**
 * Whether replays were the first answer, whether each conflict was refused, and whether each answer can be followed up.
 * One sample is counted in several ways: its steps have names of their own, so they are text.
 */
export function selectAnswerFacts(q: Queryable, tenantId: string): Promise<AnswerFacts> {
  return one(
    q,
    sql<AnswerFacts>`with sample as materialized ${newestAnswers(tenantId)}, compared as (
  -- A replay by reference shows today's state on purpose; its policy says so elsewhere.
  select v.* from (
    select s.operation_id as id, count(*) filter (where s.outcome = 'replayed') as replays, count(distinct (s.status, s.served_hash)) > 1 as differs
    from sample s where s.outcome in ('executed', 'replayed') and s.served_hash is not null group by s.operation_id) v
  join ${idempotencyRequests} r on ${r.tenantId} = ${tenantId} and ${r.operationId} = v.id and ${r.replay} = 'stored' where v.replays > 0
), conflicts as (select s.operation_id as id, s.status in (409, 422) as refused from sample s where s.outcome = 'conflict')
select (select count(*)::int from sample) as looked, (select ${timeText(sql`min(s.at)`)} from sample s) as since, (select coalesce(sum(c.replays), 0)::int from compared c) as replays,
  (select count(*)::int from conflicts) as conflicts,
  ${wrong(sql`select c.id from compared c where c.differs`)} as differing,
  ${wrong(sql`select s.operation_id as id from sample s where s.request_id is null or (s.attempt is null and s.outcome in ('executed', 'failed', 'unknown'))`)} as untraceable,
  ${wrong(sql`select c.id from conflicts c where c.refused is not true`)} as accepted`,
  );
}

/** Whether each key has a hash that tells two commands apart, and each effect a key. */
export async function selectKeyFacts(q: Queryable, tenantId: string): Promise<KeyFacts> {
  const sample = builder
    .select({ id: r.operationId, size: sql`octet_length(${r.fingerprint})`.as("size") })
    .from(r)
    .where(and(eq(r.tenantId, tenantId), gte(r.createdAt, SINCE)))
    .orderBy(desc(r.createdAt), desc(r.operationId))
    .limit(CHECKLIST_ROWS);
  const keys = sql<Omit<KeyFacts, "effects">>`with sample as materialized ${sample}
select (select count(*)::int from sample) as keys, ${wrong(sql`select s.operation_id as id from sample s where s.size < ${HASH_BYTES}`)} as unhashed`;
  return { ...(await one(q, keys)), effects: await selectKeyedEffects(q, tenantId) };
}

/**
 * The newest effects of each registered kind, of those whose ids begin with their time. Of an effect without a key no operation
 * is known: its own id is named.
 */
function selectKeyedEffects(q: Queryable, tenantId: string): Promise<EffectFacts[]> {
  return rowsOf(
    q,
    sql<EffectFacts>`select k.kind, count(f.id)::int as looked,
  jsonb_build_object('count', count(*) filter (where not f.keyed), 'ids', coalesce(to_jsonb((array_agg(f.id) filter (where not f.keyed))[1:${SAMPLES}::int]), '[]')) as unkeyed
from (select distinct k.expects -> 'effect' ->> 'kind' as kind from onceboard.operation_kinds k where k.expects ? 'effect') k
left join lateral (
  select e.id, exists (select from onceboard.idempotency_requests r where r.tenant_id = ${tenantId} and r.operation_id = e.operation_id) as keyed
  from onceboard.effects e
  where e.tenant_id = ${tenantId} and e.kind = k.kind and e.id_as_uuid >= ${ID_SINCE} and e.created_at >= ${SINCE}
  order by e.id_as_uuid desc limit ${CHECKLIST_ROWS}) f on true
group by k.kind order by k.kind`,
  );
}

/** An answer is on its way for so long: what comes sooner was sent before anybody had read it. */
const ON_ITS_WAY = sql`interval '50 milliseconds'`;

/**
 * How clients retried in the newest answers. Two requests at the same time are no retry: a retry is asked after the answer
 * before it was read. Another command under a used key is no retry either, it is a conflict of its own.
 * In text: drizzle has no windows, and each step reads the names of the one before.
 */
export function selectRetryFacts(q: Queryable, tenantId: string): Promise<RetryFacts[]> {
  return rowsOf(
    q,
    sql<RetryFacts>`with sample as materialized ${newestAnswers(tenantId, isNotNull(e.client))}, pairs as (
  select s.client, s.outcome, s.at, s.hash, lag(s.hash) over w as hash_before, lag(s.outcome) over w as before, lag(s.status) over w as told,
    lag(s.at + coalesce(s.latency_ms, 0) * interval '1 millisecond') over w as answered
  from sample s window w as (partition by s.operation_id, s.client order by s.at, s.id)
), retries as (
  select p.client, p.at >= p.answered + ${ON_ITS_WAY} as read,
    -- Both carry Retry-After; the 504 of a first request does not, and may be retried by the client's own schedule.
    p.before in ('in_progress', 'unknown') and p.told = 409 and p.at < p.answered + interval '1 second' as too_soon,
    p.before in ('conflict', 'expired_retry') and p.outcome = p.before and p.hash is not distinct from p.hash_before
      or p.before in ('executed', 'replayed') and p.told between 400 and 499 and p.outcome = 'replayed' as hopeless
  from pairs p where p.answered is not null and p.at >= p.answered
)
select r.client, count(*)::int as retries, count(*) filter (where r.read and r.too_soon)::int as too_soon,
  count(*) filter (where r.read and r.hopeless)::int as hopeless
from retries r group by r.client
order by count(*) filter (where r.read and (r.too_soon or r.hopeless)) desc, count(*) desc, r.client limit ${CLIENTS}`,
  );
}
