import { ORACLES } from "@/db/checks/oracles/index";
import { BUGS } from "./bugs/catalogue";
import { POINTS } from "./points";
import { MODES } from "./point";

type Row = readonly string[];

/** @returns the tables of docs/CRASH.md, in Markdown, by the heading that they stand under */
export function crashTables(): Readonly<Record<string, string>> {
  return {
    "The points": table(
      ["point", "moment", ...MODES, "what it shows"],
      POINTS.map((point) => [
        point.id,
        point.moment,
        ...MODES.map((mode) => (point.modes.includes(mode) ? "×" : "")),
        point.proves,
      ]),
    ),
    "The oracles": table(
      ["oracle", "name", "no row means"],
      ORACLES.map(({ id, name, proves }) => [id, `\`${name}\``, proves]),
    ),
    "The planted bugs": table(
      ["bug", "in", "what is wrong", "caught by"],
      Object.entries(BUGS).map(([name, { sql, story, oracles }]) => [
        `\`${name}\``,
        sql === undefined ? "code" : "sql",
        story,
        oracles.join(" or "),
      ]),
    ),
  };
}

function table(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
