import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Binaries } from "./binaries";
import type { RunAs } from "./system-user";

export const HOST = "127.0.0.1";
/** Of every server that we start ourselves. Not `onceboard`: a role puts the schema of its own name on its search path. */
export const SUPERUSER = "postgres";
export const MAINTENANCE_DATABASE = "postgres";

const POLL_MS = 20;
const START_TIMEOUT_MS = 60_000;
/** After a kill -9 of the server its children hold the shared memory for up to two seconds. */
const ORPHANS_TIMEOUT_MS = 10_000;
const FAST_STOP_MS = 15_000;
const IMMEDIATE_STOP_MS = 5_000;
const LOG_TAIL_CHARACTERS = 4_000;

export interface ServerFiles {
  readonly binaries: Binaries;
  readonly user: RunAs;
  /** Data directory; its parent exists and the user can enter it. */
  readonly directory: string;
  readonly logFile: string;
  readonly password: string;
}

/**
 * Makes a data directory: UTF8, sorted by code point whatever the machine's locale, password over TCP. Made beside and
 * renamed, so that an interrupted start never leaves half of one.
 */
export function initialise(place: ServerFiles, options: { durable: boolean }): void {
  const half = mkdtempSync(`${place.directory}.new-`);
  const passwordFile = join(half, "password");
  const data = join(half, "data");
  try {
    writeFileSync(passwordFile, `${place.password}\n`, { mode: 0o600 });
    if (place.user.uid !== undefined && place.user.gid !== undefined) {
      chownSync(half, place.user.uid, place.user.gid);
      chownSync(passwordFile, place.user.uid, place.user.gid);
    }
    const locale = place.binaries.major >= 17 ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] : [];
    const { status, stderr, error } = spawnSync(
      place.binaries.initdb,
      [
        `--pgdata=${data}`,
        "--encoding=UTF8",
        "--locale=C",
        ...locale,
        "--auth=scram-sha-256",
        `--username=${SUPERUSER}`,
        `--pwfile=${passwordFile}`,
        ...(options.durable ? [] : ["--no-sync"]),
      ],
      { ...place.user, cwd: "/", encoding: "utf8", env: environment() },
    );
    if (status !== 0) {
      throw new Error(
        `PostgreSQL could not make its data directory ${place.directory}: ${lastLine(error?.message ?? stderr)}`,
      );
    }
    renameSync(data, place.directory);
  } finally {
    rmSync(half, { recursive: true, force: true });
  }
}

/** @returns what a running server wrote about itself, or undefined when none runs on this directory. */
export function runningServer(directory: string): { pid: number; port: number } | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(directory, "postmaster.pid"), "utf8").split("\n");
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !alive(pid) || !isPostgres(pid)) return undefined;
  return { pid, port: Number(lines[3]) };
}

/**
 * Starts the server and waits until it answers. It is detached: a Ctrl-C in the terminal reaches us only, and we stop it
 * after our own work is done.
 *
 * @throws Error in one sentence with the server's own reason
 */
export async function start(
  place: ServerFiles,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<number> {
  const deadline = Date.now() + ORPHANS_TIMEOUT_MS;
  for (;;) {
    // Left by a server that is gone; its number may belong to another program by now.
    if (runningServer(place.directory) === undefined) rmSync(join(place.directory, "postmaster.pid"), { force: true });
    const problem = await launch(place, port, settings);
    if (typeof problem === "number") return problem;
    if (!/shared memory block .* is still in use|pre-existing shared memory/.test(problem) || Date.now() > deadline) {
      throw new Error(`The database in ${place.directory} did not start (see ${place.logFile}): ${lastLine(problem)}`);
    }
    await delay(POLL_MS * 5);
  }
}

/** @returns the process id, or what the server said before it ended. */
async function launch(
  place: ServerFiles,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<number | string> {
  const log = openSync(place.logFile, "w", 0o600);
  let child: ChildProcess;
  try {
    const flags = Object.entries({
      listen_addresses: HOST,
      port: String(port),
      unix_socket_directories: "",
      timezone: "UTC",
      log_timezone: "UTC",
      ...settings,
    }).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    child = spawn(place.binaries.postgres, ["-D", place.directory, ...flags], {
      ...place.user,
      cwd: "/",
      env: environment(),
      stdio: ["ignore", log, log],
      detached: true,
    });
  } finally {
    closeSync(log);
  }
  const end: { over: boolean; failure?: Error } = { over: false };
  child.once("exit", () => (end.over = true));
  child.once("error", (failure) => Object.assign(end, { over: true, failure }));
  child.unref();
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!end.over && Date.now() < deadline) {
    if (await answers(serverUrl(port, place.password, MAINTENANCE_DATABASE))) return child.pid ?? 0;
    await delay(POLL_MS);
  }
  if (!end.over && child.pid !== undefined) await stop(child.pid);
  return end.failure?.message ?? logTail(place.logFile) ?? "no answer";
}

/**
 * Ends the server: open sessions are cut, what is committed stays. Resolves when the process is gone.
 *
 * @param signal SIGINT writes everything out first, SIGQUIT leaves that to the next start
 */
export async function stop(pid: number, signal: "SIGINT" | "SIGQUIT" = "SIGINT"): Promise<void> {
  for (const [next, patience] of [
    [signal, FAST_STOP_MS],
    ["SIGQUIT", IMMEDIATE_STOP_MS],
  ] as const) {
    if (!send(pid, next)) return;
    const deadline = Date.now() + patience;
    while (Date.now() < deadline) {
      if (!alive(pid)) return;
      await delay(POLL_MS / 2);
    }
  }
  send(pid, "SIGKILL");
}

/** @returns true when a connection can be opened. */
export async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export function serverUrl(port: number, password: string, database: string): string {
  return `postgres://${SUPERUSER}:${password}@${HOST}:${port}/${database}`;
}

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, HOST, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  // A child that has ended but was not yet collected still has a number.
  const stat = `/proc/${pid}/stat`;
  return !(existsSync(stat) && /^\d+ \(.*\) Z/.test(readFileSync(stat, "utf8")));
}

function isPostgres(pid: number): boolean {
  if (process.platform === "win32") return true;
  const { stdout, status } = spawnSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" });
  if (status === 0) return stdout.includes("postgres");
  const file = `/proc/${pid}/cmdline`;
  return existsSync(file) && basename(readFileSync(file, "utf8").split("\0")[0] ?? "").startsWith("postgres");
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function logTail(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").slice(-LOG_TAIL_CHARACTERS);
  } catch {
    return undefined;
  }
}

/** The line that says why: the last FATAL or error one, else the last. */
function lastLine(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return (lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? "no reason given").trim();
}

/** What PostgreSQL's programs need. PG* variables of the caller would change what they do, and its secrets are none of theirs. */
function environment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, LD_LIBRARY_PATH, NODE_ENV } = process.env;
  return { PATH, HOME, TMPDIR, LD_LIBRARY_PATH, NODE_ENV, LC_ALL: "C", TZ: "UTC" };
}
