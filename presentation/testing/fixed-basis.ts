import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What makes a fixed sentence true, per file and sentence: `asks` when it only tells a person what to do, or else
 * `PATH > TITLE`, the test that fails when it is false.
 */
export type Bases = Readonly<Record<string, Readonly<Record<string, string>>>>;

const FOLDER = join("presentation", "testing", "fixed");

/** @returns the bases of every file, of all parts of the list @throws when two parts name the same file */
export function readBases(): Bases {
  const all: Record<string, Readonly<Record<string, string>>> = {};
  for (const name of readdirSync(FOLDER).sort())
    for (const [file, bases] of Object.entries(JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as Bases)) {
      if (file in all) throw new Error(`${file} stands in two parts of ${FOLDER}`);
      all[file] = bases;
    }
  return all;
}

/** @param basis `asks`, or `PATH > TITLE` @returns whether the test is there, with a title that contains TITLE */
export function isBasis(basis: string): boolean {
  if (basis === "asks") return true;
  const [path = "", ...rest] = basis.split(" > ");
  const title = rest.join(" > ");
  if (title === "" || !/\.(?:test|spec)\.tsx?$/.test(path) || !existsSync(path)) return false;
  return titlesOf(path).some((each) => each.includes(title));
}

const TITLES = new Map<string, readonly string[]>();

/** The names of the tests of a file, and of the groups they stand in. */
function titlesOf(path: string): readonly string[] {
  const known = TITLES.get(path);
  if (known !== undefined) return known;
  const calls = readFileSync(path, "utf8").matchAll(
    /\b(?:it|test|describe|sample)(?:\.\w+(?:\([^)]*\))?)*\(\s*(["'`])((?:(?!\1).)+)\1/g,
  );
  const titles = [...calls].map(([, , title = ""]) => title);
  TITLES.set(path, titles);
  return titles;
}
