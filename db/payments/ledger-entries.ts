import type { Queryable } from "@/db/client";
import { iso } from "@/db/sql-text";

export interface LedgerEntry {
  readonly tenantId: string;
  readonly id: string;
  readonly entryType: "payment" | "refund" | "void";
  readonly sourceId: string;
  readonly operationId: string;
  readonly debitAccount: string;
  readonly creditAccount: string;
  readonly amountMinor: bigint;
  readonly currency: string;
}

/** Posts once per cause. @returns false when the cause has its entry already. */
export async function insertLedgerEntry(db: Queryable, entry: LedgerEntry): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "insert_ledger_entry",
    text: `insert into onceboard.ledger_entries
             (tenant_id, id, entry_type, source_id, operation_id, debit_account, credit_account, amount_minor, currency, posted_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp())
           on conflict (tenant_id, entry_type, source_id) do nothing`,
    values: [
      entry.tenantId,
      entry.id,
      entry.entryType,
      entry.sourceId,
      entry.operationId,
      entry.debitAccount,
      entry.creditAccount,
      entry.amountMinor,
      entry.currency,
    ],
  });
  return rowCount === 1;
}

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
