import type { ExportCell } from "../list/export-writer";
import type { SourceColumn, SourceRowView } from "../views/sources";

const NOT_STORED = "not stored";

const reasonOf = (name: string, columns: readonly SourceColumn[]): string | undefined => {
  const column = columns.find((each) => each.name === name);
  return column?.kind === "not_stored" ? (column.says ?? "") : undefined;
};

/** @returns the names of the columns of a file; one that is not stored says so, with the reason */
export function fileColumns(names: readonly string[], columns: readonly SourceColumn[]): readonly string[] {
  return names.map((name) => {
    const reason = reasonOf(name, columns);
    return reason === undefined ? name : `${name} (${NOT_STORED}: ${reason})`;
  });
}

/** @returns the values of a row: empty where the row has none, and never where its tables do not store any */
export function fileCells(
  names: readonly string[],
  { id, state, values }: SourceRowView,
  columns: readonly SourceColumn[],
): readonly ExportCell[] {
  return names.map((name) => {
    if (name === "id") return id;
    if (name === "state") return state;
    if (reasonOf(name, columns) !== undefined) return NOT_STORED;
    const value = values[name];
    if (value === undefined) return undefined;
    return value.kind === "time" ? value.at : `${value.text}${value.cut ? "…" : ""}`;
  });
}
