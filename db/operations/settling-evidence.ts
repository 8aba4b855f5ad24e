import type { Queryable } from "@/db/client";

export interface SettlingEvidence {
  readonly provider_succeeded: boolean;
  readonly provider_declined: boolean;
  readonly webhook_succeeded: boolean;
  readonly webhook_failed: boolean;
  readonly posted: boolean;
}

/** Webhooks of one operation that are looked at. */
const WEBHOOKS_LIMIT = 50;

/**
 * What final sources say about an operation, for a person's decision that must not contradict them. A decline under another
 * provider key than the one that is open now ended an earlier attempt and says nothing about this one; a success
 * under any of them does.
 */
export async function settlingEvidence(
  db: Queryable,
  tenantId: string,
  operationId: string,
): Promise<SettlingEvidence> {
  const { rows } = await db.query<SettlingEvidence>({
    name: "settling_evidence",
    text: `with calls as (
             select p.provider_key, p.outcome, p.provider_key = o.provider_key as now from onceboard.provider_requests p
             left join onceboard.idempotency_open o on o.tenant_id = p.tenant_id and o.operation_id = p.operation_id
             where p.tenant_id = $1 and p.operation_id = $2),
           hooks as (
             select coalesce(m.provider_status, m.payload -> 'data' ->> 'status') as status, said.key in (select provider_key from calls where now) as now
             from onceboard.inbox_messages m cross join lateral (select coalesce(m.provider_key, m.payload -> 'data' ->> 'providerKey') as key) said
             where m.tenant_id = $1 and m.consumer = 'provider-webhook'
               and m.received_at >= (select r.created_at from onceboard.idempotency_requests r where r.tenant_id = $1 and r.operation_id = $2)
               and said.key in (select provider_key from calls)
             limit ${String(WEBHOOKS_LIMIT)})
           select coalesce((select bool_or(outcome = 'succeeded') from calls), false) as provider_succeeded,
             coalesce((select bool_or(outcome = 'declined') from calls where now), false) as provider_declined,
             coalesce((select bool_or(status = 'succeeded') from hooks), false) as webhook_succeeded,
             coalesce((select bool_or(status in ('declined', 'failed')) from hooks where now), false) as webhook_failed,
             exists (select 1 from onceboard.entries l where l.tenant_id = $1 and l.operation_id = $2) as posted`,
    values: [tenantId, operationId],
  });
  const row = rows[0];
  if (row === undefined) throw new Error("settling evidence: no row");
  return row;
}

export interface SentEvidence {
  /** The provider said once that it has this effect, or had a final word on it. */
  readonly seen: boolean;
  /** Milliseconds since anything was last sent for it, look-ups aside; null when nothing was. */
  readonly since_sent_ms: bigint | null;
  /** The provider's own reference, if it ever named one. */
  readonly reference: string | null;
}

/**
 * What the journal knows before an "absent" may be believed, of the provider key that is open now: an attempt whose decline
 * did not bind had another one, and says nothing about this.
 */
export async function sentEvidence(db: Queryable, tenantId: string, operationId: string): Promise<SentEvidence> {
  const { rows } = await db.query<SentEvidence>({
    name: "sent_evidence",
    text: `select coalesce(bool_or(p.outcome in ('succeeded', 'declined', 'processing', 'contradicting')), false) as seen,
             (extract(epoch from clock_timestamp() - max(p.sent_at) filter (where p.kind <> 'lookup')) * 1000)::bigint as since_sent_ms,
             max(p.provider_reference) as reference
           from onceboard.provider_requests p where p.tenant_id = $1 and p.operation_id = $2
             and p.provider_key = (select o.provider_key from onceboard.idempotency_open o
                                   where o.tenant_id = $1 and o.operation_id = $2)`,
    values: [tenantId, operationId],
  });
  const row = rows[0];
  if (row === undefined) throw new Error("sent evidence: no row");
  return row;
}
