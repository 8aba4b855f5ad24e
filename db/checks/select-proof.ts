import { and, desc, eq, gte, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { c, ITS_CLIENT, ITS_OPEN, o, r } from "@/db/operations/select-operations";
import { TABLES_BY_DAY, type TableByDay } from "@/db/partitions";
import { anyOf, dayOf, NOW_TEXT, pick, rowsOf, select, textRows, timeText, unionOf } from "@/db/query";
import { ENTRY_KINDS } from "@/db/kinds/expected";
import { idempotencyBodies, idempotencyEvents, notifications, providerRequests } from "@/db/schema";
import { effects, entries } from "@/db/schema/evidence";
import { UUID } from "@/domain/uuid";
import { originalKey } from "@/domain/idempotency/idempotency-key";
import type { ProofFacts, ProofOpen } from "@/domain/checks/proof-facts";
import { selectProofInbox, selectProofOutbox } from "./proof-messages";
import { amountOf, amountOrNull, its, type ProvenOperation, upTo } from "./proof-rows";

const b = alias(idempotencyBodies, "b");
const e = alias(idempotencyEvents, "e");
const p = alias(providerRequests, "p");
const f = alias(effects, "f");
const l = alias(entries, "l");
const n = alias(notifications, "n");

/** Rows of each kind that a proof reads at the most. */
const ROWS = { holders: 10, answers: 10, events: 1_000, lateEvents: 2_000, calls: 500, others: 50 } as const;

/** What was read of one operation; the kept answers are still sealed. */
export interface ProofSnapshot extends Omit<ProofFacts, "about" | "answers" | "at"> {
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
  const of: ProvenOperation = { tenantId, operationId };
  const found = await selectRequest(q, of);
  if (found === undefined) return undefined;
  const { at, open, storedKey, bodyDay, ...row } = found;
  const key = originalKey(storedKey, operationId);
  const request = { ...row, key, ...(key !== storedKey && { setAside: true }) };
  const calls = await selectCalls(q, of);
  const made = await selectMade(q, of);
  const outbox = await selectProofOutbox(q, of, request.createdAt);
  const providerKeys = [...new Set([...calls.rows, ...made.rows].flatMap((each) => each.providerKey ?? []))];
  const messageIds = outbox.rows.map(({ id }) => id);
  const sources = made.rows.map(({ id }) => id);
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
    inbox: await selectProofInbox(q, of, messageIds, providerKeys, source),
    ledger: await selectEntries(q, of, sources),
    notifications: await selectNotifications(q, of),
    oldestDay: await selectOldestDays(q),
  };
}

const OPEN = sql<ProofOpen | null>`case when ${o.stage} is not null then jsonb_strip_nulls(jsonb_build_object('stage', ${o.stage},
    'lockedUntil', ${timeText(o.lockedUntil)}, 'unknownSince', ${timeText(o.unknownSince)}, 'providerKey', ${o.providerKey})) end`;

/** The key row with its open row, if it has one. */
async function selectRequest(q: Queryable, of: ProvenOperation) {
  const query = select({
    ...pick(r, "operationId", "operation", "state", "fence", "responseStatus", "errorCode", "resourceType"),
    ...pick(r, "resourceId", "replay", "reference", "createdAt", "completedAt", "expiresAt", "bodyDay", "bodyPurgedAt"),
    /** With the mark of a key whose window is over. */
    storedKey: r.key,
    client: sql<string>`coalesce(${c.name}, ${r.principal})`,
    account: r.accountId,
    money: amountOrNull(r),
    at: NOW_TEXT,
    open: OPEN,
  });
  const rows = await rowsOf(q, query.from(r).leftJoin(o, ITS_OPEN).leftJoin(c, ITS_CLIENT).where(its(r, of)));
  return rows.at(0);
}

async function selectHolders(q: Queryable, tenantId: string, operation: string, key: string): Promise<string[]> {
  const holds = and(eq(r.tenantId, tenantId), eq(r.operation, operation), eq(r.key, key));
  const query = select({ id: r.operationId }).from(r).where(holds).orderBy(r.operationId).limit(ROWS.holders);
  return (await rowsOf(q, query)).map(({ id }) => id);
}

async function selectAnswers(q: Queryable, of: ProvenOperation, bodyDay: string): Promise<ProofSnapshot["answers"]> {
  const query = select({ fence: b.fence, body: b.body })
    .from(b)
    .where(and(its(b, of), gte(b.day, bodyDay), eq(b.kind, "response")));
  return rowsOf(q, query.orderBy(b.day).limit(ROWS.answers));
}

/**
 * The first events in order; of a key that was retried more often also what is no answer among the newest, so that a late
 * owner or a person's decision is not overlooked.
 */
async function selectEvents(q: Queryable, of: ProvenOperation, since: string): Promise<ProofFacts["events"]> {
  const events = select({
    ...pick(e, "id", "at", "type", "outcome", "requestId", "fence", "actor"),
    servedHash: sql<string | null>`encode(${e.servedHash}, 'hex')`,
    to: sql<string | null>`${e.detail} ->> 'to'`,
    evidence: sql<readonly string[] | null>`case when ${e.type} = 'resolved' then ${e.detail} -> 'evidence' end`,
  })
    .from(e)
    .where(and(its(e, of), gte(e.day, dayOf(since))));
  const first = await upTo(q, ROWS.events, events, sql`${e.at}, ${e.id}`);
  if (first.gap === undefined) return first;
  const known = new Set(first.rows.map(({ id }) => id));
  const newest = await rowsOf(q, events.orderBy(desc(e.at), desc(e.id)).limit(ROWS.lateEvents));
  const late = newest.filter(({ id, outcome }) => outcome === undefined && !known.has(id));
  return { ...first, rows: [...first.rows, ...late.reverse()] };
}

function selectCalls(q: Queryable, of: ProvenOperation): Promise<ProofFacts["calls"]> {
  const query = select({
    ...pick(p, "id", "kind", "providerKey", "state", "outcome"),
    reference: p.providerReference,
    money: amountOrNull(p),
  });
  return upTo(q, ROWS.calls, query.from(p).where(its(p, of)), sql`${p.preparedAt}, ${p.id}`);
}

/** The business rows that carry the operation's id. */
function selectMade(q: Queryable, of: ProvenOperation): Promise<ProofFacts["made"]> {
  const query = select({
    ...pick(f, "kind", "id", "status", "account", "providerKey", "providerReference"),
    reference: sql<string | null>`coalesce(${f.reference}, ${f.belongsTo})`,
    money: amountOrNull(f),
  });
  return upTo(q, ROWS.others, query.from(f).where(its(f, of)), sql`kind, id`);
}

/** Ledger entries of the operation, and those that name a row it made under whatever operation. */
function selectEntries(q: Queryable, of: ProvenOperation, sourceIds: readonly string[]): Promise<ProofFacts["ledger"]> {
  const found = () =>
    select({
      entryType: l.kind,
      ...pick(l, "id", "sourceId", "operationId", "debitAccount", "creditAccount"),
      money: amountOf(l),
    }).from(l);
  const posted = sql`${eq(l.tenantId, of.tenantId)} and ${l.kind} = any(${ENTRY_KINDS})`;
  const uuids = sourceIds.filter((id) => UUID.test(id));
  const query = unionOf(
    found().where(its(l, of)),
    found().where(sql`${posted} and ${anyOf(l.sourceIdAsUuid, uuids)}`),
    found().where(sql`${posted} and ${anyOf(l.sourceIdAsText, sourceIds)}`),
  );
  return upTo(q, ROWS.others, query, sql`id`);
}

function selectNotifications(q: Queryable, of: ProvenOperation): Promise<ProofFacts["notifications"]> {
  const query = select({ ...pick(n, "id", "kind", "state"), key: n.notificationKey });
  const told = and(its(n, of), ne(n.kind, "webhook"));
  return upTo(q, ROWS.others, query.from(n).where(told), sql`${n.createdAt}, ${n.id}`);
}

/**
 * What is older than the oldest day was dropped by retention, or never was. As text: drizzle does not know the catalogue of partitions.
 */
async function selectOldestDays(q: Queryable): Promise<ProofSnapshot["oldestDay"]> {
  const rows = await textRows<{ table: TableByDay; day?: string }>(
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
