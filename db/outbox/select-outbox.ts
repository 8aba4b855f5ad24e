import { and, asc, eq, inArray, isNotNull, lt, ne, sql, type SQL, type Subquery } from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import {
  afterCursor,
  horizonOf,
  inWindow,
  orderOf,
  sortText,
  type PageRequest,
  type PagePosition,
  type Sort,
} from "@/db/paging";
import {
  allColumns,
  builder,
  fixed,
  NOW_TEXT,
  pick,
  type RowOf,
  rowsOf,
  same,
  select,
  timeTextOrNull,
} from "@/db/query";
import { outboxHistory, outboxMessages, topics, webhookEndpoints } from "@/db/schema";
import type { OutboxState } from "@/domain/idempotency/states";
import type { OutboxFilters } from "@/domain/lists/filters";
import { olderSeconds } from "@/domain/lists/window";
import { correctedBy } from "@/db/messages/corrected-by";
import { ofRank, outboxRank } from "@/db/outbox/outbox-rank";
import { endpointState } from "@/db/messages/endpoint-state";

/** Messages by one name, of either table. */
const m = alias(outboxMessages, "m");
const h = alias(outboxHistory, "m");
const t = alias(topics, "t");
const e = alias(webhookEndpoints, "e");
const before = alias(outboxMessages, "before");

const named = (columns: readonly PgColumn[]) => Object.fromEntries(columns.map((column) => [column.name, column]));
const empty = (columns: readonly PgColumn[]) =>
  Object.fromEntries(columns.map((column) => [column.name, sql.raw(`null::${column.getSQLType()}`)]));

const COMMON = named([
  ...[m.tenantId, m.id, m.operationId, m.aggregateType, m.aggregateId, m.topic, m.type, m.payload, m.headers],
  ...[m.createdAt, m.attemptsStarted, m.attemptsFinished, m.lastErrorCode, m.lastError, m.position, m.republished],
]);
const WAITING = [m.nextAttemptAt, m.owner, m.lockedUntil];
const SENT = [h.publishedAt, h.publishedBy, h.transport];
/** What a table does not have is empty under the other's name for it. */
const OPEN_COLUMNS = { ...COMMON, ...named([m.state, ...WAITING]), ...empty(SENT) };
const PUBLISHED_COLUMNS = { ...COMMON, [m.state.name]: sql`'published'`, ...empty(WAITING), ...named(SENT) };

/** Oldest message of the same aggregate that is before it and not published. */
const behind = builder
  .select({ id: before.id, state: before.state })
  .from(before)
  .where(
    and(
      eq(m.state, "pending"),
      eq(before.tenantId, m.tenantId),
      eq(before.aggregateType, m.aggregateType),
      eq(before.aggregateId, m.aggregateId),
      lt(before.position, m.position),
      ne(before.state, "discarded"),
    ),
  )
  .orderBy(asc(before.position))
  .limit(1)
  .as("b");

/** Looked up for the rows of a page only. */
const SHOWN = {
  ...pick(m, "id", "operationId", "aggregateType", "aggregateId", "topic", "type", "createdAt", "position"),
  ...pick(m, "attemptsFinished", "owner", "lockedUntil"),
  /** Started. */
  attempts: m.attemptsStarted,
  errorCode: m.lastErrorCode,
  error: m.lastError,
  /** It carries a notification, not an event of ours. */
  notification: sql<boolean>`${m.headers} ? 'notification'`,
  state: sql<OutboxState>`${m.state}`,
  nextAttemptAt: timeTextOrNull(m.nextAttemptAt),
  publishedAt: timeTextOrNull(h.publishedAt),
  publishedBy: h.publishedBy,
  /** What carried it; of an open one what an operator chose for its topic. */
  transport: sql<string | null>`case when ${m.state} = 'published' then ${h.transport} else ${t.transport} end`,
  paused: sql<boolean>`${t.pausedAt} is not null`,
  /** Of the merchant's endpoint that its topic belongs to. */
  endpointUrl: e.url,
  endpoint: endpointState(sql`${m.topic}`, sql`e`),
  behind: behind.id,
  behindState: behind.state,
  /** The message that it was sent in place of, and the one that was sent in its place. */
  corrects: sql<string | null>`${m.headers} ->> 'corrects'`,
  correctedBy: correctedBy("m"),
  at: NOW_TEXT,
};

const walkOpen = (where: SQL | undefined) => select(OPEN_COLUMNS).from(m).where(where);
const walkPublished = (where: SQL | undefined) => select(PUBLISHED_COLUMNS).from(h).where(where);

const ITS_TOPIC = fixed(sql`${eq(t.tenantId, m.tenantId)} and ${eq(t.topic, m.topic)}`);
const ITS_ENDPOINT = fixed(sql`${eq(e.tenantId, m.tenantId)} and ${m.topic} = 'webhook:' || ${e.id}::text`);

/** What a page shows of some messages, not yet ordered. */
function shown<Fields extends Record<string, SQL | PgColumn>>(rows: Subquery<"m">, fields: Fields) {
  return select({ ...SHOWN, ...fields })
    .from(rows)
    .leftJoin(t, ITS_TOPIC)
    .leftJoin(e, ITS_ENDPOINT)
    .leftJoinLateral(behind, sql`true`);
}

const RANK = outboxRank(sql`${m.state}`, sql`${m.position}`);
/**
 * Dead first, then oldest: a dead message sorts before every position. A message that was corrected and what was sent in its place share
 * their position, so that their ids tell them apart.
 */
export const OPEN_OUTBOX_SORT: Sort = {
  value: RANK,
  type: "bigint",
  id: m.id,
  idType: "uuid",
};
/** Published newest first. */
export const PUBLISHED_SORT: Sort = { value: h.publishedAt, type: "timestamptz", id: h.id, idType: "uuid" };

export type OutboxDbRow = RowOf<typeof selectOutbox>;

/**
 * One page of the outbox: the small open table, or the history of published messages inside the time window, `page.look` of them at the
 * most.
 * @param fallback what carries a topic of which no operator said otherwise
 */
export async function selectOutbox(
  q: Queryable,
  tenantId: string,
  filters: OutboxFilters,
  page: PageRequest,
  fallback = "http",
) {
  const published = filters.state === "published";
  const { where, sort } = windowOf(tenantId, filters, page);
  const order = orderOf(sort, page);
  const walk = (published ? walkPublished(where) : walkOpen(where)).$dynamic();
  const looked = page.scanLimit === undefined ? walk : walk.orderBy(...order).limit(page.scanLimit);
  const rows = builder
    .select(allColumns(m))
    .from(looked.as("m"))
    .where(ofFilters(tenantId, filters, published ? undefined : fallback))
    .orderBy(...order)
    .limit(page.limit + 1)
    .as("m");
  return rowsOf(q, shown(rows, { sortValue: sortText(sort) }).orderBy(...order));
}

/** Where a page that looked at `look` rows ended; undefined at the end of the window. */
export async function selectOutboxHorizon(
  q: Queryable,
  tenantId: string,
  filters: OutboxFilters,
  page: PageRequest & { readonly scanLimit: number },
): Promise<PagePosition | undefined> {
  const { where, sort } = windowOf(tenantId, filters, page);
  return horizonOf(
    q,
    { from: filters.state === "published" ? h : m, where, order: orderOf(sort, page) },
    sort,
    page.scanLimit,
  );
}

/** What an index finds, in the list's order. */
function windowOf(tenantId: string, filters: OutboxFilters, page: PageRequest): { where: SQL | undefined; sort: Sort } {
  const published = filters.state === "published";
  const sort = published ? PUBLISHED_SORT : OPEN_OUTBOX_SORT;
  const where = and(
    eq(m.tenantId, tenantId),
    same(m.operationId, filters.operationId),
    published ? inWindow(h.publishedAt, filters) : ofRank(filters.state, RANK),
    afterCursor(sort, page),
  );
  return { where, sort };
}

function ofFilters(tenantId: string, filters: OutboxFilters, fallback: string | undefined): SQL | undefined {
  const { older, transport } = filters;
  return and(
    eq(m.tenantId, tenantId),
    ofState(filters.state),
    same(m.topic, filters.topic),
    same(m.type, filters.type),
    same(m.aggregateId, filters.aggregate),
    same(m.lastErrorCode, filters.error),
    transport && carriedBy(transport, fallback),
    older && sql`${m.createdAt} <= now() - make_interval(secs => ${olderSeconds(older)})`,
  );
}

function ofState(state: OutboxFilters["state"]): SQL | undefined {
  if (state === "open") return inArray(m.state, ["pending", "dead"]);
  if (state === "failing") return and(eq(m.state, "pending"), isNotNull(m.lastErrorCode));
  return state === "published" ? undefined : eq(m.state, state);
}

/** The same choice as the relay makes. @param fallback undefined: what really carried it is written down */
function carriedBy(transport: string, fallback: string | undefined): SQL {
  if (fallback === undefined) return eq(h.transport, transport);
  const chosen = builder
    .select({ transport: t.transport })
    .from(t)
    .where(and(eq(t.tenantId, m.tenantId), eq(t.topic, m.topic)));
  return sql`case when ${m.topic} = 'mail' then 'mail' when ${m.topic} like 'alert:email:%' then 'mail'
    when ${m.topic} like 'webhook:%' or ${m.topic} like 'alert:%' then 'http' else coalesce(${chosen}, ${fallback}) end = ${transport}`;
}

const OF_OPERATION = 50;
/** A correction has the position of what it corrects, and comes after it. */
const inLine = () => [asc(m.position), asc(m.createdAt), asc(m.id)];

/** All messages of one operation, open and published, in order. @param since its creation, RFC 3339 */
export async function selectOutboxOfOperation(
  q: Queryable,
  tenantId: string,
  operationId: string,
  since: string,
): Promise<OutboxDbRow[]> {
  const its = and(eq(m.tenantId, tenantId), eq(m.operationId, operationId));
  const late = sql`${h.day} >= (${since}::timestamptz at time zone 'utc')::date`;
  const rows = walkOpen(its)
    .unionAll(walkPublished(and(its, late)))
    .orderBy(...inLine())
    .limit(OF_OPERATION)
    .as("m");
  return rowsOf(q, shown(rows, { sortValue: sql<string>`''` }).orderBy(...inLine()));
}

/** One message by id, wherever it lies, with its payload. */
export async function selectOutboxMessage(q: Queryable, tenantId: string, id: string) {
  const its = and(eq(m.tenantId, tenantId), eq(m.id, id));
  const fields = { sortValue: sql<string>`''`, payload: m.payload, headers: m.headers, republished: m.republished };
  const read = (walk: ReturnType<typeof walkOpen>) => rowsOf(q, shown(walk.limit(1).as("m"), fields));
  return (await read(walkOpen(its)))[0] ?? (await read(walkPublished(its)))[0];
}
