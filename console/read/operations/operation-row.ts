import type { OperationListRow } from "@/db/operations/select-operations";
import type { OperationStripRow } from "@/db/operations/select-operation-strips";
import { buildMiniChain, type ChainFacts } from "@/presentation/operation/mini-chain";
import { moneyView } from "@/presentation/operation/money-view";
import { operationKind } from "@/domain/operation-label";
import type { OperationRow } from "@/presentation/views/operations";
import type { ShownState } from "@/domain/lists/filters";

/** Milliseconds between two RFC 3339 texts, never negative. */
export function elapsedMs(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from));
}

export function shownState(row: { readonly state: ShownState; readonly stale: boolean }): ShownState {
  return row.stale ? "STALE" : row.state;
}

export function chainFacts(row: OperationListRow, strip: OperationStripRow | undefined): ChainFacts {
  return {
    operation: row.operation,
    state: shownState(row),
    responseStatus: row.response_status ?? undefined,
    provider: strip?.provider ?? undefined,
    outbox: {
      pending: strip?.outbox_pending ?? 0,
      dead: strip?.outbox_dead ?? 0,
      published: strip?.outbox_published ?? 0,
    },
    inbox: {
      recorded: strip?.inbox_recorded ?? 0,
      processed: strip?.inbox_processed ?? 0,
      dead: strip?.inbox_dead ?? 0,
    },
    ledger: strip?.ledger ?? 0,
  };
}

export function operationRow(row: OperationListRow, strip: OperationStripRow | undefined): OperationRow {
  return {
    operationId: row.operation_id,
    key: row.key,
    operation: row.operation,
    kind: operationKind(row.operation),
    state: shownState(row),
    client: row.client,
    account: row.account_id ?? undefined,
    reference: row.reference ?? undefined,
    money: moneyView(row.amount_minor, row.currency),
    errorCode: row.error_code ?? undefined,
    createdAt: row.created_at,
    ageMs: elapsedMs(row.created_at, row.at),
    answers: { answers: strip?.answers ?? [], total: strip?.answers_total ?? 0 },
    chain: buildMiniChain(chainFacts(row, strip)),
  };
}
