/** Every row of the requirements that the engine has taken on is named by a test; a row without one is a promise nobody checks. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sourceFiles } from "./lib/source-files.mjs";

const ROWS = [
  ...ids("S0", 8),
  ...ids("S1", 8),
  ...ids("S2", 5),
  ...ids("S3", 10),
  ...ids("S4", 18).filter((id) => id !== "S4.17"), // "every test the article asks for": the others of S4
];

function ids(group, last) {
  return Array.from({ length: last }, (_, index) => `${group}.${index + 1}`);
}

const TITLE = /\b(?:it|test|describe)(?:\.(?:each|skipIf|runIf)[^"'`]*?)?\(\s*(["'`])([\s\S]*?)\1/g;

const titles = sourceFiles(".", (file) => /\.(test|spec)\.(ts|tsx|mjs)$/.test(file)).flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(TITLE)].map((match) => match[2]),
);

describe("rows of the requirements", () => {
  it.each(ROWS)("%s is in the title of a test", (id) => {
    const word = new RegExp(`(?<![\\w.])${id.replace(".", "\\.")}(?![\\d])`);
    expect(titles.some((title) => word.test(title))).toBe(true);
  });
});
