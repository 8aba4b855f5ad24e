import type { PlanItemCountRow, PlanItemDbRow } from "@/db/plans/select-plan-items";
import { only } from "@/db/query";
import type { PlanDbRow } from "@/db/plans/select-plans";
import { PLAN_EXPIRED_BY, PLAN_EXPIRES_DAYS, PLAN_ITEM_STATES, type PlanItemState } from "@/domain/plans/plan";
import { PLAN_CANARY_BY } from "@/domain/plans/canary";
import { NO_RESULTS, type ResultCounts } from "@/presentation/plan/plan-results";
import { moneyView } from "@/presentation/operation/money-view";
import { scopeWords } from "@/presentation/plan/plan-words";
import type { PlanItemRow, PlanRow, PlanVerdictRow } from "@/presentation/views/plans";
import type { PlanResult } from "@/domain/plans/plan-results";
import { PLAN_ITEM_VERDICTS, type PlanItemVerdict } from "@/domain/plans/item-verdicts";

export type ItemCounts = Readonly<Record<PlanItemState, number>>;

/** Whoever has no name any more, or never had one (a loop), stands with what was kept. */
export function planName(names: ReadonlyMap<string, string>, actor: string | undefined): string | undefined {
  return actor === undefined ? undefined : (names.get(actor) ?? actor);
}

export function actorsOf(rows: readonly PlanDbRow[]): string[] {
  const all = rows.flatMap((row) => [row.createdBy, row.decidedBy, row.startedBy, row.endedBy]);
  return [...new Set(all.filter((actor) => actor !== undefined))];
}

export function itemCounts(rows: readonly PlanItemCountRow[]): ItemCounts {
  const counts: Record<PlanItemState, number> = { waiting: 0, done: 0, skipped: 0, failed: 0 };
  for (const row of rows) counts[row.state] += row.count;
  return counts;
}

export function resultCounts(rows: readonly PlanItemCountRow[]): ResultCounts {
  const counts: Record<PlanResult, number> = { ...NO_RESULTS };
  for (const row of rows) counts[row.result] += row.count;
  return counts;
}

/** Rows that the dry run let act. */
export function actingOf({ results, total }: Pick<PlanRow, "results" | "total">): number {
  return total - results.left;
}

/** What ends plans without a person. */
const PROGRAMS: Readonly<Record<string, string>> = {
  [PLAN_EXPIRED_BY]: "the worker, by the clock",
  [PLAN_CANARY_BY]: "the worker, because the canary failed",
};

const EXPIRES_MS = PLAN_EXPIRES_DAYS * 86_400_000;

/** It waits for longer than it may, or has been ended for that. */
export function hasExpired(row: PlanDbRow): boolean {
  if (row.state === "aborted") return row.endedBy === PLAN_EXPIRED_BY;
  if (row.state !== "ready" && row.state !== "awaiting_approval") return false;
  return Date.parse(row.at) - Date.parse(row.decidedAt ?? row.createdAt) >= EXPIRES_MS;
}

export function planRow(
  row: PlanDbRow,
  counted: readonly PlanItemCountRow[],
  names: ReadonlyMap<string, string>,
): PlanRow {
  const mine = counted.filter((each) => each.planId === row.id);
  return {
    ...only(row, "id", "kind", "state", "reason", "total", "approvalNeeded", "createdAt", "startedAt", "endedAt"),
    ...only(row, "decidedAt", "decisionReason"),
    scope: scopeWords(row.filter),
    amounts: row.amounts.map(({ currency, minor }) => moneyView(BigInt(minor), currency)),
    decidedBy: planName(names, row.decidedBy),
    counts: itemCounts(mine),
    results: resultCounts(mine),
    expired: hasExpired(row),
    createdBy: planName(names, row.createdBy) ?? row.createdBy,
    byKey: row.createdBy.startsWith("client:"),
    startedBy: planName(names, row.startedBy),
    endedBy: (row.endedBy && PROGRAMS[row.endedBy]) ?? planName(names, row.endedBy),
  };
}

export function itemRow({ amountMinor, currency, ...row }: PlanItemDbRow): PlanItemRow {
  return { ...row, verdict: planItemVerdict(row.verdict), amount: moneyView(amountMinor, currency) };
}

/** Counts by verdict of the dry run, those that act first. */
export function verdictRows(rows: readonly PlanItemCountRow[]): readonly PlanVerdictRow[] {
  return [true, false].flatMap((acts) =>
    PLAN_ITEM_VERDICTS.flatMap((verdict) => {
      const these = rows.filter((row) => row.verdict === verdict && (row.result !== "left") === acts);
      const counts = itemCounts(these);
      const count = PLAN_ITEM_STATES.reduce((sum, state) => sum + counts[state], 0);
      return count === 0 ? [] : [{ verdict, acts, count, counts, results: resultCounts(these) }];
    }),
  );
}

/** A verdict as it was kept; one that no rule knows any more says that the row changed. */
export function planItemVerdict(text: string): PlanItemVerdict {
  return PLAN_ITEM_VERDICTS.find((verdict) => verdict === text) ?? "moved";
}
