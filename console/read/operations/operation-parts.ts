import type { LedgerDbRow } from "@/db/payments/ledger-entries";
import type { OperationEventRow } from "@/db/operations/select-operation-events";
import type { ProviderCallDbRow } from "@/db/provider/provider-calls";
import { moneyView } from "@/presentation/operation/money-view";
import type { EventRow, LedgerRow, ProviderCallRow } from "@/presentation/views/operations";
import { elapsedMs } from "./operation-row";

export function providerCallRow(row: ProviderCallDbRow): ProviderCallRow {
  return {
    id: row.id,
    kind: row.kind,
    provider: row.provider,
    providerKey: row.provider_key,
    state: row.state,
    fence: row.fence,
    outcome: row.outcome ?? undefined,
    reference: row.provider_reference ?? undefined,
    money: moneyView(row.amount_minor, row.currency),
    detail: row.detail ?? undefined,
    preparedAt: row.prepared_at,
    sentAt: row.sent_at ?? undefined,
    answeredAt: row.answered_at ?? undefined,
    tookMs: row.sent_at === null || row.answered_at === null ? undefined : elapsedMs(row.sent_at, row.answered_at),
  };
}

export function ledgerRow(row: LedgerDbRow): LedgerRow {
  return {
    id: row.id,
    entryType: row.entry_type,
    sourceId: row.source_id,
    debitAccount: row.debit_account,
    creditAccount: row.credit_account,
    money: moneyView(row.amount_minor, row.currency),
    postedAt: row.posted_at,
  };
}

export function eventRow(row: OperationEventRow): EventRow {
  return {
    id: row.id,
    at: row.at,
    type: row.type,
    outcome: row.outcome ?? undefined,
    by: row.actor ?? row.client ?? undefined,
    fence: row.fence ?? undefined,
    attempt: row.attempt ?? undefined,
    code: row.code ?? undefined,
  };
}
