import { csvLine } from "./csv";

export const EXPORT_FORMATS = ["csv", "json", "ndjson"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export function isExportFormat(text: string): text is ExportFormat {
  return (EXPORT_FORMATS as readonly string[]).includes(text);
}

/** Rows of one export; a list that is longer is cut there, and the file's last line says so. */
export const EXPORT_ROWS = 100_000;

/** A value of an export: masked like the list, never a body. Money is decimal text. */
export type ExportCell = string | number | null | undefined;

export interface ExportEnd {
  readonly count: number;
  /** The list is longer than one export. */
  readonly cut: boolean;
}

/** How a file begins, what a row is in it, and how it ends: a whole file says that it is whole. */
export interface ExportWriter {
  readonly contentType: string;
  readonly head: string;
  row(cells: readonly ExportCell[], first: boolean): string;
  end(end: ExportEnd): string;
}

/** @param at when it was asked for, RFC 3339 */
export function exportWriter(format: ExportFormat, list: string, columns: readonly string[], at: string): ExportWriter {
  const named = (cells: readonly ExportCell[]): string =>
    JSON.stringify(Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? null])));
  switch (format) {
    case "csv":
      return {
        contentType: "text/csv; charset=utf-8; header=present",
        head: csvLine(columns),
        row: (cells) => csvLine(cells.map((cell) => cell ?? "")),
        end: ({ count, cut }) => (cut ? csvLine([cutText(count), ...columns.slice(1).map(() => "")]) : ""),
      };
    case "ndjson":
      return {
        contentType: "application/x-ndjson; charset=utf-8",
        head: "",
        row: (cells) => `${named(cells)}\n`,
        end: ({ count, cut }) => (cut ? `${JSON.stringify({ cut: cutText(count) })}\n` : ""),
      };
    case "json":
      return {
        contentType: "application/json; charset=utf-8",
        head: `{"list":${JSON.stringify(list)},"at":${JSON.stringify(at)},"rows":[`,
        row: (cells, first) => `${first ? "" : ","}\n${named(cells)}`,
        end: ({ count, cut }) => `\n],"count":${String(count)},"cut":${String(cut)}}\n`,
      };
  }
}

function cutText(count: number): string {
  return `cut after ${String(count)} rows: narrow the filters`;
}
