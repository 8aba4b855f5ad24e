import type { Queryable } from "@/engine/index";

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
  const { tenantId, id, entryType, sourceId, operationId, debitAccount, creditAccount, amountMinor, currency } = entry;
  const { rowCount } = await db.query({
    name: "insert_ledger_entry",
    text: `insert into payments.ledger_entries
             (tenant_id, id, entry_type, source_id, operation_id, debit_account, credit_account, amount_minor, currency, posted_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp())
           on conflict (tenant_id, entry_type, source_id) do nothing`,
    values: [tenantId, id, entryType, sourceId, operationId, debitAccount, creditAccount, amountMinor, currency],
  });
  return rowCount === 1;
}
