import type { Queryable } from "@/db/client";
import { iso } from "../sql-text";

export interface LedgerDbRow {
  readonly id: string;
  readonly entry_type: string;
  readonly source_id: string;
  readonly debit_account: string;
  readonly credit_account: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly posted_at: string;
}

const ENTRIES = 50;

export async function selectLedgerEntries(q: Queryable, tenantId: string, operationId: string): Promise<LedgerDbRow[]> {
  const { rows } = await q.query<LedgerDbRow>({
    text: `select l.id, l.entry_type, l.source_id, l.debit_account, l.credit_account, l.amount_minor, l.currency, ${iso("l.posted_at")} as posted_at
from onceboard.ledger_entries l where l.tenant_id = $1 and l.operation_id = $2 order by l.posted_at, l.id limit $3`,
    values: [tenantId, operationId, ENTRIES],
  });
  return rows;
}
