/**
 * Prints the directory of a PostgreSQL server with its programs for backups (pg_dump, pg_basebackup), and gets it first where it is
 * missing: from Debian's package, whose own cluster is never started. The tests of restores start instances of their own.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { installPackages, mayInstall, printWhenStarted } from "./lib/install.mjs";

const APT_MS = 100_000;
const DEBIAN = "/usr/lib/postgresql";
const NEEDED = ["postgres", "initdb", "pg_dump", "pg_restore", "pg_basebackup"];

/** The one that is named, else the newest of Debian's. */
function look() {
  const given = process.env.TEST_POSTGRES_BIN ?? "";
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  return [given, ...versions.map((version) => join(DEBIAN, version, "bin"))].find(
    (bin) => bin !== "" && NEEDED.every((program) => existsSync(join(bin, program))),
  );
}

/** @returns {Promise<string>} @throws {Error} one sentence when it is missing and cannot be had */
export async function findBackupPrograms() {
  let found = look();
  if (found === undefined && mayInstall()) {
    await installPackages(["postgresql"], APT_MS);
    found = look();
  }
  if (found === undefined)
    throw new Error("Backups need pg_dump and pg_basebackup beside their server: install the package postgresql.");
  return found;
}

await printWhenStarted(import.meta.url, findBackupPrograms);
