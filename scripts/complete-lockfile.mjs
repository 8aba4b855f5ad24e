/**
 * Adds what `npm install` leaves out of package-lock.json when a registry does not hold every platform's packages: without
 * these entries `npm ci` refuses the lockfile, on every machine. Run it after `npm install`; it changes nothing else.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { missingOptional, platformOf } from "./lib/lockfile.mjs";

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const missing = missingOptional(lock.packages);
for (const { path, name, version } of missing) {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    throw new Error(`${name} is wanted as ${version}, which is no exact version.`);
  const { os, cpu } = platformOf(name);
  lock.packages[path] = { version, cpu, optional: true, os };
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
if (missing.length > 0) writeFileSync("package-lock.json", `${JSON.stringify(lock, undefined, 2)}\n`);
process.stdout.write(`${missing.length} entries added\n`);
