import type { Queryable } from "@/db/client";
import { only } from "@/db/query";
import type { OperationListRow } from "@/db/operations/select-operations";
import { selectOperationSparklines, type OperationSparklineRow } from "@/db/operations/select-operation-sparklines";
import { buildMiniChain, type ChainFacts } from "@/presentation/operation/mini-chain";
import { moneyView } from "@/presentation/operation/money-view";
import { kindOf, type OperationKind, type OperationKinds } from "@/domain/operation-kind";
import type { OperationRow } from "@/presentation/views/operations";
import type { ShownState } from "@/domain/lists/filters";

/** Milliseconds between two RFC 3339 texts, never negative. */
export function elapsedMs(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from));
}

export function shownState(row: { readonly state: ShownState; readonly stale: boolean }): ShownState {
  return row.stale ? "STALE" : row.state;
}

type Listed = Omit<OperationListRow, "sortValue">;
export type SparklineById = ReadonlyMap<string, OperationSparklineRow>;

/** What the answers and the chains of a page are drawn from: one statement. */
export async function sparklinesOf(
  q: Queryable,
  tenantId: string,
  rows: readonly Pick<Listed, "operationId" | "createdAt">[],
): Promise<SparklineById> {
  const [oldest] = rows.map((row) => row.createdAt).sort();
  if (oldest === undefined) return new Map();
  const ids = rows.map((row) => row.operationId);
  const found = await selectOperationSparklines(q, tenantId, ids, oldest);
  return new Map(found.map((sparkline) => [sparkline.operationId, sparkline]));
}

function chainFacts(row: Listed, sparkline: OperationSparklineRow | undefined, about: OperationKind): ChainFacts {
  return {
    about,
    state: shownState(row),
    responseStatus: row.responseStatus,
    ...(sparkline && only(sparkline, "provider", "answer", "word")),
    outbox: {
      pending: sparkline?.outboxPending ?? 0,
      dead: sparkline?.outboxDead ?? 0,
      published: sparkline?.outboxPublished ?? 0,
    },
    inbox: {
      recorded: sparkline?.inboxRecorded ?? 0,
      processed: sparkline?.inboxProcessed ?? 0,
      dead: sparkline?.inboxDead ?? 0,
    },
    ledger: sparkline?.ledger ?? 0,
  };
}

export function operationRow(
  row: Listed,
  sparkline: OperationSparklineRow | undefined,
  kinds: OperationKinds,
): OperationRow {
  const about = kindOf(kinds, row.operation);
  return {
    ...only(row, "operationId", "key", "operation", "client", "account", "reference", "errorCode", "createdAt"),
    kind: about.label,
    state: shownState(row),
    money: moneyView(row.amountMinor, row.currency),
    ageMs: elapsedMs(row.createdAt, row.at),
    answers: { answers: sparkline?.answers ?? [], total: sparkline?.answersTotal ?? 0 },
    chain: buildMiniChain(chainFacts(row, sparkline, about)),
  };
}
