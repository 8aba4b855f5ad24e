/** What built code reaches: the compiler also writes files of which only the types are used. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { filesBelow } from "./package-files.mjs";

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)"([^"]+)"/g;

/** @param {string} path of JavaScript or of types @returns {string[]} what it imports, as it is written there */
export const importsOf = (path) => [...readFileSync(path, "utf8").matchAll(IMPORT)].map(([, specifier]) => specifier);

/**
 * Removes built files that no entry reaches.
 * @param {string} dist @param {readonly string[]} entries paths of JavaScript below it
 */
export function keepReached(dist, entries) {
  const reached = new Set();
  const open = entries.map((entry) => join(dist, entry));
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue;
    if (!existsSync(path)) throw new Error(`${path} is imported and was not built`);
    reached.add(path);
    if (!path.endsWith(".js")) continue;
    const own = importsOf(path).filter((specifier) => specifier.startsWith("."));
    open.push(...own.map((specifier) => join(dirname(path), specifier)));
  }
  for (const path of filesBelow(dist).filter((file) => /\.(js|json|js\.map)$/.test(file))) {
    if (!reached.has(path.replace(/\.map$/, ""))) rmSync(path);
  }
}
