/**
 * What a spreadsheet would run: a cell that begins like this is text all the same. Blanks of any width and what is not seen before the
 * sign are taken away by some of them.
 */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Z}\p{C}]*[=+\-@＝＋－＠])/u;
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
