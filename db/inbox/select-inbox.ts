import type { Queryable } from "@/db/client";
import type { InboxState } from "@/domain/idempotency/states";
import { ordered, selectHorizon, within, type PageRequest, type Place, type SortColumns } from "../paging";
import { conditions, iso, type Conditions } from "../sql-text";
import { olderSeconds } from "@/domain/lists/window";
import type { InboxFilters } from "@/domain/lists/filters";

export interface InboxDbRow {
  readonly id: string;
  readonly consumer: string;
  readonly source: string;
  readonly message_id: string;
  readonly type: string;
  readonly operation_id: string | null;
  readonly state: InboxState;
  readonly received_at: string;
  readonly processed_at: string | null;
  readonly result: string | null;
  readonly duplicates: number;
  readonly mismatches: number;
  readonly attempts_started: number;
  readonly attempts_finished: number;
  readonly next_attempt_at: string | null;
  readonly owner: string | null;
  readonly locked_until: string | null;
  readonly last_error_code: string | null;
  readonly last_error: string | null;
  /** Handled in a transaction of its own from now on. */
  readonly alone: boolean;
  readonly at: string;
}

const COLUMNS = `m.id, m.consumer, m.source, m.message_id, m.type, m.operation_id, m.state, ${iso("m.received_at")} as received_at,
  ${iso("m.processed_at")} as processed_at, m.result, m.duplicates, m.mismatches,
  coalesce(o.attempts_started, m.attempts_started) as attempts_started, coalesce(o.attempts_finished, m.attempts_finished) as attempts_finished,
  ${iso("o.next_attempt_at")} as next_attempt_at, o.owner, ${iso("o.locked_until")} as locked_until, m.last_error_code, m.last_error,
  coalesce(o.alone, false) as alone, ${iso("now()")} as at`;

const BESIDE = "left join onceboard.inbox_open o on o.tenant_id = m.tenant_id and o.id = m.id";
const MESSAGES = `onceboard.inbox_messages m ${BESIDE}`;

export const INBOX_SORT: SortColumns = { value: "m.received_at", type: "timestamptz", id: "m.id", idType: "uuid" };

/**
 * One page of the inbox, newest first, inside the time window, `page.look` rows at the most. What waits is shown whatever its age, from
 * the small table of what waits; what is dead or discarded is found by its dead letters.
 */
export async function selectInbox(
  q: Queryable,
  tenantId: string,
  filters: InboxFilters,
  page: PageRequest,
): Promise<InboxDbRow[]> {
  const { from, where, order, open } = windowOf(tenantId, filters, page);
  const only = conditions(where.values);
  addFilters(only, tenantId, filters);
  const look = page.look === undefined ? "" : `${order} limit ${where.param(page.look)}`;
  const list = ordered(conditions(), INBOX_SORT, page);
  const ids = `select o.id from ${from} where ${where.text()} ${look}`;
  const looked = open
    ? `(select m.* from onceboard.inbox_messages m where m.tenant_id = ${where.param(tenantId)} and m.id = any (array(${ids}))) m`
    : `(select m.* from ${from} where ${where.text()} ${look}) m`;
  const { rows } = await q.query<InboxDbRow>({
    text: `select ${COLUMNS} from (select m.* from ${looked}
  where ${only.text()}
  ${list} limit ${only.param(page.limit + 1)}) m
${BESIDE}
${list}`,
    values: where.values,
  });
  return rows;
}

/** Where a page that looked at `look` rows ended; undefined at the end of the window. */
export async function selectInboxHorizon(
  q: Queryable,
  tenantId: string,
  filters: InboxFilters,
  page: PageRequest & { readonly look: number },
): Promise<Place | undefined> {
  const { from, where, order, sort } = windowOf(tenantId, filters, page);
  return selectHorizon(q, { from, where, order }, sort, page.look);
}

const OPEN_SORT: SortColumns = { ...INBOX_SORT, value: "o.received_at", id: "o.id" };
const SETTLEMENTS = { dead: "d.settled_at is null", discarded: "d.settlement = 'discarded'" } as const;

interface InboxWindow {
  readonly from: string;
  readonly where: Conditions;
  readonly order: string;
  readonly sort: SortColumns;
  /** From the small table of what waits. */
  readonly open: boolean;
}

/** What an index finds, in the list's order. */
function windowOf(tenantId: string, filters: InboxFilters, page: PageRequest): InboxWindow {
  const where = conditions();
  const { states } = filters;
  if (filters.failing || (states.length === 1 && states[0] === "recorded")) {
    where.equal("o.tenant_id", tenantId);
    where.equal("o.consumer", filters.consumer);
    if (filters.from !== undefined || filters.to !== undefined) within(where, "o.received_at", filters);
    const order = ordered(where, OPEN_SORT, page);
    return { from: "onceboard.inbox_open o", where, order, sort: OPEN_SORT, open: true };
  }
  where.equal("m.tenant_id", tenantId);
  const letters = states.flatMap((state) => (state === "dead" || state === "discarded" ? [SETTLEMENTS[state]] : []));
  if (letters.length > 0 && letters.length === states.length) {
    where.add(
      `m.id in (select d.message_row_id from onceboard.dead_letters d where d.tenant_id = ${where.param(tenantId)} and d.side = 'inbox' and (${letters.join(" or ")}))`,
    );
  }
  where.equal("m.message_id", filters.messageId);
  where.equal("m.operation_id", filters.operationId);
  within(where, "m.received_at", filters);
  const order = ordered(where, INBOX_SORT, page);
  return { from: "onceboard.inbox_messages m", where, order, sort: INBOX_SORT, open: false };
}

function addFilters(where: Conditions, tenantId: string, filters: InboxFilters): void {
  where.equal("m.tenant_id", tenantId);
  if (filters.states.length > 0) where.add(`m.state = any(${where.param(filters.states)}::text[])`);
  where.equal("m.consumer", filters.consumer);
  where.equal("m.source", filters.source);
  where.equal("m.type", filters.type);
  where.equal("m.last_error_code", filters.error);
  where.equal("m.message_id", filters.messageId);
  where.equal("m.operation_id", filters.operationId);
  if (filters.failing) where.add("m.last_error_code is not null");
  if (filters.older !== undefined)
    where.add(`m.received_at <= now() - make_interval(secs => ${where.param(olderSeconds(filters.older))})`);
  if (filters.duplicates) where.add("m.duplicates > 0");
  if (filters.mismatches) where.add("m.mismatches > 0");
}

const OF_OPERATION = 100;

export interface InboxPayloadRow extends InboxDbRow {
  readonly payload: unknown;
  readonly payload_hash: Buffer;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** All messages about one operation, oldest first, with payloads: the provider's word is read from them. */
export async function selectInboxOfOperation(
  q: Queryable,
  tenantId: string,
  operationId: string,
): Promise<InboxPayloadRow[]> {
  const { rows } = await q.query<InboxPayloadRow>({
    text: `select ${COLUMNS}, m.payload, m.payload_hash, m.headers from ${MESSAGES}
where m.tenant_id = $1 and m.operation_id = $2 order by m.received_at, m.id limit $3`,
    values: [tenantId, operationId, OF_OPERATION],
  });
  return rows;
}

export async function selectInboxMessage(
  q: Queryable,
  tenantId: string,
  id: string,
): Promise<(InboxPayloadRow & { readonly payload_text: string }) | undefined> {
  const { rows } = await q.query<InboxPayloadRow & { readonly payload_text: string }>({
    text: `select ${COLUMNS}, m.payload, m.payload::text as payload_text, m.payload_hash, m.headers from ${MESSAGES} where m.tenant_id = $1 and m.id = $2`,
    values: [tenantId, id],
  });
  return rows[0];
}

/** Who has recorded a message id. */
export async function selectConsumersOfMessage(
  q: Queryable,
  tenantId: string,
  messageId: string,
): Promise<InboxDbRow[]> {
  const { rows } = await q.query<InboxDbRow>({
    text: `select ${COLUMNS} from ${MESSAGES} where m.tenant_id = $1 and m.message_id = $2 order by m.received_at limit $3`,
    values: [tenantId, messageId, OF_OPERATION],
  });
  return rows;
}

export interface ArrivalDbRow {
  readonly at: string;
  readonly outcome: "recorded" | "duplicate" | "mismatch";
  readonly payload_hash: Buffer;
  readonly request_id: string | null;
}

/** @param since when the message was first received, RFC 3339 */
export async function selectArrivals(
  q: Queryable,
  tenantId: string,
  inboxId: string,
  since: string,
): Promise<ArrivalDbRow[]> {
  const { rows } = await q.query<ArrivalDbRow>({
    text: `select ${iso("a.at")} as at, a.outcome, a.payload_hash, a.request_id from onceboard.inbox_arrivals a
where a.tenant_id = $1 and a.inbox_id = $2 and a.day >= ($3::timestamptz at time zone 'utc')::date order by a.at, a.id limit $4`,
    values: [tenantId, inboxId, since, OF_OPERATION],
  });
  return rows;
}
