/**
 * Prints where pgbouncer is, and gets it first where it is missing: from Debian's package. Tests start instances of their own
 * (db/testing/pooler.ts); a service of the system is never touched.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { installPackages, mayInstall, pathDirectories, printWhenStarted } from "./lib/install.mjs";

const APT_MS = 100_000;
/** Debian keeps servers where a user's PATH may not look. */
const SYSTEM_DIRECTORIES = ["/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/usr/bin"];

const look = () =>
  [...pathDirectories(), ...SYSTEM_DIRECTORIES]
    .map((directory) => join(directory, "pgbouncer"))
    .find((path) => existsSync(path));

/** @returns {Promise<string>} @throws {Error} one sentence when it is missing and cannot be had */
export async function findPgbouncer() {
  let found = look();
  if (found === undefined && mayInstall()) {
    await installPackages(["pgbouncer"], APT_MS);
    found = look();
  }
  if (found === undefined)
    throw new Error("pgbouncer is neither here nor could it be installed: install the package pgbouncer.");
  return found;
}

await printWhenStarted(import.meta.url, findPgbouncer);
