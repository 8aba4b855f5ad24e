import type { Queryable } from "@/db/client";
import type { OperationListRow } from "@/db/operations/select-operations";
import { selectOperationSparklines, type OperationSparklineRow } from "@/db/operations/select-operation-sparklines";
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

type Listed = Omit<OperationListRow, "sort_value">;
export type SparklineById = ReadonlyMap<string, OperationSparklineRow>;

/** What the answers and the chains of a page are drawn from: one statement. */
export async function sparklinesOf(
  q: Queryable,
  tenantId: string,
  rows: readonly Pick<Listed, "operation_id" | "created_at">[],
): Promise<SparklineById> {
  const [oldest] = rows.map((row) => row.created_at).sort();
  if (oldest === undefined) return new Map();
  const ids = rows.map((row) => row.operation_id);
  const found = await selectOperationSparklines(q, tenantId, ids, oldest);
  return new Map(found.map((sparkline) => [sparkline.operation_id, sparkline]));
}

function chainFacts(row: Listed, sparkline: OperationSparklineRow | undefined): ChainFacts {
  return {
    operation: row.operation,
    state: shownState(row),
    responseStatus: row.response_status ?? undefined,
    provider: sparkline?.provider ?? undefined,
    outbox: {
      pending: sparkline?.outbox_pending ?? 0,
      dead: sparkline?.outbox_dead ?? 0,
      published: sparkline?.outbox_published ?? 0,
    },
    inbox: {
      recorded: sparkline?.inbox_recorded ?? 0,
      processed: sparkline?.inbox_processed ?? 0,
      dead: sparkline?.inbox_dead ?? 0,
    },
    ledger: sparkline?.ledger ?? 0,
  };
}

export function operationRow(row: Listed, sparkline: OperationSparklineRow | undefined): OperationRow {
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
    answers: { answers: sparkline?.answers ?? [], total: sparkline?.answers_total ?? 0 },
    chain: buildMiniChain(chainFacts(row, sparkline)),
  };
}
