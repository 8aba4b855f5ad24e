import { markdownTable } from "../shared/markdown";
import { ORACLES } from "./oracles/index";
import { BUGS } from "./bugs/catalogue";
import { MODES } from "./point";
import { POINTS } from "./points";

/** @returns the tables of docs/CRASH.md, in Markdown, by the heading that they stand under */
export function crashTables(): Readonly<Record<string, string>> {
  return {
    "The points": markdownTable(
      ["point", "moment", ...MODES, "what it shows"],
      POINTS.map((point) => [
        point.id,
        point.moment,
        ...MODES.map((mode) => (point.modes.includes(mode) ? "×" : "")),
        point.proves,
      ]),
    ),
    "The oracles": markdownTable(
      ["oracle", "name", "no row means"],
      ORACLES.map(({ id, name, proves }) => [id, `\`${name}\``, proves]),
    ),
    "The planted bugs": markdownTable(
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
