import { and, asc, eq } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { pick, rowsOf, select, type RowOf } from "@/db/query";
import { ledgerEntries } from "@/db/schema";

const l = alias(ledgerEntries, "l");

export type LedgerEntry = Omit<typeof ledgerEntries.$inferSelect, "postedAt">;

/** Posts once per cause. @returns false when the cause has its entry already. */
export async function insertLedgerEntry(db: Queryable, entry: LedgerEntry): Promise<boolean> {
  const { tenantId, id, entryType, sourceId, operationId, debitAccount, creditAccount, amountMinor, currency } = entry;
  const { rowCount } = await db.query({
    name: "insert_ledger_entry",
    text: `insert into onceboard.ledger_entries
             (tenant_id, id, entry_type, source_id, operation_id, debit_account, credit_account, amount_minor, currency, posted_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp())
           on conflict (tenant_id, entry_type, source_id) do nothing`,
    values: [tenantId, id, entryType, sourceId, operationId, debitAccount, creditAccount, amountMinor, currency],
  });
  return rowCount === 1;
}

export type LedgerDbRow = RowOf<typeof selectLedgerEntries>;

const ENTRIES = 50;
const FIELDS = {
  ...pick(l, "id", "entryType", "sourceId", "debitAccount", "creditAccount", "amountMinor", "currency", "postedAt"),
};

export async function selectLedgerEntries(q: Queryable, tenantId: string, operationId: string) {
  const query = select(FIELDS)
    .from(l)
    .where(and(eq(l.tenantId, tenantId), eq(l.operationId, operationId)))
    .orderBy(asc(l.postedAt), asc(l.id))
    .limit(ENTRIES);
  return rowsOf(q, query);
}
