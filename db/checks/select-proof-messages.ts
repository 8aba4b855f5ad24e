import type { Queryable } from "@/db/client";
import type { InboxState, OutboxState } from "@/domain/idempotency/states";

/** Messages of one operation that a proof reads on either side. */
export const PROOF_MESSAGES = 200;

export interface ProofMessageRow {
  readonly id: string;
  readonly type: string;
  readonly state: OutboxState;
  readonly attempts: number;
  /** By what carried it, and by what an operator says of its topic now. */
  readonly to: "inbox" | "broker" | "elsewhere";
}

/**
 * Events of an operation wherever they lie, in order, one more than the limit; what carries a notification of it is no event.
 * @param since its creation, RFC 3339
 */
export async function selectProofOutbox(
  q: Queryable,
  tenantId: string,
  operationId: string,
  since: string,
): Promise<ProofMessageRow[]> {
  const { rows } = await q.query<ProofMessageRow>({
    text: `select a.id, a.type, a.state, a.attempts,
  case when t.destination is not null then 'elsewhere' when a.transport in ('nats', 'rabbitmq') then 'broker' else 'inbox' end as "to" from (
  select m.id, m.type, m.state, m.attempts_started as attempts, m.position, m.topic, null as transport
  from onceboard.outbox_messages m where m.tenant_id = $1 and m.operation_id = $2 and not m.headers ? 'notification'
  union all
  select h.id, h.type, 'published', h.attempts_started, h.position, h.topic, h.transport from onceboard.outbox_history h
  where h.tenant_id = $1 and h.operation_id = $2 and not h.headers ? 'notification' and h.day >= ($3::timestamptz at time zone 'utc')::date) a
left join onceboard.topics t on t.tenant_id = $1 and t.topic = a.topic
order by a.position limit $4`,
    values: [tenantId, operationId, since, PROOF_MESSAGES + 1],
  });
  return rows;
}

export interface ProofArrivalRow {
  readonly id: string;
  readonly consumer: string;
  readonly source: string;
  readonly message_id: string;
  readonly state: InboxState;
  readonly attempts: number;
  readonly duplicates: number;
  readonly mismatches: number;
  /** Of a provider's event: the status of the object that carries one of the operation's provider keys. */
  readonly says: string | null;
  readonly provider_key: string | null;
}

/**
 * Inbox rows about an operation, and those that hold one of its events under whatever operation; one more than the limit.
 * Nothing of a payload leaves the database but the provider's one word.
 *
 * @param messageIds of its events @param providerKeys under which the provider was asked
 */
export async function selectProofInbox(
  q: Queryable,
  tenantId: string,
  operationId: string,
  messageIds: readonly string[],
  providerKeys: readonly string[],
): Promise<ProofArrivalRow[]> {
  const columns = `i.id, i.consumer, i.source, i.message_id, i.state,
  coalesce((select o.attempts_started from onceboard.inbox_open o where o.tenant_id = $1 and o.id = i.id), i.attempts_started) as attempts, i.duplicates, i.mismatches, i.received_at,
  case when i.payload -> 'data' ->> 'providerKey' = any($4::text[]) then i.payload -> 'data' ->> 'status' end as says,
  case when i.payload -> 'data' ->> 'providerKey' = any($4::text[]) then i.payload -> 'data' ->> 'providerKey' end as provider_key`;
  const { rows } = await q.query<ProofArrivalRow>({
    text: `select a.id, a.consumer, a.source, a.message_id, a.state, a.attempts, a.duplicates, a.mismatches, a.says, a.provider_key from (
  select ${columns} from onceboard.inbox_messages i where i.tenant_id = $1 and i.operation_id = $2
  union
  select ${columns} from onceboard.inbox_messages i where i.tenant_id = $1 and i.message_id = any($3::text[])) a
order by a.received_at, a.id limit $5`,
    values: [tenantId, operationId, messageIds, providerKeys, PROOF_MESSAGES + 1],
  });
  return rows;
}
