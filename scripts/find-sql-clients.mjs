/**
 * Prints where psql and a Python with psycopg2 are, as JSON, and gets them first where they are missing: from Debian's
 * packages. The tests of docs/SQL-CONTRACT.md speak to the database through these two and through nothing of ours.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { installPackages, mayInstall, printWhenStarted } from "./lib/install.mjs";
import { run } from "./lib/processes.mjs";

const APT_MS = 100_000;
const PACKAGES = ["postgresql-client", "python3-psycopg2"];
const DEBIAN_POSTGRES = "/usr/lib/postgresql";
const MISSING =
  "The SQL contract is tested with psql and with Python's psycopg2, and they are neither here nor could they be installed: install the packages postgresql-client and python3-psycopg2, or set SQL_CONTRACT=skip.";

function debianPrograms(name) {
  try {
    return readdirSync(DEBIAN_POSTGRES).map((version) => join(DEBIAN_POSTGRES, version, "bin", name));
  } catch {
    return [];
  }
}

async function firstThatRuns(candidates, args) {
  for (const candidate of candidates) {
    const { code } = await run(candidate, args, { quiet: true });
    if (code === 0) return candidate;
  }
  return undefined;
}

async function look() {
  const psql = await firstThatRuns(["psql", ...debianPrograms("psql")], ["--version"]);
  // A Python of its own on PATH may not see Debian's packages.
  const python = await firstThatRuns(["python3", "/usr/bin/python3"], ["-c", "import psycopg2"]);
  return { psql, python };
}

/** @returns {Promise<{ psql: string, python: string }>} @throws {Error} one sentence when one is missing and cannot be had */
export async function findSqlClients() {
  let found = await look();
  if ((!found.psql || !found.python) && mayInstall()) {
    await installPackages(PACKAGES, APT_MS);
    found = await look();
  }
  if (!found.psql || !found.python) throw new Error(MISSING);
  return found;
}

await printWhenStarted(import.meta.url, findSqlClients);
