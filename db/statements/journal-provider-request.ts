import type { Queryable } from "@/db/client";
import { namedCall } from "./named-call";

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
  const { call, values } = namedCall("journal_provider_request", {
    tenant: input.tenantId,
    operation_id: input.operationId,
    fence: input.fence,
    id: input.id,
    provider_key: input.providerKey,
    provider: input.provider,
    kind: input.kind,
  });
  const { rows } = await db.query<{ done: boolean }>({
    name: "journal_provider_request",
    text: `select ${call} as done`,
    values,
  });
  return rows[0]?.done === true;
}
