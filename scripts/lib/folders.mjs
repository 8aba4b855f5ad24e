import { posix } from "node:path";

/** A folder that shows more files than this is split by concept. */
export const MAX_FILES = 32;
/** A file under so many lines with a single importer belongs to its caller; so many of them are let pass. */
export const SMALL_LINES = 25;
export const MAX_SMALL_FILES = 30;

const TEST_FILE = /\.(test|spec)\.|(^|\/)testing\//;

/**
 * @param {readonly string[]} paths of files, from the top of the repository
 * @returns {{ folder: string, files: number }[]} folders that show too many files
 */
export function crowdedFolders(paths) {
  const counts = new Map();
  for (const path of paths) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([folder, files]) => folder !== "." && files > MAX_FILES)
    .map(([folder, files]) => ({ folder, files }));
}

/**
 * @param {readonly { path: string, lines: number, importers: readonly string[] }[]} modules
 * @returns {string[]} paths of small files that only one file imports, tests not counted
 */
export function smallFiles(modules) {
  return modules
    .filter(({ path }) => /\.tsx?$/.test(path) && !TEST_FILE.test(path))
    .filter(({ lines, importers }) => lines < SMALL_LINES && importers.filter((by) => !TEST_FILE.test(by)).length === 1)
    .map(({ path }) => path)
    .sort();
}
