import type { SourceColumn, SourceRowView } from "../views/sources";

export interface ErrorGroup {
  /** Undefined: the row has none. */
  readonly error: string | undefined;
  readonly rows: number;
}

const SHOWN = 200;

/**
 * Rows by the error that they ended with, the most frequent first: its type and the first line of its text.
 *
 * @returns undefined where the tables store neither
 */
export function errorGroups(
  rows: readonly SourceRowView[],
  columns: readonly SourceColumn[],
): readonly ErrorGroup[] | undefined {
  const named = ["error_type", "error_message"].filter((name) =>
    columns.some((column) => column.name === name && column.kind !== "not_stored"),
  );
  if (named.length === 0) return undefined;
  const groups = new Map<string | undefined, number>();
  for (const { values } of rows) {
    const parts = named.flatMap((name) => {
      const value = values[name];
      return value?.kind === "text" ? [(value.text.split("\n")[0] ?? "").slice(0, SHOWN)] : [];
    });
    const [first, second] = parts;
    // A text that begins with its type says it itself.
    const error = first === undefined || second?.startsWith(first) === true ? second : parts.join(": ");
    groups.set(error, (groups.get(error) ?? 0) + 1);
  }
  return [...groups].map(([error, count]) => ({ error, rows: count })).sort((one, other) => other.rows - one.rows);
}
