import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, ne, or, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { afterCursor, horizonOf, inWindow, orderOf, type PageRequest, type PagePosition, type Sort } from "@/db/paging";
import { allColumns, builder, NOW_TEXT, pick, rowsOf, same, select, timeTextOrNull, type RowOf } from "@/db/query";
import { deadLetters, inboxArrivals, inboxMessages, inboxOpen } from "@/db/schema";
import type { InboxFilters } from "@/domain/lists/filters";
import { olderSeconds } from "@/domain/lists/window";

const m = alias(inboxMessages, "m");
/** The same messages, beside those of the list. */
const s = alias(inboxMessages, "s");
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
export async function selectInbox(
  q: Queryable,
  tenantId: string,
  filters: InboxFilters,
  page: PageRequest,
  only?: SQL,
) {
  const order = orderOf(INBOX_SORT, page);
  const rows = builder
    .select(allColumns(m))
    .from(looked(tenantId, filters, page))
    .where(and(ofFilters(tenantId, filters), only))
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

/** Consumers of one message that a list shows; its own page has more. */
export const LISTED_CONSUMERS = 20;

/**
 * One page of messages, newest first: of each the newest row of those that match, whose place is the place of the message. Bounded as
 * {@link selectInbox}; that a row is the newest of its message is read from the index of message ids.
 */
export function selectInboxLeads(q: Queryable, tenantId: string, filters: InboxFilters, page: PageRequest) {
  const { messageId, source, receivedAt, id } = m;
  const newer = builder
    .select({ one: sql`true` })
    .from(s)
    .where(
      and(
        ofFilters(tenantId, filters, s),
        eq(s.messageId, messageId),
        eq(s.source, source),
        ofWindow(filters, s),
        sql`(${s.receivedAt}, ${s.id}) > (${receivedAt}, ${id})`,
      ),
    )
    .limit(1);
  // A value and no `exists`: as a join the planner would put all messages beside all messages.
  return selectInbox(q, tenantId, filters, page, sql`coalesce(${newer}, false) = false`);
}

/** The other rows of such messages that match, newest first, {@link LISTED_CONSUMERS} of a message with its first at the most. */
export async function selectInboxFollowers(
  q: Queryable,
  tenantId: string,
  filters: InboxFilters,
  leads: readonly Pick<InboxDbRow, "id" | "messageId" | "source">[],
): Promise<InboxDbRow[]> {
  if (leads.length === 0) return [];
  const ids = sql.param(leads.map(({ id }) => id));
  const lead = alias(inboxMessages, "l");
  const rows = builder
    .select(allColumns(m))
    .from(lead)
    .crossJoinLateral(
      builder
        .select(allColumns(s))
        .from(s)
        .where(
          and(
            ofFilters(tenantId, filters, s),
            eq(s.messageId, lead.messageId),
            eq(s.source, lead.source),
            ofWindow(filters, s),
            ne(s.id, lead.id),
          ),
        )
        .orderBy(desc(s.receivedAt), desc(s.id))
        .limit(LISTED_CONSUMERS - 1)
        .as("m"),
    )
    .where(and(eq(lead.tenantId, tenantId), sql`${lead.id} = any(${ids}::uuid[])`))
    .as("m");
  const query = select(FIELDS).from(rows).leftJoin(o, ITS_OPEN);
  return rowsOf(q, query.orderBy(desc(m.receivedAt), desc(m.id)));
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
  if (ofWaiting(filters)) {
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

/** Only what waits is asked for. */
function ofWaiting({ failing, states }: InboxFilters): boolean {
  return failing || (states.length === 1 && states[0] === "recorded");
}

/** The window of a list, said of messages alone. */
function ofWindow(filters: InboxFilters, of: typeof s): SQL | undefined {
  if (!ofWaiting(filters)) return inWindow(of.receivedAt, filters);
  const own = filters.from !== undefined || filters.to !== undefined;
  return and(eq(of.state, "recorded"), own ? inWindow(of.receivedAt, filters) : undefined);
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

function ofFilters(tenantId: string, filters: InboxFilters, of: typeof m | typeof s = m): SQL | undefined {
  const { older, states } = filters;
  return and(
    eq(of.tenantId, tenantId),
    states.length > 0 ? inArray(of.state, states) : undefined,
    same(of.consumer, filters.consumer),
    same(of.source, filters.source),
    same(of.type, filters.type),
    same(of.lastErrorCode, filters.error),
    same(of.messageId, filters.messageId),
    same(of.operationId, filters.operationId),
    filters.failing ? isNotNull(of.lastErrorCode) : undefined,
    older && sql`${of.receivedAt} <= now() - make_interval(secs => ${olderSeconds(older)})`,
    filters.duplicates ? gt(of.duplicates, 0) : undefined,
    filters.mismatches ? gt(of.mismatches, 0) : undefined,
  );
}

const OF_OPERATION = 100;

const PAYLOAD_FIELDS = {
  ...FIELDS,
  ...pick(m, "payload", "payloadHash", "headers", "providerKey", "providerStatus"),
  sealed: sql<boolean>`${m.documentHash} is not null`,
};

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
