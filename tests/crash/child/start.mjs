/**
 * Runs a bundle of the crash suite with V8's cache of its code, and makes the cache when there is none: reading 8 MB of JavaScript
 * anew took a third of each child's start, and the suite starts thousands.
 *
 *   node start.mjs BUNDLE.cjs
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { Script } from "node:vm";

const [, , bundle] = process.argv;
const cache = `${bundle}.v8`;
const cachedData = existsSync(cache) ? readFileSync(cache) : undefined;
const script = new Script(`(function (require, __filename, __dirname) {${readFileSync(bundle, "utf8")}\n})`, {
  filename: bundle,
  cachedData,
});
script.runInThisContext()(createRequire(bundle), bundle, dirname(bundle));
if (cachedData === undefined) {
  // Another child may do the same: whoever is last has written the same.
  const made = `${cache}.${String(process.pid)}`;
  writeFileSync(made, script.createCachedData());
  renameSync(made, cache);
}
