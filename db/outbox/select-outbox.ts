import type { Queryable } from "@/db/client";
import { ordered, selectHorizon, within, type PageRequest, type Place, type SortColumns } from "../paging";
import { conditions, iso, type Conditions } from "../sql-text";
import { olderSeconds } from "@/domain/lists/window";
import type { OutboxFilters } from "@/domain/lists/filters";

export interface OutboxDbRow {
  readonly id: string;
  readonly operation_id: string | null;
  readonly aggregate_type: string;
  readonly aggregate_id: string;
  readonly topic: string;
  readonly type: string;
  readonly created_at: string;
  /** Started. */
  readonly attempts: number;
  readonly attempts_finished: number;
  readonly last_error_code: string | null;
  readonly last_error: string | null;
  readonly position: bigint;
  readonly state: "pending" | "dead" | "discarded" | "published";
  readonly next_attempt_at: string | null;
  readonly owner: string | null;
  readonly locked_until: string | null;
  readonly published_at: string | null;
  readonly published_by: string | null;
  /** What carried it; of an open one what an operator chose for its topic. */
  readonly transport: string | null;
  /** It carries a notification, not an event of ours. */
  readonly notification: boolean;
  /** Of the merchant's endpoint that its topic belongs to. */
  readonly endpoint_url: string | null;
  readonly paused: boolean;
  /** Oldest message of the same aggregate that is before it and not published. */
  readonly behind: string | null;
  /** A consumer of ours that has this message id. */
  readonly consumer: string | null;
  readonly consumer_state: string | null;
  readonly consumer_at: string | null;
  readonly sort_value: string;
  readonly at: string;
}

const COMMON = `m.tenant_id, m.id, m.operation_id, m.aggregate_type, m.aggregate_id, m.topic, m.type, m.created_at, m.attempts_started,
  m.attempts_finished, m.last_error_code, m.last_error, m.position, m.headers ? 'notification' as notification`;
const OPEN_COLUMNS = `${COMMON}, m.state, m.next_attempt_at, m.owner, m.locked_until, null::timestamptz as published_at, null as published_by, null as carried`;
const PUBLISHED_COLUMNS = `${COMMON}, 'published' as state, null::timestamptz as next_attempt_at, null as owner, null::timestamptz as locked_until,
  m.published_at, m.published_by, m.transport as carried`;
/** Looked up for the rows of a page only. */
const SHOWN = `m.id, m.operation_id, m.aggregate_type, m.aggregate_id, m.topic, m.type, ${iso("m.created_at")} as created_at,
  m.attempts_started as attempts, m.attempts_finished, m.last_error_code, m.last_error, m.position, m.notification, m.state,
  ${iso("m.next_attempt_at")} as next_attempt_at, m.owner, ${iso("m.locked_until")} as locked_until, ${iso("m.published_at")} as published_at,
  m.published_by, case when m.state = 'published' then m.carried else t.transport end as transport, t.paused_at is not null as paused,
  e.url as endpoint_url, b.id as behind, c.consumer, c.state as consumer_state, ${iso("c.at")} as consumer_at, ${iso("now()")} as at`;
const BESIDE = `left join onceboard.topics t on t.tenant_id = m.tenant_id and t.topic = m.topic
left join onceboard.webhook_endpoints e on e.tenant_id = m.tenant_id and m.topic = 'webhook:' || e.id::text
left join lateral (
  select i.consumer, i.state, coalesce(i.processed_at, i.received_at) as at from onceboard.inbox_messages i
  where i.tenant_id = m.tenant_id and i.message_id = m.id::text order by i.state = 'processed' desc, i.received_at limit 1) c on true
left join lateral (
  select b.id from onceboard.outbox_messages b
  where m.state = 'pending' and b.tenant_id = m.tenant_id and b.aggregate_type = m.aggregate_type and b.aggregate_id = m.aggregate_id
    and b.position < m.position and b.state <> 'discarded' order by b.position limit 1) b on true`;

/** Dead first, then oldest: a dead message sorts before every position. */
export const OPEN_OUTBOX_SORT: SortColumns = {
  value: "(case when m.state = 'dead' then 0 else 1 end)::bigint",
  type: "bigint",
  id: "m.position",
  idType: "bigint",
};
/** Published newest first. */
export const PUBLISHED_SORT: SortColumns = { value: "m.published_at", type: "timestamptz", id: "m.id", idType: "uuid" };

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
): Promise<OutboxDbRow[]> {
  const published = filters.state === "published";
  const { where, order, sort } = windowOf(tenantId, filters, page);
  const only = conditions(where.values);
  addFilters(only, tenantId, filters, published ? undefined : fallback);
  const look = page.look === undefined || !published ? "" : `${order} limit ${where.param(page.look)}`;
  const sortValue = published ? iso(sort.value) : `(${sort.value})::text`;
  const { rows } = await q.query<OutboxDbRow>({
    text: `select ${SHOWN}, ${sortValue} as sort_value
from (select ${published ? PUBLISHED_COLUMNS : OPEN_COLUMNS} from (
    select m.* from onceboard.${published ? "outbox_history" : "outbox_messages"} m where ${where.text()} ${look}) m
  where ${only.text()}
  ${order} limit ${only.param(page.limit + 1)}) m
${BESIDE}
${order}`,
    values: where.values,
  });
  return rows;
}

/** Where a page of published messages that looked at `look` rows ended; undefined at the end of the window. */
export async function selectOutboxHorizon(
  q: Queryable,
  tenantId: string,
  filters: OutboxFilters,
  page: PageRequest & { readonly look: number },
): Promise<Place | undefined> {
  if (filters.state !== "published") return undefined;
  const { where, order, sort } = windowOf(tenantId, filters, page);
  return selectHorizon(q, { from: "onceboard.outbox_history m", where, order }, sort, page.look);
}

/** What an index finds, in the list's order. */
function windowOf(
  tenantId: string,
  filters: OutboxFilters,
  page: PageRequest,
): { where: Conditions; order: string; sort: SortColumns } {
  const where = conditions();
  const published = filters.state === "published";
  where.equal("m.tenant_id", tenantId);
  where.equal("m.operation_id", filters.operationId);
  if (published) within(where, "m.published_at", filters);
  const sort = published ? PUBLISHED_SORT : OPEN_OUTBOX_SORT;
  return { where, order: ordered(where, sort, page), sort };
}

function addFilters(where: Conditions, tenantId: string, filters: OutboxFilters, fallback: string | undefined): void {
  where.equal("m.tenant_id", tenantId);
  ofState(where, filters.state);
  where.equal("m.topic", filters.topic);
  where.equal("m.type", filters.type);
  where.equal("m.aggregate_id", filters.aggregate);
  where.equal("m.last_error_code", filters.error);
  if (filters.transport !== undefined) carriedBy(where, filters.transport, fallback);
  if (filters.older !== undefined)
    where.add(`m.created_at <= now() - make_interval(secs => ${where.param(olderSeconds(filters.older))})`);
}

function ofState(where: Conditions, state: OutboxFilters["state"]): void {
  if (state === "open") where.add("m.state in ('pending', 'dead')");
  else if (state === "failing") where.add("m.state = 'pending' and m.last_error_code is not null");
  else if (state !== "published") where.equal("m.state", state);
}

/** The same choice as the relay makes. @param fallback undefined: what really carried it is written down */
function carriedBy(where: Conditions, transport: string, fallback: string | undefined): void {
  if (fallback === undefined) {
    where.equal("m.transport", transport);
    return;
  }
  const chosen = `coalesce((select s.transport from onceboard.topics s where s.tenant_id = m.tenant_id and s.topic = m.topic), ${where.param(fallback)})`;
  where.add(
    `case when m.topic = 'mail' then 'mail' when m.topic like 'webhook:%' then 'http' else ${chosen} end = ${where.param(transport)}`,
  );
}

const OF_OPERATION = 50;

/** All messages of one operation, open and published, in order. @param since its creation, RFC 3339 */
export async function selectOutboxOfOperation(
  q: Queryable,
  tenantId: string,
  operationId: string,
  since: string,
): Promise<OutboxDbRow[]> {
  const { rows } = await q.query<OutboxDbRow>({
    text: `select ${SHOWN}, '' as sort_value from (select * from (
  select ${OPEN_COLUMNS} from onceboard.outbox_messages m where m.tenant_id = $1 and m.operation_id = $2
  union all
  select ${PUBLISHED_COLUMNS} from onceboard.outbox_history m
  where m.tenant_id = $1 and m.operation_id = $2 and m.day >= ($3::timestamptz at time zone 'utc')::date) a
order by a.position limit $4) m
${BESIDE}
order by m.position`,
    values: [tenantId, operationId, since, OF_OPERATION],
  });
  return rows;
}

export interface OutboxBodyRow {
  readonly payload: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** One message by id, wherever it lies, with its payload. */
export async function selectOutboxMessage(
  q: Queryable,
  tenantId: string,
  id: string,
): Promise<(OutboxDbRow & OutboxBodyRow) | undefined> {
  const read = async (table: string, columns: string) =>
    (
      await q.query<OutboxDbRow & OutboxBodyRow>({
        text: `select ${SHOWN}, '' as sort_value, m.payload, m.headers from (select ${columns}, m.payload, m.headers from onceboard.${table} m
where m.tenant_id = $1 and m.id = $2 limit 1) m ${BESIDE}`,
        values: [tenantId, id],
      })
    ).rows[0];
  return (await read("outbox_messages", OPEN_COLUMNS)) ?? (await read("outbox_history", PUBLISHED_COLUMNS));
}
