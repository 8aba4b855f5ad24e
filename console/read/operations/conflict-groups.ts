import { SPARK_SLOTS, type ConflictGroupRow } from "@/db/conflicts/select-conflict-groups";
import { only } from "@/db/query";
import { kindOf, namingOf, type OperationKinds } from "@/domain/operation-kind";
import type { ConflictGroup, ConflictMarkView } from "@/presentation/views/conflicts";
import { stringList } from "./operation-history";
import { member } from "../messages/webhook-facts";

/** Names of the fields that differ in one conflict. @param row with what its event keeps */
export function differingOf(row: { readonly detail?: unknown }): readonly string[] {
  return stringList(member(row.detail, "differingFields"));
}

export function groupView(row: ConflictGroupRow, kinds: OperationKinds): ConflictGroup {
  const spark = new Array<number>(SPARK_SLOTS).fill(0);
  for (const slot of row.slots) spark[slot] = (spark[slot] ?? 0) + 1;
  return {
    ...only(row, "client", "operation", "count", "firstAt", "lastAt"),
    ...namingOf(kindOf(kinds, row.operation)),
    spark,
    differingFields: [...new Set(row.fields.flatMap(stringList))].sort(),
    eventIds: row.ids,
    mark: markView(row, row.newer),
  };
}

/** What somebody said of a group. @param newer conflicts of the window that came after it */
export function markView(
  row: Pick<ConflictGroupRow, "mark" | "note" | "markedBy" | "markedAt"> | undefined,
  newer: number,
): ConflictMarkView | undefined {
  if (row === undefined || (row.mark !== "client_fault" && row.mark !== "ours")) return undefined;
  const { mark, note, markedBy: by, markedAt: at } = row;
  return note === undefined || by === undefined || at === undefined ? undefined : { mark, note, by, at, newer };
}
