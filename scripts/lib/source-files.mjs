import { readdirSync } from "node:fs";
import { join } from "node:path";

const NOT_OURS = new Set(["node_modules", "coverage", "test-results", "playwright-report"]);

/**
 * Every file below `directory` that is written here: no packages, no build output, no hidden folder.
 * @param {string} directory
 * @param {(name: string) => boolean} wanted by file name
 * @returns {string[]} paths that start with `directory`, sorted
 */
export function sourceFiles(directory, wanted) {
  const found = [];
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.name.startsWith(".") || NOT_OURS.has(entry.name)) continue;
    const path = directory === "." ? entry.name : join(directory, entry.name);
    if (entry.isDirectory()) found.push(...sourceFiles(path, wanted));
    else if (wanted(entry.name)) found.push(path);
  }
  return found.sort();
}

/** @param {string} name */
export const isTypeScript = (name) => /\.tsx?$/.test(name) && name !== "next-env.d.ts";

/** @returns {string[]} the folders at the top of the repository that hold files of ours, as the tree has them now */
export function topFolders() {
  return readdirSync(".", { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NOT_OURS.has(entry.name))
    .filter((entry) => !entry.name.startsWith(".") || entry.name === ".ci")
    .map((entry) => entry.name);
}
