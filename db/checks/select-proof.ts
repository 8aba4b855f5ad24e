import type { Queryable } from "@/db/client";
import { TABLES_BY_DAY, type TableByDay } from "@/db/partitions";
import { originalKey } from "@/domain/idempotency/idempotency-key";
import type {
  ProofEvent,
  ProofFacts,
  ProofMade,
  ProofOpen,
  ProofRequest,
  ProofRows,
} from "@/domain/checks/proof-facts";
import { iso, objects } from "../sql-text";

/** Rows of each kind that a proof reads at the most. */
const ROWS = {
  holders: 10,
  answers: 10,
  events: 1_000,
  lateEvents: 2_000,
  calls: 500,
  messages: 200,
  others: 50,
} as const;

/** What was read of one operation; the kept answers are still sealed. */
export interface ProofSnapshot extends Omit<ProofFacts, "answers" | "at"> {
  readonly at: string;
  readonly answers: readonly { readonly fence: number; readonly body: Buffer }[];
  /** First UTC day that each table by day still has, `YYYY-MM-DD`; undefined when it has none. */
  readonly oldestDay: (table: TableByDay) => string | undefined;
}

/**
 * The rows that a proof of one operation is about; run it in one snapshot.
 * @param source under which our own events arrive in the inbox
 * @returns undefined when the tenant has no such operation
 */
export async function selectProof(
  q: Queryable,
  tenantId: string,
  operationId: string,
  source: string,
): Promise<ProofSnapshot | undefined> {
  const key = await selectRequest(q, tenantId, operationId);
  if (key === undefined) return undefined;
  const { at, open, storedKey, bodyDay, ...row } = key;
  const request = { ...row, key: originalKey(storedKey, operationId) };
  const of = [tenantId, operationId] as const;
  const calls = await selectCalls(q, of);
  const made = await selectMade(q, of, request.account);
  const outbox = await selectOutbox(q, of, request.createdAt);
  const providerKeys = [...new Set([...calls.rows, ...made.rows].flatMap((each) => each.providerKey ?? []))];
  const messageIds = outbox.rows.map(({ id }) => id);
  const sources = made.rows.filter(({ table }) => table !== "accounts").map(({ id }) => id);
  return {
    at,
    request,
    open,
    holders: await selectHolders(q, tenantId, request.operation, storedKey),
    events: await selectEvents(q, of, request.createdAt),
    answers: await selectAnswers(q, of, bodyDay),
    calls,
    made,
    outbox,
    inbox: await selectInbox(q, of, messageIds, providerKeys, source),
    ledger: await selectEntries(q, of, sources),
    notifications: await selectNotifications(q, of),
    oldestDay: await selectOldestDays(q),
  };
}

type Of = readonly [tenantId: string, operationId: string];

/** @returns at most `limit` rows, and whether there are more */
async function upTo<Row>(
  q: Queryable,
  limit: number,
  sql: string,
  values: readonly unknown[],
): Promise<ProofRows<Row>> {
  const found = await objects<Row>(q, `${sql} limit ${String(limit + 1)}`, values);
  return found.length > limit ? { rows: found.slice(0, limit), gap: { kind: "cut", limit } } : { rows: found };
}

/** Minor units leave the database as text: no float, and no bigint that JSON does not know. */
const money = (alias: string): string =>
  `case when ${alias}.amount_minor is not null and ${alias}.currency is not null
    then jsonb_build_object('minor', ${alias}.amount_minor::text, 'currency', ${alias}.currency) end as money`;

const dayOf = (time: string): string => `(${time}::timestamptz at time zone 'utc')::date`;

interface KeyRow extends Omit<ProofRequest, "key"> {
  readonly at: string;
  /** With the mark of a key whose window is over. */
  readonly storedKey: string;
  readonly bodyDay: string;
  readonly open?: ProofOpen | undefined;
}

/** The key row with its open row, if it has one. */
async function selectRequest(q: Queryable, ...of: Of): Promise<KeyRow | undefined> {
  const sql = `select r.operation_id as "operationId", r.operation, r.key as "storedKey", coalesce(c.name, r.principal) as client, r.state, r.fence,
  r.response_status as "responseStatus", r.error_code as "errorCode", r.resource_type as "resourceType", r.resource_id as "resourceId",
  r.replay, r.account_id as account, r.reference, ${money("r")}, ${iso("r.created_at")} as "createdAt",
  ${iso("r.completed_at")} as "completedAt", ${iso("r.expires_at")} as "expiresAt", r.body_day as "bodyDay",
  ${iso("r.body_purged_at")} as "bodyPurgedAt", ${iso("now()")} as at,
  case when o.stage is not null then jsonb_build_object('stage', o.stage, 'lockedUntil', ${iso("o.locked_until")},
    'unknownSince', ${iso("o.unknown_since")}, 'providerKey', o.provider_key) end as open
from onceboard.idempotency_requests r
left join onceboard.idempotency_open o on o.tenant_id = r.tenant_id and o.operation_id = r.operation_id
left join onceboard.api_clients c on c.tenant_id = r.tenant_id and c.id = r.principal
where r.tenant_id = $1 and r.operation_id = $2`;
  const [row] = await objects<KeyRow>(q, sql, of);
  return row;
}

async function selectHolders(q: Queryable, tenantId: string, operation: string, key: string): Promise<string[]> {
  const rows = await objects<{ id: string }>(
    q,
    `select r.operation_id as id from onceboard.idempotency_requests r
where r.tenant_id = $1 and r.operation = $2 and r.key = $3 order by r.operation_id limit ${String(ROWS.holders)}`,
    [tenantId, operation, key],
  );
  return rows.map(({ id }) => id);
}

async function selectAnswers(q: Queryable, of: Of, bodyDay: string): Promise<ProofSnapshot["answers"]> {
  const { rows } = await q.query<ProofSnapshot["answers"][number]>({
    text: `select b.fence, b.body from onceboard.idempotency_bodies b
where b.tenant_id = $1 and b.day >= $3::date and b.operation_id = $2 and b.kind = 'response' order by b.day limit ${String(ROWS.answers)}`,
    values: [...of, bodyDay],
  });
  return rows;
}

/**
 * The first events in order; of a key that was retried more often also what is no answer among the newest, so that a late
 * owner or a person's decision is not overlooked.
 */
async function selectEvents(q: Queryable, of: Of, since: string): Promise<ProofFacts["events"]> {
  const fields = `e.id, ${iso("e.at")} as at, e.type, e.outcome, e.request_id as "requestId", e.fence,
  encode(e.served_hash, 'hex') as "servedHash", e.detail ->> 'to' as "to", e.actor,
  case when e.type = 'resolved' then e.detail -> 'evidence' end as evidence`;
  const from = `from onceboard.idempotency_events e
where e.tenant_id = $1 and e.operation_id = $2 and e.day >= ${dayOf("$3")}`;
  const values = [...of, since];
  const first = await upTo<ProofEvent>(q, ROWS.events, `select ${fields} ${from} order by e.at, e.id`, values);
  if (first.gap === undefined) return first;
  const newest = `select ${fields} from (select e.* ${from} order by e.at desc limit ${String(ROWS.lateEvents)}) e
where e.outcome is null order by e.at, e.id`;
  const known = new Set(first.rows.map(({ id }) => id));
  const late = (await objects<ProofEvent>(q, newest, values)).filter(({ id }) => !known.has(id));
  return { ...first, rows: [...first.rows, ...late] };
}

function selectCalls(q: Queryable, of: Of): Promise<ProofFacts["calls"]> {
  const sql = `select p.id, p.kind, p.provider_key as "providerKey", p.state, p.outcome, p.provider_reference as reference, ${money("p")}
from onceboard.provider_requests p where p.tenant_id = $1 and p.operation_id = $2 order by p.prepared_at, p.id`;
  return upTo(q, ROWS.calls, sql, of);
}

/** The business rows that carry the operation's id; an account is found by its own id, which the command names. */
function selectMade(q: Queryable, of: Of, accountId: string | undefined): Promise<ProofRows<ProofMade>> {
  const one = (table: ProofMade["table"], account: string, reference: string, amount: string): string =>
    `select '${table}' as "table", t.id::text, t.status, ${account} as account, ${reference} as reference, ${amount},
    t.provider_key as "providerKey", t.provider_reference as "providerReference"
  from onceboard.${table} t where t.tenant_id = $1 and t.operation_id = $2`;
  const sql = `select * from (
  ${one("payments", "t.account_id", "t.merchant_reference", money("t"))}
  union all ${one("refunds", "null", "t.payment_id::text", money("t"))}
  union all ${one("voids", "null", "t.payment_id::text", "null::jsonb")}
  union all select 'accounts', a.id, null, a.id, null, null, null, null
  from onceboard.accounts a where a.tenant_id = $1 and a.id = $3 and a.operation_id = $2) made
order by made."table", made.id`;
  return upTo(q, ROWS.others, sql, [...of, accountId ?? null]);
}

/** Its events wherever they lie, in order; what carries a notification of it is no event. */
function selectOutbox(q: Queryable, of: Of, since: string): Promise<ProofFacts["outbox"]> {
  const sql = `select a.id, a.type, a.state, a.attempts,
  case when t.destination is not null then 'elsewhere' when a.transport in ('nats', 'rabbitmq') then 'broker' else 'inbox' end as "to" from (
  select m.id, m.type, m.state, m.attempts_started as attempts, m.position, m.topic, null as transport
  from onceboard.outbox_messages m where m.tenant_id = $1 and m.operation_id = $2 and not m.headers ? 'notification'
  union all
  select h.id, h.type, 'published', h.attempts_started, h.position, h.topic, h.transport from onceboard.outbox_history h
  where h.tenant_id = $1 and h.operation_id = $2 and not h.headers ? 'notification' and h.day >= ${dayOf("$3")}) a
left join onceboard.topics t on t.tenant_id = $1 and t.topic = a.topic
order by a.position`;
  return upTo(q, ROWS.messages, sql, [...of, since]);
}

/**
 * Inbox rows about the operation, and those that hold one of its events under whatever operation. Nothing of a payload leaves the
 * database but the provider's one word about an object that carries one of these provider keys.
 */
function selectInbox(
  q: Queryable,
  of: Of,
  messageIds: readonly string[],
  providerKeys: readonly string[],
  source: string,
): Promise<ProofFacts["inbox"]> {
  const columns = `i.id, i.consumer, i.source, i.message_id, i.state,
  coalesce((select o.attempts_started from onceboard.inbox_open o where o.tenant_id = $1 and o.id = i.id), i.attempts_started) as attempts, i.duplicates, i.mismatches, i.received_at,
  case when i.payload -> 'data' ->> 'providerKey' = any($4::text[]) then i.payload -> 'data' ->> 'status' end as status,
  case when i.payload -> 'data' ->> 'providerKey' = any($4::text[]) then i.payload -> 'data' ->> 'providerKey' end as provider_key`;
  const sql = `select a.id, a.consumer, a.source = $5 as own, a.message_id as "messageId", a.state, a.attempts, a.duplicates, a.mismatches,
  case when a.status = 'succeeded' then 'succeeded' when a.status in ('declined', 'failed') then 'failed'
    when a.status in ('processing', 'pending') then 'processing' end as says, a.provider_key as "providerKey" from (
  select ${columns} from onceboard.inbox_messages i where i.tenant_id = $1 and i.operation_id = $2
  union
  select ${columns} from onceboard.inbox_messages i where i.tenant_id = $1 and i.message_id = any($3::text[])) a
order by a.received_at, a.id`;
  return upTo(q, ROWS.messages, sql, [...of, messageIds, providerKeys, source]);
}

/** Ledger entries of the operation, and those that name a row it made under whatever operation. */
function selectEntries(q: Queryable, of: Of, sourceIds: readonly string[]): Promise<ProofFacts["ledger"]> {
  const columns = `l.id, l.entry_type as "entryType", l.source_id as "sourceId", l.operation_id as "operationId",
  l.debit_account as "debitAccount", l.credit_account as "creditAccount", ${money("l")}`;
  const sql = `select * from (
  select ${columns} from onceboard.ledger_entries l where l.tenant_id = $1 and l.operation_id = $2
  union select ${columns} from onceboard.ledger_entries l
  where l.tenant_id = $1 and l.entry_type = any(array['payment', 'refund', 'void']) and l.source_id = any($3::uuid[])) entry
order by entry.id`;
  return upTo(q, ROWS.others, sql, [...of, sourceIds]);
}

function selectNotifications(q: Queryable, of: Of): Promise<ProofFacts["notifications"]> {
  const sql = `select n.id, n.notification_key as key, n.kind, n.state from onceboard.notifications n
where n.tenant_id = $1 and n.operation_id = $2 and n.kind <> 'webhook' order by n.created_at, n.id`;
  return upTo(q, ROWS.others, sql, of);
}

/** What is older than the oldest day was dropped by retention, or never was. */
async function selectOldestDays(q: Queryable): Promise<ProofSnapshot["oldestDay"]> {
  const rows = await objects<{ table: TableByDay; day?: string }>(
    q,
    `select t.name as "table",
  (select min(substring(pg_get_expr(c.relpartbound, c.oid) from $re$FROM \\('(\\d{4}-\\d\\d-\\d\\d)'\\)$re$))
   from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass('onceboard.' || t.name)) as day
from unnest($1::text[]) as t(name)`,
    [TABLES_BY_DAY],
  );
  const days = new Map(rows.map(({ table, day }) => [table, day]));
  return (table) => days.get(table);
}
