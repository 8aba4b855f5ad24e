import type { Queryable } from "@/db/client";
import { only } from "@/db/query";
import { selectDoubtTotals, type AttentionDbRow } from "@/db/operations/select-attention";
import type { OperationSparklineRow } from "@/db/operations/select-operation-sparklines";
import { whyNotAsked } from "@/presentation/operation/allowed-actions";
import { whatIsKnown } from "@/presentation/operation/known-facts";
import { kindOf, providerOfKind, type OperationKinds } from "@/domain/operation-kind";
import { moneyView } from "@/presentation/operation/money-view";
import type { AttentionRow, DoubtTotal } from "@/presentation/views/operations";
import { elapsedMs, operationRow, sparklinesOf } from "./operation-row";

const WEBHOOK: Readonly<Record<string, "succeeded" | "failed" | "processing">> = {
  succeeded: "succeeded",
  declined: "failed",
  failed: "failed",
  processing: "processing",
};

/** With their answers, their chains and what is known: one more statement for the whole page. */
export async function attentionRows(
  q: Queryable,
  tenantId: string,
  rows: readonly AttentionDbRow[],
  kinds: OperationKinds,
): Promise<AttentionRow[]> {
  const sparklines = await sparklinesOf(q, tenantId, rows);
  return rows.map((row) => attentionRow(row, sparklines.get(row.operationId), kinds));
}

export function attentionRow(
  row: AttentionDbRow,
  sparkline: OperationSparklineRow | undefined,
  kinds: OperationKinds,
): AttentionRow {
  const about = kindOf(kinds, row.operation);
  const provider = providerOfKind(about, row.provider);
  return {
    ...operationRow(row, sparkline, kinds),
    ...only(row, "since", "checks", "nextCheckAt", "assignedTo"),
    forMs: elapsedMs(row.since, row.at),
    known: whatIsKnown({
      sent: sparkline?.provider === "sent" || sparkline?.provider === "answered",
      elsewhere: about.runsIn !== "module" && row.stage !== "RECEIVED",
      checks: provider?.queryable === false ? row.checks : row.lookUps,
      provider,
      lastFinding: row.lastFinding,
      webhook: row.webhook === undefined ? undefined : WEBHOOK[row.webhook],
    }),
    beingAsked: row.lockedUntil !== undefined && row.lockedUntil > row.at,
    ...only(row, "askedBy"),
    service: about.runsIn === "service" && about.owner !== "" ? about.owner : undefined,
    cannotBeAsked: whyNotAsked(about, { queryable: provider?.queryable, asked: row.askedBy !== undefined }),
  };
}

export async function doubtTotals(q: Queryable, tenantId: string): Promise<DoubtTotal[]> {
  const rows = await selectDoubtTotals(q, tenantId);
  return rows.map(({ minor, currency, count }) => ({ count, money: moneyView(minor, currency) }));
}
