import { and, desc, eq, isNotNull, lt, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { endpointState } from "@/db/messages/endpoint-state";
import { holdingOf, type HoldingRow } from "@/db/messages/dead-letter-facts";
import { callScalar } from "@/db/named-call";
import { payloadPurged } from "./sealed-member";
import { rowsOf, same, select, timeText } from "@/db/query";
import { outboxHistory } from "@/db/schema";
import { REPUBLISH_AFTER_MINUTES, REPUBLISH_MAX, type Republication } from "@/domain/messages/republish-verdict";
import type { EndpointState } from "@/domain/messages/requeue-verdict";
import type { PublishedScope } from "@/domain/lists/filters";

export interface RepublishFactsRow {
  readonly id: string;
  readonly topic: string;
  readonly type: string;
  readonly aggregateId: string;
  readonly operationId?: string | undefined;
  readonly publishedAt: string;
  readonly publishedBy?: string | undefined;
  readonly transport?: string | undefined;
  readonly attempts: number;
  readonly recent: boolean;
  readonly old: boolean;
  /** Nothing opens its payload any more. */
  readonly purged: boolean;
  readonly republished: readonly Republication[];
  /** State of the operation it tells of, if that is still kept. */
  readonly operationState?: string | undefined;
  readonly destination?: string | undefined;
  readonly paused: boolean;
  readonly endpoint?: EndpointState | undefined;
  readonly holding: readonly HoldingRow[];
}

/**
 * What decides whether published messages may be published again: one statement for all of these ids.
 *
 * @param source of our own outbox @param days that arrivals are kept
 */
export async function republishFacts(
  q: Queryable,
  { tenantId, source, days }: { readonly tenantId: string; readonly source: string; readonly days: number },
  ids: readonly string[],
): Promise<RepublishFactsRow[]> {
  if (ids.length === 0) return [];
  return rowsOf(
    q,
    sql<RepublishFactsRow>`select m.id, m.topic, m.type, m.aggregate_id, m.operation_id, ${timeText(sql`m.published_at`)} as published_at, m.published_by,
  m.transport, m.attempts_started as attempts, coalesce(m.republished, '[]'::jsonb) as republished,
  m.published_at > clock_timestamp() - make_interval(mins => ${REPUBLISH_AFTER_MINUTES}) as recent,
  m.created_at < clock_timestamp() - make_interval(days => ${days}) as old, ${payloadPurged(sql`m`)} as purged,
  r.state as operation_state, t.destination, t.paused_at is not null as paused, ${endpointState(sql`m.topic`, sql`e`)} as endpoint,
  coalesce(h.holding, '[]'::json) as holding
from onceboard.outbox_history m
left join onceboard.idempotency_requests r on r.tenant_id = m.tenant_id and r.operation_id = m.operation_id
left join onceboard.topics t on t.tenant_id = m.tenant_id and t.topic = m.topic
left join onceboard.webhook_endpoints e on e.tenant_id = m.tenant_id and 'webhook:' || e.id::text = m.topic
left join lateral (${holdingOf(tenantId, source)}) h on true
where m.tenant_id = ${tenantId} and m.id = any (${sql.param(ids)}::uuid[])`,
    "republish_facts",
  );
}

const h = alias(outboxHistory, "h");

/** Ids of what was published within a scope and sent, the newest first. @param until RFC 3339, excluded */
export async function publishedIds(
  q: Queryable,
  tenantId: string,
  scope: PublishedScope,
  limit: number,
): Promise<readonly string[]> {
  const query = select({ id: h.id })
    .from(h)
    .where(and(eq(h.tenantId, tenantId), isNotNull(h.transport), ...ofScope(scope)))
    .orderBy(desc(h.publishedAt), desc(h.id))
    .limit(limit);
  return (await rowsOf(q, query)).map(({ id }) => id);
}

function ofScope({
  topic,
  transport,
  type,
  aggregate,
  error,
  operationId,
  from,
  to,
}: PublishedScope): (SQL | undefined)[] {
  return [
    same(h.topic, topic),
    transport && eq(h.transport, transport),
    same(h.type, type),
    same(h.aggregateId, aggregate),
    same(h.lastErrorCode, error),
    same(h.operationId, operationId),
    from === undefined ? undefined : sql`${h.publishedAt} >= ${from}::timestamptz`,
    to === undefined ? undefined : lt(h.publishedAt, sql`${to}::timestamptz`),
  ];
}

/**
 * Puts a published message back into the outbox.
 * @returns `moved`: it is not published (any more); `spent`: it was published again REPUBLISH_MAX times
 */
export async function republishMessage(
  db: Queryable,
  message: { readonly tenantId: string; readonly id: string },
  by: { readonly actor: string; readonly reason: string },
): Promise<"republished" | "moved" | "spent"> {
  const values = [message.tenantId, message.id, by.actor, by.reason, REPUBLISH_MAX];
  return (await callScalar<"republished" | "moved" | "spent">(db, "republish_outbox", values)) ?? "moved";
}
