/** What a spreadsheet would run: a cell that begins like this is text all the same. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const QUOTED = /[",\r\n]/;

/**
 * @returns one line of CSV (RFC 4180) with its end; a text that begins like a formula gets an apostrophe in front, which is
 *   how spreadsheets spell "this is text"
 */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(cell: string | number): string {
  if (typeof cell === "number") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
