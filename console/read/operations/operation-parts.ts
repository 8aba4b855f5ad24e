import { only } from "@/db/query";
import type { EntryDbRow } from "@/db/evidence/select-entries";
import type { OperationEventRow } from "@/db/operations/select-operation-events";
import type { ProviderCallDbRow } from "@/db/provider/provider-calls";
import { moneyView } from "@/presentation/operation/money-view";
import type { EventRow, LedgerRow, ProviderCallRow } from "@/presentation/views/operations";
import { elapsedMs } from "./operation-row";

export function providerCallRow(row: ProviderCallDbRow): ProviderCallRow {
  const { amountMinor, currency, providerReference: reference, ...shown } = row;
  const { sentAt, answeredAt } = shown;
  return {
    ...shown,
    reference,
    money: moneyView(amountMinor, currency),
    tookMs: sentAt === undefined || answeredAt === undefined ? undefined : elapsedMs(sentAt, answeredAt),
  };
}

export function ledgerRow({ amountMinor, currency, ...shown }: EntryDbRow): LedgerRow {
  return { ...shown, money: moneyView(amountMinor, currency) };
}

export function eventRow(row: OperationEventRow): EventRow {
  return { ...only(row, "id", "at", "type", "outcome", "fence", "attempt", "code"), by: row.actor ?? row.client };
}
