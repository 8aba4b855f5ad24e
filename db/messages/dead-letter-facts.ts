import { sql, type SQL } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { rowsOf, timeText } from "@/db/query";
import type { EndpointState } from "@/domain/messages/requeue-verdict";
import { correctedBy } from "./corrected-by";
import { endpointState } from "./endpoint-state";

export interface InboxFactsRow {
  readonly id: string;
  readonly state: "recorded" | "processed" | "dead" | "discarded";
  readonly consumer: string;
  readonly leased: boolean;
  readonly lockedUntil?: string | undefined;
  readonly processedAt?: string | undefined;
  /** What its consumer said of it. */
  readonly result?: string | undefined;
  readonly attemptsStarted: number;
  readonly attemptsFinished: number;
  readonly mismatches: number;
  readonly lastErrorCode?: string | undefined;
  /** State of the operation it tells of, if that is still kept. */
  readonly operationState?: string | undefined;
}

/** What decides about messages of the inbox: one statement for all of these ids. */
export async function inboxFacts(q: Queryable, tenantId: string, ids: readonly string[]): Promise<InboxFactsRow[]> {
  if (ids.length === 0) return [];
  return rowsOf(
    q,
    sql<InboxFactsRow>`select m.id, m.state, m.consumer, coalesce(o.locked_until > clock_timestamp(), false) as leased, ${timeText(sql`o.locked_until`)} as locked_until,
  ${timeText(sql`m.processed_at`)} as processed_at, m.result, coalesce(o.attempts_started, m.attempts_started) as attempts_started,
  coalesce(o.attempts_finished, m.attempts_finished) as attempts_finished, m.mismatches, m.last_error_code, r.state as operation_state
from onceboard.inbox_messages m
left join onceboard.inbox_open o on o.tenant_id = m.tenant_id and o.id = m.id
left join onceboard.idempotency_requests r on r.tenant_id = m.tenant_id and r.operation_id = m.operation_id
where m.tenant_id = ${tenantId} and m.id = any (${sql.param(ids)}::uuid[])`,
    "inbox_facts",
  );
}

/** Consumers of one message that are looked at. */
const HOLDING_LIMIT = 20;

export interface HoldingRow {
  readonly id: string;
  readonly consumer: string;
  readonly state: "recorded" | "processed" | "dead" | "discarded";
  readonly at: string;
  /** SHA-256 of what arrived, hexadecimal. */
  readonly hash: string;
}

/** Rows of our inboxes that hold the message `m`, as `holding`. @param source of our own outbox */
export const holdingOf = (tenantId: string, source: string): SQL => sql`
  select json_agg(i order by i.consumer) as holding from (
    select n.id, n.consumer, n.state, ${timeText(sql`coalesce(n.processed_at, n.received_at)`)} as at, encode(n.payload_hash, 'hex') as hash
    from onceboard.inbox_messages n where n.tenant_id = ${tenantId} and n.message_id = m.id::text and n.source = ${source}
    order by n.consumer limit ${HOLDING_LIMIT}) i`;

export interface OutboxFactsRow {
  readonly id: string;
  readonly state: "pending" | "published" | "dead" | "discarded";
  readonly topic: string;
  readonly leased: boolean;
  readonly lockedUntil?: string | undefined;
  readonly publishedAt?: string | undefined;
  readonly attemptsStarted: number;
  readonly lastErrorCode?: string | undefined;
  /** State of the operation it tells of, if that is still kept. */
  readonly operationState?: string | undefined;
  /** As an operator set it for the topic. */
  readonly destination?: string | undefined;
  readonly paused: boolean;
  /** While it is pending: what the oldest message before it in its order is. */
  readonly behind?: "pending" | "dead" | undefined;
  readonly endpoint?: EndpointState | undefined;
  /** Of a discarded one: what was sent in its place. */
  readonly correctedBy?: string | undefined;
  readonly holding: readonly HoldingRow[];
}

const open = (tenantId: string, ids: readonly string[]): SQL => sql`
  select id, state, topic, coalesce(locked_until > clock_timestamp(), false) as leased, locked_until, null::timestamptz as published_at,
    attempts_started, last_error_code, operation_id,
    case when state = 'pending' then (
      select b.state from onceboard.outbox_messages b
      where b.tenant_id = o.tenant_id and b.aggregate_type = o.aggregate_type and b.aggregate_id = o.aggregate_id
        and b.position < o.position and b.state <> 'discarded' order by b.position limit 1) end as behind,
    ${correctedBy("o")} as corrected_by
  from onceboard.outbox_messages o where tenant_id = ${tenantId} and id = any (${sql.param(ids)}::uuid[])`;
const published = (tenantId: string, ids: readonly string[]): SQL => sql`
  select id, 'published' as state, topic, false as leased, null::timestamptz as locked_until, published_at, attempts_started, last_error_code,
    operation_id, null as behind, null::uuid as corrected_by
  from onceboard.outbox_history where tenant_id = ${tenantId} and id = any (${sql.param(ids)}::uuid[])`;

/**
 * What decides about messages of the outbox: one statement for all of these ids.
 *
 * @param where `open`: pending, dead or discarded. `published`: in the history, which every day has its own of, so for few ids
 */
export async function outboxFacts(
  q: Queryable,
  tenantId: string,
  source: string,
  ids: readonly string[],
  where: "open" | "published",
): Promise<OutboxFactsRow[]> {
  if (ids.length === 0) return [];
  return rowsOf(
    q,
    sql<OutboxFactsRow>`select m.id, m.state, m.topic, m.leased, ${timeText(sql`m.locked_until`)} as locked_until, ${timeText(sql`m.published_at`)} as published_at,
  m.attempts_started, m.last_error_code, r.state as operation_state, t.destination, t.paused_at is not null as paused, m.behind, ${endpointState(sql`m.topic`, sql`e`)} as endpoint, m.corrected_by,
  coalesce(h.holding, '[]'::json) as holding
from (${(where === "open" ? open : published)(tenantId, ids)}) m
left join onceboard.idempotency_requests r on r.tenant_id = ${tenantId} and r.operation_id = m.operation_id
left join onceboard.topics t on t.tenant_id = ${tenantId} and t.topic = m.topic
left join onceboard.webhook_endpoints e on e.tenant_id = ${tenantId} and 'webhook:' || e.id::text = m.topic
left join lateral (${holdingOf(tenantId, source)}) h on true`,
    `outbox_facts_${where}`,
  );
}

export interface OutboxEnvelopeRow {
  readonly id: string;
  readonly type: string;
  readonly aggregate_type: string;
  readonly aggregate_id: string;
  readonly payload: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly created_at: Date;
  readonly position: bigint;
}

/** What messages are sent as, for the few whose payload must be compared. @param where those that wait or died, or those that have left */
export async function outboxEnvelopes(
  q: Queryable,
  tenantId: string,
  ids: readonly string[],
  where: "outbox_messages" | "outbox_history" = "outbox_messages",
): Promise<OutboxEnvelopeRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await q.query<OutboxEnvelopeRow>({
    name: `${where}_envelopes`,
    text: `select id, type, aggregate_type, aggregate_id, payload, headers, created_at, position
           from onceboard.${where} where tenant_id = $1 and id = any ($2::uuid[])`,
    values: [tenantId, ids],
  });
  return rows;
}
