import { and, asc, eq, gt, inArray, isNotNull, isNull, or, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { afterCursor, horizonOf, inWindow, orderOf, type PageRequest, type PagePosition, type Sort } from "@/db/paging";
import { allColumns, builder, NOW_TEXT, pick, rowsOf, same, select, timeTextOrNull, type RowOf } from "@/db/query";
import { deadLetters, inboxArrivals, inboxMessages, inboxOpen } from "@/db/schema";
import type { InboxFilters } from "@/domain/lists/filters";
import { olderSeconds } from "@/domain/lists/window";

const m = alias(inboxMessages, "m");
const o = alias(inboxOpen, "o");
const d = alias(deadLetters, "d");

const FIELDS = {
  ...pick(m, "id", "consumer", "source", "messageId", "type", "operationId", "state", "receivedAt", "processedAt"),
  ...pick(m, "result", "duplicates", "mismatches"),
  ...pick(o, "owner", "lockedUntil"),
  /** Started. */
  attempts: sql<number>`coalesce(${o.attemptsStarted}, ${m.attemptsStarted})`,
  attemptsFinished: sql<number>`coalesce(${o.attemptsFinished}, ${m.attemptsFinished})`,
  nextAttemptAt: timeTextOrNull(o.nextAttemptAt),
  errorCode: m.lastErrorCode,
  error: m.lastError,
  /** Handled in a transaction of its own from now on. */
  alone: sql<boolean>`coalesce(${o.alone}, false)`,
  at: NOW_TEXT,
};
const ITS_OPEN = and(eq(o.tenantId, m.tenantId), eq(o.id, m.id));

export const INBOX_SORT: Sort = { value: m.receivedAt, type: "timestamptz", id: m.id, idType: "uuid" };
const OPEN_SORT: Sort = { ...INBOX_SORT, value: o.receivedAt, id: o.id };

export type InboxDbRow = RowOf<typeof selectInbox>;

/**
 * One page of the inbox, newest first, inside the time window, `page.look` rows at the most. What waits is shown whatever its age, from
 * the small table of what waits; what is dead or discarded is found by its dead letters.
 */
export async function selectInbox(q: Queryable, tenantId: string, filters: InboxFilters, page: PageRequest) {
  const order = orderOf(INBOX_SORT, page);
  const rows = builder
    .select(allColumns(m))
    .from(looked(tenantId, filters, page))
    .where(ofFilters(tenantId, filters))
    .orderBy(...order)
    .limit(page.limit + 1)
    .as("m");
  return rowsOf(
    q,
    select(FIELDS)
      .from(rows)
      .leftJoin(o, ITS_OPEN)
      .orderBy(...order),
  );
}

/** The messages that a page looks at. */
function looked(tenantId: string, filters: InboxFilters, page: PageRequest) {
  const { where, sort } = windowOf(tenantId, filters, page);
  const order = orderOf(sort, page);
  if (sort === INBOX_SORT) {
    const walk = builder.select(allColumns(m)).from(m).where(where).$dynamic();
    return (page.scanLimit === undefined ? walk : walk.orderBy(...order).limit(page.scanLimit)).as("m");
  }
  const waiting = builder.select({ id: o.id }).from(o).where(where).$dynamic();
  const ids = page.scanLimit === undefined ? waiting : waiting.orderBy(...order).limit(page.scanLimit);
  // As one array: the planner would rather join, and walk all messages for it.
  const its = and(eq(m.tenantId, tenantId), sql`${m.id} = any(array${ids})`);
  return builder.select(allColumns(m)).from(m).where(its).as("m");
}

/** Where a page that looked at `look` rows ended; undefined at the end of the window. */
export async function selectInboxHorizon(
  q: Queryable,
  tenantId: string,
  filters: InboxFilters,
  page: PageRequest & { readonly scanLimit: number },
): Promise<PagePosition | undefined> {
  const { where, sort } = windowOf(tenantId, filters, page);
  const from = sort === INBOX_SORT ? m : o;
  return horizonOf(q, { from, where, order: orderOf(sort, page) }, sort, page.scanLimit);
}

/** What an index finds, in the list's order: of the messages, or of the small table of what waits. */
function windowOf(tenantId: string, filters: InboxFilters, page: PageRequest): { where: SQL | undefined; sort: Sort } {
  const { states } = filters;
  if (filters.failing || (states.length === 1 && states[0] === "recorded")) {
    const where = and(
      eq(o.tenantId, tenantId),
      same(o.consumer, filters.consumer),
      filters.from !== undefined || filters.to !== undefined ? inWindow(o.receivedAt, filters) : undefined,
      afterCursor(OPEN_SORT, page),
    );
    return { where, sort: OPEN_SORT };
  }
  const where = and(
    eq(m.tenantId, tenantId),
    ofDeadLetters(tenantId, states),
    same(m.messageId, filters.messageId),
    same(m.operationId, filters.operationId),
    inWindow(m.receivedAt, filters),
    afterCursor(INBOX_SORT, page),
  );
  return { where, sort: INBOX_SORT };
}

/** Where only such states are asked for that have a dead letter. */
function ofDeadLetters(tenantId: string, states: InboxFilters["states"]): SQL | undefined {
  if (states.length === 0 || !states.every((state) => state === "dead" || state === "discarded")) return undefined;
  const settled = or(
    states.includes("dead") ? isNull(d.settledAt) : undefined,
    states.includes("discarded") ? eq(d.settlement, "discarded") : undefined,
  );
  const ids = builder
    .select({ id: d.messageRowId })
    .from(d)
    .where(and(eq(d.tenantId, tenantId), eq(d.side, "inbox"), settled));
  return inArray(m.id, ids);
}

function ofFilters(tenantId: string, filters: InboxFilters): SQL | undefined {
  const { older, states } = filters;
  return and(
    eq(m.tenantId, tenantId),
    states.length > 0 ? inArray(m.state, states) : undefined,
    same(m.consumer, filters.consumer),
    same(m.source, filters.source),
    same(m.type, filters.type),
    same(m.lastErrorCode, filters.error),
    same(m.messageId, filters.messageId),
    same(m.operationId, filters.operationId),
    filters.failing ? isNotNull(m.lastErrorCode) : undefined,
    older && sql`${m.receivedAt} <= now() - make_interval(secs => ${olderSeconds(older)})`,
    filters.duplicates ? gt(m.duplicates, 0) : undefined,
    filters.mismatches ? gt(m.mismatches, 0) : undefined,
  );
}

const OF_OPERATION = 100;

const PAYLOAD_FIELDS = { ...FIELDS, ...pick(m, "payload", "payloadHash", "headers") };

export type InboxPayloadRow = RowOf<typeof selectInboxOfOperation>;

/** All messages about one operation, oldest first, with payloads: the provider's word is read from them. */
export async function selectInboxOfOperation(q: Queryable, tenantId: string, operationId: string) {
  const query = select(PAYLOAD_FIELDS)
    .from(m)
    .leftJoin(o, ITS_OPEN)
    .where(and(eq(m.tenantId, tenantId), eq(m.operationId, operationId)))
    .orderBy(asc(m.receivedAt), asc(m.id))
    .limit(OF_OPERATION);
  return rowsOf(q, query);
}

export async function selectInboxMessage(q: Queryable, tenantId: string, id: string) {
  const query = select({ ...PAYLOAD_FIELDS, payloadText: sql<string>`${m.payload}::text` })
    .from(m)
    .leftJoin(o, ITS_OPEN)
    .where(and(eq(m.tenantId, tenantId), eq(m.id, id)));
  return (await rowsOf(q, query)).at(0);
}

/** Who has recorded a message id. */
export async function selectConsumersOfMessage(
  q: Queryable,
  tenantId: string,
  messageId: string,
): Promise<InboxDbRow[]> {
  const its = and(eq(m.tenantId, tenantId), eq(m.messageId, messageId));
  const query = select(FIELDS).from(m).leftJoin(o, ITS_OPEN).where(its);
  return rowsOf(q, query.orderBy(asc(m.receivedAt)).limit(OF_OPERATION));
}

/** @param since when the message was first received, RFC 3339 */
export async function selectArrivals(q: Queryable, tenantId: string, inboxId: string, since: string) {
  const a = inboxArrivals;
  const from = sql`${a.day} >= (${since}::timestamptz at time zone 'utc')::date`;
  const query = select(pick(a, "at", "outcome", "payloadHash", "requestId"))
    .from(a)
    .where(and(eq(a.tenantId, tenantId), eq(a.inboxId, inboxId), from))
    .orderBy(asc(a.at), asc(a.id))
    .limit(OF_OPERATION);
  return rowsOf(q, query);
}
