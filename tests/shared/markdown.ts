type Row = readonly string[];

export function markdownTable(head: Row, rows: readonly Row[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** With separators of thousands. */
export function wholeFigure(value: number): string {
  return Math.round(value).toLocaleString("en");
}
