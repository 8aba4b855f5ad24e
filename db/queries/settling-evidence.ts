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
             select m.payload -> 'data' ->> 'status' as status,
               m.payload -> 'data' ->> 'providerKey' in (select provider_key from calls where now) as now
             from onceboard.inbox_messages m
             where m.tenant_id = $1 and m.consumer = 'provider-webhook'
               and m.received_at >= (select r.created_at from onceboard.idempotency_requests r where r.tenant_id = $1 and r.operation_id = $2)
               and m.payload -> 'data' ->> 'providerKey' in (select provider_key from calls)
             limit ${String(WEBHOOKS_LIMIT)})
           select coalesce((select bool_or(outcome = 'succeeded') from calls), false) as provider_succeeded,
             coalesce((select bool_or(outcome = 'declined') from calls where now), false) as provider_declined,
             coalesce((select bool_or(status = 'succeeded') from hooks), false) as webhook_succeeded,
             coalesce((select bool_or(status in ('declined', 'failed')) from hooks where now), false) as webhook_failed,
             exists (select 1 from onceboard.ledger_entries l where l.tenant_id = $1 and l.operation_id = $2) as posted`,
    values: [tenantId, operationId],
  });
  const row = rows[0];
  if (row === undefined) throw new Error("settling evidence: no row");
  return row;
}
