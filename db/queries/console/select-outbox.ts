import type { Queryable } from "@/db/client";
import type { OutboxFilters } from "@/domain/filters/outbox";
import { keyset, within, type PageRequest, type SortColumns } from "../paging";
import { conditions, iso } from "../sql-text";

export interface OutboxDbRow {
  readonly id: string;
  readonly operation_id: string | null;
  readonly aggregate_type: string;
  readonly aggregate_id: string;
  readonly topic: string;
  readonly type: string;
  readonly created_at: string;
  readonly attempts: number;
  readonly last_error_code: string | null;
  readonly last_error: string | null;
  readonly position: bigint;
  readonly state: "pending" | "dead" | "published";
  readonly next_attempt_at: string | null;
  readonly owner: string | null;
  readonly locked_until: string | null;
  readonly published_at: string | null;
  /** Oldest message of the same aggregate that is before it and not published. */
  readonly behind: string | null;
  /** A consumer of ours that has this message id. */
  readonly consumer: string | null;
  readonly consumer_state: string | null;
  readonly consumer_at: string | null;
  readonly sort_value: string;
  readonly at: string;
}

const BASE = `m.id, m.operation_id, m.aggregate_type, m.aggregate_id, m.topic, m.type, ${iso("m.created_at")} as created_at,
  m.attempts_started as attempts, m.last_error_code, m.last_error, m.position, ${iso("now()")} as at`;
const CONSUMER = `left join lateral (
  select i.consumer, i.state, coalesce(i.processed_at, i.received_at) as at from onceboard.inbox_messages i
  where i.tenant_id = m.tenant_id and i.message_id = m.id::text order by i.state = 'processed' desc, i.received_at limit 1) c on true`;
const OPEN = `${BASE}, m.state, ${iso("m.next_attempt_at")} as next_attempt_at, m.owner, ${iso("m.locked_until")} as locked_until, null as published_at,
  (select b.id from onceboard.outbox_messages b where b.tenant_id = m.tenant_id and b.aggregate_type = m.aggregate_type
   and b.aggregate_id = m.aggregate_id and b.position < m.position order by b.position limit 1) as behind,
  c.consumer, c.state as consumer_state, ${iso("c.at")} as consumer_at`;
const PUBLISHED = `${BASE}, 'published' as state, null as next_attempt_at, null as owner, null as locked_until,
  ${iso("m.published_at")} as published_at, null as behind, c.consumer, c.state as consumer_state, ${iso("c.at")} as consumer_at`;

/** Dead first, then oldest: a dead message sorts before every position. */
export const OPEN_OUTBOX_SORT: SortColumns = {
  value: "(case when m.state = 'dead' then 0 else 1 end)::bigint",
  type: "bigint",
  id: "m.position",
  idType: "bigint",
};
/** Published newest first. */
export const PUBLISHED_SORT: SortColumns = { value: "m.published_at", type: "timestamptz", id: "m.id", idType: "uuid" };

/** One page of the outbox: the small open table, or the history of published messages inside the time window. */
export async function selectOutbox(
  q: Queryable,
  tenantId: string,
  filters: OutboxFilters,
  page: PageRequest,
): Promise<OutboxDbRow[]> {
  const where = conditions();
  const published = filters.state === "published";
  where.equal("m.tenant_id", tenantId);
  if (filters.state === "pending" || filters.state === "dead") where.equal("m.state", filters.state);
  where.equal("m.topic", filters.topic);
  where.equal("m.type", filters.type);
  where.equal("m.aggregate_id", filters.aggregate);
  where.equal("m.last_error_code", filters.error);
  where.equal("m.operation_id", filters.operationId);
  if (published) within(where, "m.published_at", filters);
  const sort = published ? PUBLISHED_SORT : OPEN_OUTBOX_SORT;
  const tail = keyset(where, sort, page);
  const { rows } = await q.query<OutboxDbRow>({
    text: `select ${published ? PUBLISHED : OPEN}, ${published ? iso(sort.value) : `(${sort.value})::text`} as sort_value
from onceboard.${published ? "outbox_history" : "outbox_messages"} m ${CONSUMER}
where ${where.text()}
${tail}`,
    values: where.values,
  });
  return rows;
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
    text: `select * from (
  select ${OPEN}, '' as sort_value from onceboard.outbox_messages m ${CONSUMER} where m.tenant_id = $1 and m.operation_id = $2
  union all
  select ${PUBLISHED}, '' from onceboard.outbox_history m ${CONSUMER}
  where m.tenant_id = $1 and m.operation_id = $2 and m.day >= ($3::timestamptz at time zone 'utc')::date) a
order by a.position limit $4`,
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
  const open = await q.query<OutboxDbRow & OutboxBodyRow>({
    text: `select ${OPEN}, '' as sort_value, m.payload, m.headers from onceboard.outbox_messages m ${CONSUMER} where m.tenant_id = $1 and m.id = $2`,
    values: [tenantId, id],
  });
  if (open.rows[0] !== undefined) return open.rows[0];
  const { rows } = await q.query<OutboxDbRow & OutboxBodyRow>({
    text: `select ${PUBLISHED}, '' as sort_value, m.payload, m.headers from onceboard.outbox_history m ${CONSUMER} where m.tenant_id = $1 and m.id = $2 limit 1`,
    values: [tenantId, id],
  });
  return rows[0];
}
