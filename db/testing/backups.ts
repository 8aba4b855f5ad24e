import { spawnSync } from "node:child_process";
import { chownSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { findBinaries } from "../embedded/binaries";
import { freePort, start, stop } from "../embedded/server";
import { runAs } from "../embedded/system-user";
import type { TestServer } from "./test-server";

/** Below the limit of a set-up (vitest.config.ts), so that the reason is said. */
const FOUND_WITHIN_MS = 110_000;
/** Of one program on a database of a test. */
const LIMIT_MS = 60_000;

/**
 * @returns the directory of the programs of an installed PostgreSQL with its client programs, the newest one of Debian's
 * @throws Error in one sentence that says what to install
 */
export function installedPrograms(): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/find-backup-programs.mjs"], {
    encoding: "utf8",
    timeout: FOUND_WITHIN_MS,
  });
  if (status !== 0)
    throw new Error(stderr.trim().split("\n").at(-1) ?? "Programs for backups could not be looked for.");
  return stdout.trim();
}

/** Writes the whole database into a file. @param format `custom` for pg_restore, `plain` for people */
export function dump(programs: string, url: string, file: string, format: "custom" | "plain" = "custom"): void {
  run(programs, "pg_dump", [`--format=${format}`, "--file", file, url]);
}

/** @returns the address of a new database on the server with what the dump holds */
export async function restoreDump(programs: string, server: TestServer, file: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  const url = databaseOf(server.url, name);
  run(programs, "pg_restore", ["--exit-on-error", "--dbname", url, file]);
  return url;
}

/** Copies the whole data directory of a running server, with the log that it needs. @returns where the copy is */
export function baseBackup(programs: string, server: TestServer): string {
  const directory = join(server.directory, `base-${String(Date.now())}`);
  const user = runAs();
  mkdirSync(directory, { mode: 0o700 });
  if (user.uid !== undefined && user.gid !== undefined) chownSync(directory, user.uid, user.gid);
  run(programs, "pg_basebackup", [
    "--pgdata",
    directory,
    "--wal-method=stream",
    "--checkpoint=fast",
    "--dbname",
    server.url,
  ]);
  return directory;
}

/** Starts a server on a copied data directory. @returns the address of the same database there */
export async function startCopy(
  programs: string,
  server: TestServer,
  directory: string,
  database: string,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const user = runAs();
  const password = new URL(server.url).password;
  const port = await freePort();
  const place = { binaries: findBinaries(user, programs), user, directory, logFile: `${directory}.log`, password };
  const pid = await start(place, port, { fsync: "off", max_connections: "300" });
  const url = new URL(databaseOf(server.url, database));
  url.port = String(port);
  return { url: url.href, stop: () => stop(pid, "SIGQUIT") };
}

/** @returns the address of another database on the same server */
export function databaseOf(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

function run(programs: string, program: string, args: readonly string[]): void {
  const options = { ...runAs(), cwd: "/", encoding: "utf8", timeout: LIMIT_MS } as const;
  const { status, stderr, error } = spawnSync(join(programs, program), args, options);
  if (status !== 0) throw new Error(`${program}: ${error?.message ?? stderr.trim()}`);
}
