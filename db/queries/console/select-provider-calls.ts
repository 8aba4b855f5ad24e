import type { Queryable } from "@/db/client";
import { iso } from "../sql-text";

/** Calls of one operation that its page reads, newest look-ups included. */
const CALLS = 200;

export interface ProviderCallDbRow {
  readonly id: string;
  readonly provider_key: string;
  readonly provider: string;
  readonly kind: string;
  readonly state: "prepared" | "sent" | "answered";
  readonly fence: number;
  readonly amount_minor: bigint | null;
  readonly currency: string | null;
  readonly outcome: string | null;
  readonly provider_reference: string | null;
  readonly detail: string | null;
  readonly prepared_at: string;
  readonly sent_at: string | null;
  readonly answered_at: string | null;
}

/** The journal of one operation, oldest first. */
export async function selectProviderCalls(
  q: Queryable,
  tenantId: string,
  operationId: string,
): Promise<ProviderCallDbRow[]> {
  const { rows } = await q.query<ProviderCallDbRow>({
    text: `select p.id, p.provider_key, p.provider, p.kind, p.state, p.fence, p.amount_minor, p.currency, p.outcome, p.provider_reference, p.detail,
  ${iso("p.prepared_at")} as prepared_at, ${iso("p.sent_at")} as sent_at, ${iso("p.answered_at")} as answered_at
from (select * from onceboard.provider_requests where tenant_id = $1 and operation_id = $2
  order by kind = 'lookup', prepared_at desc limit $3) p
order by p.prepared_at, p.id`,
    values: [tenantId, operationId, CALLS],
  });
  return rows;
}
