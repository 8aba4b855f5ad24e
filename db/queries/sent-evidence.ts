import type { Queryable } from "@/db/client";

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
