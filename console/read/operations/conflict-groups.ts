import { SPARK_SLOTS, type ConflictGroupRow } from "@/db/conflicts/select-conflict-groups";
import type { ConflictMarkRow } from "@/db/conflicts/select-conflicts";
import { operationKind } from "@/domain/operation-label";
import type { ConflictGroup, ConflictMarkView } from "@/presentation/views/conflicts";
import { stringList } from "./operation-history";
import { member } from "../messages/webhook-facts";

/** Names of the fields that differ in one conflict. @param row with what its event keeps */
export function differingOf(row: { readonly detail: unknown }): readonly string[] {
  return stringList(member(row.detail, "differingFields"));
}

export function groupView(row: ConflictGroupRow): ConflictGroup {
  const spark = new Array<number>(SPARK_SLOTS).fill(0);
  for (const slot of row.slots) spark[slot] = (spark[slot] ?? 0) + 1;
  return {
    client: row.client,
    operation: row.operation,
    kind: operationKind(row.operation),
    count: row.count,
    firstAt: row.first_at,
    lastAt: row.last_at,
    spark,
    differingFields: [...new Set(row.fields.flatMap(stringList))].sort(),
    eventIds: row.ids,
    mark: markView(row, row.newer),
  };
}

/** What somebody said of a group. @param newer conflicts of the window that came after it */
export function markView(
  row: { readonly [Name in keyof ConflictMarkRow]: ConflictMarkRow[Name] | null } | undefined,
  newer: number,
): ConflictMarkView | undefined {
  if (row === undefined || (row.mark !== "client_fault" && row.mark !== "ours")) return undefined;
  const { mark, note, marked_by: by, marked_at: at } = row;
  return note === null || by === null || at === null ? undefined : { mark, note, by, at, newer };
}
