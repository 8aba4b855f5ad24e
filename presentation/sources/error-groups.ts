import type { SourceColumn, SourceRowView } from "../views/sources";

export interface ErrorGroup {
  /** Undefined: the row has none. */
  readonly error: string | undefined;
  readonly rows: number;
  /** The text of an error is longer than what is said of it. */
  readonly goesOn: boolean;
}

const SHOWN = 200;
/** Also as JSON writes it: some libraries keep an error within a text of JSON. */
const LINE_END = /\r?\n|(?:\\r)?\\n/;

/**
 * Rows by the error that they ended with, the most frequent first: its type and the first line of its text.
 *
 * @returns undefined where the tables store neither
 */
export function errorGroups(
  rows: readonly SourceRowView[],
  columns: readonly SourceColumn[],
): readonly ErrorGroup[] | undefined {
  if (errorColumns(columns).length === 0) return undefined;
  const groups = new Map<string | undefined, Omit<ErrorGroup, "error">>();
  for (const row of rows) {
    const error = errorGroupOf(row, columns);
    const goesOn = firstLines(row, columns).some((line) => line.length > SHOWN);
    const before = groups.get(error) ?? { rows: 0, goesOn: false };
    groups.set(error, { rows: before.rows + 1, goesOn: before.goesOn || goesOn });
  }
  return [...groups].map(([error, of]) => ({ error, ...of })).sort((one, other) => other.rows - one.rows);
}

const firstLines = ({ values }: Pick<SourceRowView, "values">, columns: readonly SourceColumn[]): readonly string[] =>
  errorColumns(columns).flatMap((name) => {
    const value = values[name];
    return value?.kind === "text" ? [value.text.split(LINE_END)[0] ?? ""] : [];
  });

const errorColumns = (columns: readonly SourceColumn[]): readonly string[] =>
  ["error_type", "error_message"].filter((name) =>
    columns.some((column) => column.name === name && column.kind !== "not_stored"),
  );

/** @returns the group that a row is of: a plan of a group freezes what this says of each row; undefined where it has no error */
export function errorGroupOf(row: Pick<SourceRowView, "values">, columns: readonly SourceColumn[]): string | undefined {
  const parts = firstLines(row, columns).map((line) => line.slice(0, SHOWN));
  const [first, second] = parts;
  // A text that begins with its type says it itself.
  return first === undefined || second?.startsWith(first) === true ? second : parts.join(": ");
}
