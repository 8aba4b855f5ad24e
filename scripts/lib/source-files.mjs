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

/** @returns {string[]} names of the folders at the top that hold our own files, sorted */
export const topFolders = () =>
  readdirSync(".", { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !NOT_OURS.has(entry.name))
    .map((entry) => entry.name)
    .sort();
