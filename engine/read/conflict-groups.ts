import type { ConflictDbRow } from "@/db/queries/console/select-conflicts";
import type { ConflictMarkRow } from "@/db/queries/console/select-conflict-marks";
import { countPatterns, patternOfFields, type PatternName } from "@/domain/conflict-pattern";
import { operationKind } from "@/domain/operation-label";
import { CONFLICT_IDS } from "@/domain/views/limits";
import type { ConflictGroup, ConflictMarkView } from "@/domain/views/conflicts";
import { stringList } from "./operation-history";
import { member } from "./webhook-facts";

/** Marks of the spark, whatever the window. */
const SPARK = 24;

export function differingOf(row: Pick<ConflictDbRow, "detail">): readonly string[] {
  return stringList(member(row.detail, "differingFields"));
}

/** A mark as the page shows it. @param rows of the same window, newest first */
export function markOf(
  marks: readonly ConflictMarkRow[],
  group: Pick<ConflictGroup, "client" | "operation">,
  rows: readonly ConflictDbRow[],
): ConflictMarkView | undefined {
  const { client, operation } = group;
  const found = marks.find((mark) => mark.client === client && mark.operation === operation);
  if (found === undefined || (found.mark !== "client_fault" && found.mark !== "ours")) return undefined;
  const { mark, note, marked_by: by, marked_at: at } = found;
  const newer = rows.filter((row) => row.client === client && row.operation === operation && row.at > at).length;
  return { mark, note, by, at, newer };
}

/** @param rows newest first @param patterns by event id, where the commands could be read */
export function groupConflicts(
  rows: readonly ConflictDbRow[],
  hours: number,
  now: number,
  patterns: ReadonlyMap<string, PatternName> = new Map(),
): ConflictGroup[] {
  const groups = new Map<string, ConflictDbRow[]>();
  for (const row of rows) {
    const name = JSON.stringify([row.client, row.operation]);
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return [...groups.values()]
    .map((group) => toGroup(group, hours, now, patterns))
    .sort((a, b) => b.count - a.count || (a.lastAt < b.lastAt ? 1 : -1));
}

function toGroup(
  rows: readonly ConflictDbRow[],
  hours: number,
  now: number,
  patterns: ReadonlyMap<string, PatternName>,
): ConflictGroup {
  const [newest] = rows;
  const slot = (hours * 3_600_000) / SPARK;
  const spark = new Array<number>(SPARK).fill(0);
  for (const row of rows) {
    const index = Math.min(SPARK - 1, Math.max(0, SPARK - 1 - Math.floor((now - Date.parse(row.at)) / slot)));
    spark[index] = (spark[index] ?? 0) + 1;
  }
  return {
    client: newest?.client ?? "",
    operation: newest?.operation ?? "",
    kind: operationKind(newest?.operation ?? ""),
    count: rows.length,
    firstAt: rows.at(-1)?.at ?? "",
    lastAt: newest?.at ?? "",
    spark,
    differingFields: [...new Set(rows.flatMap(differingOf))].sort(),
    eventIds: rows.slice(0, CONFLICT_IDS).map((row) => row.id),
    patterns: countPatterns(rows.map((row) => patterns.get(row.id) ?? patternOfFields(differingOf(row)))),
  };
}
