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

/** Journals a look-up or a repeated call as sent, before it is. @returns false when fenced: nothing may be sent. */
export async function journalProviderRequest(db: Queryable, input: JournalInput): Promise<boolean> {
  const { rows } = await db.query<{ done: boolean }>({
    name: "journal_provider_request",
    text: "select onceboard.journal_provider_request($1,$2,$3,$4,$5,$6,$7) as done",
    values: [input.tenantId, input.operationId, input.fence, input.id, input.providerKey, input.provider, input.kind],
  });
  return rows[0]?.done === true;
}
