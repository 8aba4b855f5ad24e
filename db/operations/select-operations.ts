import { hasKey, shownKey } from "./caller-key";
import { and, eq, exists, gte, inArray, isNotNull, lte, not, or, sql, type SQL } from "drizzle-orm";
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
  builder,
  fixed,
  isConsole,
  NOW_TEXT,
  rowsOf,
  rowsOver,
  same,
  select,
  allColumns,
  pick,
  type RowOf,
} from "@/db/query";
import { apiClients, idempotencyOpen, idempotencyRequests } from "@/db/schema";
import { onlyOpenStates, type OperationFilters, type OperationSort } from "@/domain/lists/filters";
import { CONSOLE_ACTIONS } from "@/domain/operation-kind";
import { answersInTime } from "./answers-in-time";

/** Requests, whatever a list narrowed them to before; what is open of them; and their clients. */
export const r = alias(idempotencyRequests, "r");
export const o = alias(idempotencyOpen, "o");
export const c = alias(apiClients, "c");

const CREATED: Sort = { value: r.createdAt, type: "timestamptz", id: r.operationId, idType: "uuid" };
/** What a list may be sorted by; every sort ends in the unique operation id. */
export const OPERATION_SORT_COLUMNS: Readonly<Record<OperationSort, Sort>> = {
  created: CREATED,
  amount: { ...CREATED, value: r.amountMinor, type: "bigint" },
  expires: { ...CREATED, value: r.expiresAt },
};

const k = alias(idempotencyRequests, "k");
/** Of one amount, as of a price, there may be any number: they follow each other by time, as they lie in the index. */
function sortOf(tenantId: string, { sort }: OperationFilters): Sort {
  const columns = OPERATION_SORT_COLUMNS[sort];
  if (sort !== "amount") return columns;
  const createdAt = (id: string, missing: SQL): SQL =>
    sql`coalesce((${select({ at: k.createdAt })
      .from(k)
      .where(and(eq(k.tenantId, tenantId), eq(k.operationId, id)))}), ${missing}::timestamptz)`;
  return { ...columns, then: { column: r.createdAt, of: createdAt } };
}

/** Shared by lists and pages of operations. */
export const OPERATION_FIELDS = {
  key: shownKey(r.key),
  ...pick(r, "operationId", "operation", "state", "reference", "amountMinor", "currency", "errorCode"),
  ...pick(r, "responseStatus", "createdAt"),
  account: r.accountId,
  stale: sql<boolean>`coalesce(${r.state} = 'IN_PROGRESS' and ${o.lockedUntil} <= now(), false)`,
  stage: o.stage,
  client: sql<string>`coalesce(${c.name}, ${r.principal})`,
  at: NOW_TEXT,
};
export const ITS_OPEN = fixed(sql`${eq(o.tenantId, r.tenantId)} and ${eq(o.operationId, r.operationId)}`);
export const ITS_CLIENT = fixed(sql`${eq(c.tenantId, r.tenantId)} and ${eq(c.id, r.principal)}`);

export type OperationListRow = RowOf<typeof selectOperations>;

/**
 * One page of operations, `limit + 1` rows in the cursor's direction. What is open is read from the small open table; the
 * rest walks an index of time, expiry, amount, account, reference or key inside the time window, `page.look` rows at the most.
 */
export async function selectOperations(q: Queryable, tenantId: string, filters: OperationFilters, page: PageRequest) {
  const sort = sortOf(tenantId, filters);
  const order = orderOf(sort, page);
  const where = windowOf(tenantId, filters, page);
  const fields = { ...OPERATION_FIELDS, sortValue: sortText(sort) };
  if (onlyOpenStates(filters)) {
    // What is open is read whole before it is sorted: a planner that hopes for a full page would walk the index of creation for it.
    const open = builder
      .select({ ...allColumns(r), lease: o.lockedUntil })
      .from(o)
      .innerJoin(r, ITS_OPEN)
      .where(where);
    const looked = builder.$with("r").as(open);
    const only = addFilters(tenantId, filters, looked.lease);
    const rows = builder
      .select(allColumns(r))
      .from(looked)
      .where(only)
      .orderBy(...order)
      .limit(page.limit + 1)
      .as("r");
    return rowsOver(
      q,
      looked,
      select(fields)
        .from(rows)
        .leftJoin(o, ITS_OPEN)
        .leftJoin(c, ITS_CLIENT)
        .orderBy(...order),
    );
  }
  const walk = builder.select(allColumns(r)).from(r).where(where).$dynamic();
  const looked = (page.scanLimit === undefined ? walk : walk.orderBy(...order).limit(page.scanLimit)).as("r");
  const only = addFilters(tenantId, filters);
  const rows = builder
    .select(allColumns(r))
    .from(looked)
    .where(only)
    .orderBy(...order)
    .limit(page.limit + 1)
    .as("r");
  return rowsOf(
    q,
    select(fields)
      .from(rows)
      .leftJoin(o, ITS_OPEN)
      .leftJoin(c, ITS_CLIENT)
      .orderBy(...order),
  );
}

/** Where a page that looked at `look` rows ended; undefined at the end of the window. */
export async function selectOperationsHorizon(
  q: Queryable,
  tenantId: string,
  filters: OperationFilters,
  page: PageRequest & { readonly scanLimit: number },
): Promise<PagePosition | undefined> {
  if (onlyOpenStates(filters)) return undefined;
  const sort = sortOf(tenantId, filters);
  return horizonOf(
    q,
    { from: r, where: windowOf(tenantId, filters, page), order: orderOf(sort, page) },
    sort,
    page.scanLimit,
  );
}

/** What an index finds, in the list's order: the tenant, the time, the place, and whatever has an index of its own. */
function windowOf(tenantId: string, filters: OperationFilters, page: PageRequest): SQL | undefined {
  const open = onlyOpenStates(filters);
  const answered = answeredIn(tenantId, filters);
  return and(
    eq(r.tenantId, tenantId),
    open ? eq(o.tenantId, tenantId) : undefined,
    answered ??
      (!open || filters.from !== undefined || filters.to !== undefined ? inWindow(r.createdAt, filters) : undefined),
    // Nothing expires before it was created: the walk begins where the window does.
    filters.sort === "expires" && !open && answered === undefined
      ? inWindow(r.expiresAt, { ...filters, to: undefined })
      : undefined,
    // What has no amount has no place among amounts.
    filters.sort === "amount" ? isNotNull(r.amountMinor) : undefined,
    same(r.accountId, filters.account),
    same(r.reference, filters.reference),
    filters.key === undefined ? undefined : hasKey(r.key, filters.key),
    afterCursor(sortOf(tenantId, filters), page),
  );
}

/** Those that were answered like this in the time. */
function answeredIn(tenantId: string, filters: OperationFilters): SQL | undefined {
  const answers = answersInTime(tenantId, filters);
  return answers === undefined ? undefined : sql`${r.operationId} in (${answers})`;
}

/** @param lease of what is read from the open table alone */
function addFilters(tenantId: string, filters: OperationFilters, lease?: PgColumn): SQL | undefined {
  return and(
    // The planner may not take it from the inner select.
    eq(r.tenantId, tenantId),
    ofStates(filters, lease),
    ofOperation(filters),
    same(r.errorCode, filters.error),
    same(r.currency, filters.currency),
    filters.min === undefined ? undefined : gte(r.amountMinor, BigInt(filters.min)),
    filters.max === undefined ? undefined : lte(r.amountMinor, BigInt(filters.max)),
    ofClient(tenantId, filters.client),
    filters.messages === undefined ? undefined : not(wroteMessage(tenantId)),
  );
}

/**
 * Whether the operation wrote a message to the outbox, whatever became of it since: it waits, was published, closed or discarded. A
 * message is published no earlier than its operation began, so only the days from then on are read.
 */
function wroteMessage(tenantId: string): SQL {
  return sql`(exists (select from onceboard.outbox_messages w where w.tenant_id = ${tenantId} and w.operation_id = ${r.operationId})
  or exists (select from onceboard.outbox_history w where w.tenant_id = ${tenantId} and w.operation_id = ${r.operationId}
    and w.day >= (${r.createdAt} at time zone 'utc')::date))`;
}

/** By id or by name; `!` before it asks for all others. */
function ofClient(tenantId: string, client: string | undefined): SQL | undefined {
  if (client === undefined) return undefined;
  const others = client.startsWith("!");
  const name = others ? client.slice(1) : client;
  const named = select({ id: c.id })
    .from(c)
    .where(and(eq(c.tenantId, tenantId), eq(c.name, name)));
  const its = or(eq(r.principal, name), inArray(r.principal, named));
  return others && its !== undefined ? not(its) : its;
}

/** The console's own actions stay out unless they are asked for: all of them by their prefix, or one by its name. */
function ofOperation({ operation, key }: OperationFilters): SQL | undefined {
  if (operation === CONSOLE_ACTIONS) return isConsole(r.operation);
  // A whole key names what it wants.
  return operation === undefined && key === undefined ? not(isConsole(r.operation)) : same(r.operation, operation);
}

/** In progress with such a lease: it came along with what is open, otherwise the open table is asked, which is small. */
function inProgress(kept: PgColumn | undefined, such: (lease: PgColumn) => SQL | undefined): SQL | undefined {
  const open = select({ id: o.operationId })
    .from(o)
    .where(and(ITS_OPEN, such(o.lockedUntil)));
  return and(eq(r.state, "IN_PROGRESS"), kept === undefined ? exists(open) : such(kept));
}

function ofStates({ states, attention }: OperationFilters, kept: PgColumn | undefined): SQL | undefined {
  const stale = inProgress(kept, (lease) => sql`${lease} <= now()`);
  const held = inProgress(kept, (lease) => sql`(${lease} is null or ${lease} > now())`);
  const plain = states.filter((state) => state !== "STALE" && state !== "IN_PROGRESS");
  const [running, late] = [states.includes("IN_PROGRESS"), states.includes("STALE")];
  const one = running ? held : late ? stale : undefined;
  return and(
    attention ? or(eq(r.state, "UNKNOWN_REQUIRES_RECOVERY"), stale) : undefined,
    or(plain.length > 0 ? inArray(r.state, plain) : undefined, running && late ? eq(r.state, "IN_PROGRESS") : one),
  );
}
