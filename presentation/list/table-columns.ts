/** A column of a list as far as choosing goes: without `choice` it is always there. */
export interface ChosenColumn {
  readonly id: string;
  /** `on`: shown until somebody hides it; `off`: hidden until somebody asks for it. */
  readonly choice?: "on" | "off" | undefined;
}

/** Value of `columns=` when every column that may be hidden is. */
const NONE = "none";

/**
 * The columns that an address asks for, in the order of the list. Total: ids that the list does not have are left out, and an
 * address that names none of them means the standard.
 */
export function chosenColumns<Column extends ChosenColumn>(
  columns: readonly Column[],
  asked: string | undefined,
): readonly Column[] {
  const named = new Set(asked?.split(","));
  const known = named.has(NONE) || columns.some(({ id, choice }) => choice !== undefined && named.has(id));
  return columns.filter(({ id, choice }) => choice === undefined || (known ? named.has(id) : choice === "on"));
}

/** @returns the value of `columns=` that shows these ids; undefined: they are the standard */
export function columnsValue(columns: readonly ChosenColumn[], shown: ReadonlySet<string>): string | undefined {
  const choices = columns.filter(({ choice }) => choice !== undefined);
  if (choices.every(({ id, choice }) => shown.has(id) === (choice === "on"))) return undefined;
  const ids = choices.flatMap(({ id }) => (shown.has(id) ? [id] : []));
  return ids.length === 0 ? NONE : ids.join(",");
}
