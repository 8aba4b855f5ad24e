/**
 * Rows of a page whose sentence an earlier row says already: they show it in a word, so that a page of the same trouble stays short.
 *
 * @param textOf all that a row would say; undefined: nothing
 */
export function saidBefore<Row>(rows: readonly Row[], textOf: (row: Row) => string | undefined): ReadonlySet<Row> {
  const said = new Set<string>();
  return new Set(
    rows.filter((row) => {
      const text = textOf(row);
      if (text === undefined) return false;
      const before = said.has(text);
      said.add(text);
      return before;
    }),
  );
}
