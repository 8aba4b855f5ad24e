import type { Queryable } from "@/db/client";

export interface JournalInput {
  readonly tenantId: string;
  readonly id: string;
  readonly operationId: string;
  readonly providerKey: string;
  readonly provider: string;
  /** `lookup`, or the kind of a call that is sent again with the same provider key. */
  readonly kind: string;
  readonly fence: number;
}

/** Journals a look-up or a repeated call as sent, before it is. */
export async function journalProviderRequest(db: Queryable, input: JournalInput): Promise<void> {
  await db.query({
    name: "journal_provider_request",
    text: `insert into onceboard.provider_requests
             (tenant_id, id, operation_id, provider_key, provider, kind, state, fence, prepared_at, sent_at)
           values ($1, $2, $3, $4, $5, $6, 'sent', $7, clock_timestamp(), clock_timestamp())`,
    values: [input.tenantId, input.id, input.operationId, input.providerKey, input.provider, input.kind, input.fence],
  });
}
