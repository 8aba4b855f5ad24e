import { hasKey } from "./caller-key";
import { and, between, desc, eq, isNotNull, ne, sql, type SQL } from "drizzle-orm";
import { alias, type PgColumn, type PgTable } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import {
  allColumns,
  anyOf,
  builder,
  pick,
  prepared,
  type RowOf,
  rowsOf,
  same,
  select,
  timeTextOrNull,
  unionAllOf,
} from "@/db/query";
import {
  apiClients,
  auditEntries,
  deadLetters,
  idempotencyEvents,
  idempotencyRequests,
  inboxMessages,
  notifications,
  outboxHistory,
  outboxMessages,
  plans,
  providerRequests,
} from "@/db/schema";
import { CHARGING_KINDS } from "@/db/kinds/expected";
import { effects, entries } from "@/db/schema/evidence";
import { c as itsClient, ITS_CLIENT, ITS_OPEN, o, OPERATION_FIELDS, r as listed } from "./select-operations";

const r = alias(idempotencyRequests, "r");
const e = alias(idempotencyEvents, "e");
const a = alias(auditEntries, "a");
const p = alias(providerRequests, "p");
const n = alias(notifications, "n");
const c = alias(apiClients, "c");
const i = alias(inboxMessages, "i");
const d = alias(deadLetters, "d");
const b = alias(plans, "b");
const f = alias(effects, "f");
const l = alias(entries, "l");

/** Matches of each kind that are shown. */
const PER_KIND = 10;
/** A request is over by then: its events have ids of this time after its own. */
const REQUEST_MS = 120_000;
/** Events of a busy moment that are looked through for one request. */
const REQUEST_EVENTS = 50_000;

export type FoundRow = RowOf<typeof findById>;

type Keyed = PgTable & Readonly<Record<"tenantId" | "id", PgColumn>>;
type Found = ReturnType<typeof found>;

const HANDLED = sql`${i.type} || ' for ' || ${i.consumer}`;
const AUDITED = sql`${a.action} || ' by ' || ${a.actorName}`;
const EVENT = sql`case when ${e.type} = 'conflict' then 'conflict' else 'event' end`;
const PLANNED = sql`${b.kind} || ', ' || ${b.total} || ' rows, ' || ${b.state}`;

/** Of what has a page of its own, beside the operation's. */
interface OwnFacts {
  readonly state?: PgColumn | SQL;
  readonly at?: PgColumn;
  /** It is an effect: its module says what it is called, and it is shown with its operation. */
  readonly made?: boolean;
}

/**
 * The fields of one match.
 *
 * @param matched by what, a constant of ours
 * @param operation behind it, where there is one
 * @param label what it is, where no operation says so
 */
function found(
  matched: string | SQL | PgColumn,
  id: PgColumn | SQL,
  operation?: PgColumn,
  label?: PgColumn | SQL,
  { state, at, made = false }: OwnFacts = {},
) {
  return {
    matched: sql<string>`${typeof matched === "string" ? sql.raw(`'${matched}'`) : matched}`,
    id: sql<string>`(${id})::text`,
    operationId: sql<string | null>`(${operation ?? sql`null`})::uuid`,
    label: sql<string | null>`(${label ?? sql`null`})::text`,
    state: sql<string | null>`(${state ?? sql`null`})::text`,
    made: sql<boolean>`${sql.raw(String(made))}`,
    at: at === undefined ? sql<string | null>`null::text` : timeTextOrNull(at),
  };
}

const PUBLISHED = sql`'published'`;
const RECEIVED: OwnFacts = { state: i.state, at: i.receivedAt };
const DIED: OwnFacts = { state: sql`case when ${d.settledAt} is null then 'dead' end`, at: d.deadAt };

const TENANT = sql.placeholder("tenantId");
const ID = sql.placeholder("id");
const probe = (table: Keyed, fields: Found) =>
  select(fields)
    .from(table)
    .where(and(eq(table.tenantId, TENANT), eq(table.id, ID)))
    .limit(1);
const its = (
  matched: string | SQL,
  table: Keyed & { readonly operationId: PgColumn },
  label?: PgColumn | SQL,
  own?: OwnFacts,
) => probe(table, found(matched, table.id, table.operationId, label, own));
/**
 * Days of which events are kept, from the bounds of their partitions. An event's index begins with its day, and an id says only of some
 * events which that is: so it is looked for in each day, which the limit keeps apart. One condition for all days would read all of them
 * before PostgreSQL 18.
 */
const EVENT_DAYS = sql`(select substring(pg_get_expr(part.relpartbound, part.oid) from 'FROM \\(''(\\d{4}-\\d\\d-\\d\\d)')::date as day
  from pg_catalog.pg_inherits h join pg_catalog.pg_class part on part.oid = h.inhrelid
  where h.inhparent = 'onceboard.idempotency_events'::regclass)`;
const readEvent = builder
  .select(allColumns(e))
  .from(e)
  .where(and(eq(e.tenantId, TENANT), sql`${e.day} = d.day`, eq(e.id, ID)))
  .limit(1)
  .as("e");
const EVENT_OF_A_DAY = select(found(EVENT, e.id, e.operationId))
  .from(sql`${EVENT_DAYS} d`)
  .crossJoinLateral(readEvent)
  .limit(1);
const DEAD_LETTER = sql`${d.messageRowId} || ':' || ${d.side}`;
const readById = prepared(
  unionAllOf(
    select(found("operation", r.operationId, r.operationId))
      .from(r)
      .where(and(eq(r.tenantId, TENANT), eq(r.operationId, ID))),
    select(found(f.kind, f.idAsUuid, f.operationId, undefined, { made: true }))
      .from(f)
      .where(and(eq(f.tenantId, TENANT), eq(f.idAsUuid, ID)))
      .limit(PER_KIND),
    its("outbox message", outboxMessages, outboxMessages.type, {
      state: outboxMessages.state,
      at: outboxMessages.createdAt,
    }),
    its("outbox message", outboxHistory, outboxHistory.type, { state: PUBLISHED, at: outboxHistory.createdAt }),
    its("inbox message", i, HANDLED, RECEIVED),
    EVENT_OF_A_DAY,
    probe(b, found("plan", b.id, undefined, PLANNED, { state: b.state, at: b.createdAt })),
    probe(d, found("dead letter", DEAD_LETTER, d.operationId, sql`${d.type} || ' at ' || ${d.place}`, DIED)),
    probe(a, found("audit entry", a.id, undefined, AUDITED, { at: a.at })),
    its("provider call", p, p.kind),
    select(found("ledger entry", l.idAsUuid, l.operationId, l.kind))
      .from(l)
      .where(and(eq(l.tenantId, TENANT), eq(l.idAsUuid, ID)))
      .limit(PER_KIND),
    its("notification", n, n.kind),
  ),
);

/** Everything an id may be: an operation, a business row, a message, an event. Each branch is a probe of one index. */
export async function findById(q: Queryable, tenantId: string, id: string) {
  const rows = await readById(q, { tenantId, id });
  return rows.filter((row) => row.matched !== "notification" || row.operationId !== undefined);
}

/** Exact text: a key, a reference, a provider's name for it, an account, a message id, a client. Each by its own index. */
export async function findByText(q: Queryable, tenantId: string, text: string) {
  const matching = (table: Pick<Keyed, "tenantId"> & PgTable, fields: Found, ...conditions: readonly SQL[]) =>
    select(fields)
      .from(table)
      .where(and(eq(table.tenantId, tenantId), ...conditions))
      .limit(PER_KIND)
      .$dynamic();
  const sent = ne(p.kind, "lookup");
  const client = found("client", c.name, undefined, c.name);
  const query = unionAllOf(
    matching(r, found("key", r.key, r.operationId), hasKey(r.key, text)).orderBy(desc(r.createdAt)),
    matching(
      r,
      found("reference", r.reference, r.operationId),
      eq(r.reference, text),
      sql`${r.operation} in ${CHARGING_KINDS}`,
    ).orderBy(desc(r.createdAt)),
    matching(p, found("provider key", p.providerKey, p.operationId), eq(p.providerKey, text), sent)
      .orderBy(desc(p.preparedAt))
      .limit(1),
    matching(
      p,
      found("provider reference", p.providerReference, p.operationId),
      eq(p.providerReference, text),
      sent,
    ).groupBy(p.providerReference, p.operationId),
    // What is an account itself is shown with all that names it, not with the operation that opened it.
    matching(f, found("account", f.id, f.operationId, f.id), eq(f.idAsText, text), eq(f.account, f.idAsText)),
    matching(
      f,
      found(f.kind, f.id, f.operationId, undefined, { made: true }),
      eq(f.idAsText, text),
      sql`${f.account} is distinct from ${f.idAsText}`,
    ),
    matching(l, found("ledger entry", l.id, l.operationId, l.kind), eq(l.idAsText, text)),
    matching(i, found("inbox message", i.id, i.operationId, HANDLED, RECEIVED), eq(i.messageId, text)).orderBy(
      desc(i.receivedAt),
    ),
    matching(
      n,
      found("notification", n.notificationKey, n.operationId, n.kind),
      eq(n.notificationKey, text),
      isNotNull(n.operationId),
    ),
    matching(c, client, eq(c.id, text)),
    matching(c, client, eq(c.name, text), ne(c.id, text)),
  );
  return rowsOf(q, query);
}

/** The lowest or the highest UUIDv7 of a moment. */
function uuidOf(ms: number, digit: "0" | "f"): string {
  return ms.toString(16).padStart(12, "0").padEnd(32, digit);
}

/**
 * What a request of ours did: its events and its audit entry. A request id is a UUIDv7 and so is the id of an event, so the primary
 * key leads to the moment and no index of request ids is needed.
 * @param at when the request came, by its id
 */
export async function findByRequest(q: Queryable, tenantId: string, requestId: string, at: Date) {
  const [first, last] = [at.getTime() - 1_000, at.getTime() + REQUEST_MS];
  const [since, until] = [new Date(first).toISOString(), new Date(last).toISOString()];
  const days = [...new Set([since.slice(0, 10), until.slice(0, 10)])];
  const moment = builder
    .select(allColumns(e))
    .from(e)
    .where(and(eq(e.tenantId, tenantId), sql`${e.day} = d.day`, between(e.id, uuidOf(first, "0"), uuidOf(last, "f"))))
    .limit(REQUEST_EVENTS)
    .as("e");
  const events = select(found("request", e.requestId, e.operationId))
    .from(sql`unnest(${sql.param(days)}::date[]) d(day)`)
    .crossJoinLateral(moment)
    .where(eq(e.requestId, requestId))
    .groupBy(e.requestId, e.operationId)
    .limit(PER_KIND);
  const entries = select(found("audit entry", a.id, undefined, AUDITED, { at: a.at }))
    .from(a)
    .where(
      and(
        eq(a.tenantId, tenantId),
        sql`${a.at} between ${since}::timestamptz and ${until}::timestamptz`,
        eq(a.requestId, requestId),
      ),
    );
  return rowsOf(q, unionAllOf(events, entries));
}

/** Operations whose messages belong to a trace, 32 hex digits; on both sides of publishing. */
export async function findByTrace(q: Queryable, tenantId: string, traceId: string) {
  const carried = (m: typeof outboxMessages | typeof outboxHistory) =>
    builder
      .select({ operationId: m.operationId })
      .from(m)
      .where(
        and(
          eq(m.tenantId, tenantId),
          sql`${m.headers} ? 'traceparent' and split_part(${m.headers} ->> 'traceparent', '-', 2) = ${traceId}`,
        ),
      )
      .limit(PER_KIND);
  const t = carried(outboxMessages).unionAll(carried(outboxHistory)).as("t");
  const query = select(found("trace", sql`${traceId}`, t.operationId))
    .from(t)
    .where(isNotNull(t.operationId));
  return rowsOf(q, query.groupBy(t.operationId).limit(PER_KIND));
}

/** Operations of an amount in minor units, newest first. */
export async function findByAmount(q: Queryable, tenantId: string, minor: string, currency: string | undefined) {
  const query = select(found("amount", r.operationId, r.operationId))
    .from(r)
    .where(and(eq(r.tenantId, tenantId), eq(r.amountMinor, BigInt(minor)), same(r.currency, currency)))
    .orderBy(desc(r.createdAt))
    .limit(PER_KIND);
  return rowsOf(q, query);
}

export type FoundOperationRow = RowOf<typeof selectFoundOperations>;

/** The operations that were found, as a list shows them, and since when each is open. */
export async function selectFoundOperations(q: Queryable, tenantId: string, operationIds: readonly string[]) {
  const query = select({ ...OPERATION_FIELDS, ...pick(o, "unknownSince", "lockedUntil") })
    .from(listed)
    .leftJoin(o, ITS_OPEN)
    .leftJoin(itsClient, ITS_CLIENT)
    .where(and(eq(listed.tenantId, tenantId), anyOf(listed.operationId, operationIds)));
  return rowsOf(q, query);
}
