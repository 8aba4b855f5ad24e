import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Downloading what a program is made of, and building it, on a slow line and a busy machine, ms. */
export const BUILD_LIMIT_MS = 480_000;
/** One run of a program, ms. */
const RUN_LIMIT_MS = 90_000;
const OUTPUT_KEPT = 4_000;

/** Where programs are installed and built; what is there is used again. */
export const PROGRAMS = join(import.meta.dirname, "../../../node_modules/.cache/onceboard/attach-libraries");

/** @returns which of these commands this machine does not have */
export const missingOf = (commands: readonly string[]): readonly string[] =>
  commands.filter((command) => spawnSync("bash", ["-c", 'command -v "$1"', "-", command]).status !== 0);

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly limitMs?: number;
  /** What it ends with; 0 unless it is to die in the middle. */
  readonly ends?: number;
}

/**
 * Runs a program to its end.
 *
 * @returns what it wrote
 * @throws Error with the end of its output when it ends otherwise, or not within the limit
 */
export function runProgram(
  command: string,
  args: readonly string[],
  { cwd = import.meta.dirname, env = {}, limitMs = RUN_LIMIT_MS, ends = 0 }: RunOptions = {},
): string {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
    timeout: limitMs,
    killSignal: "SIGKILL",
  });
  if (status !== ends)
    throw new Error(
      `${command} ended with ${String(status)}${error === undefined ? "" : ` (${error.message})`}: ${(stdout + stderr).slice(-OUTPUT_KEPT)}`,
    );
  return stdout;
}

/** All of these tests. @returns what the runner ended with */
export function runLibraries(): number {
  const { status } = spawnSync("node_modules/.bin/vitest", ["run", "--project", "libraries"], { stdio: "inherit" });
  return status ?? 1;
}

/** A line of JSON each, among whatever else a library prints. */
export const linesOf = <Line>(output: string): readonly Line[] =>
  output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Line);

/** What a program wants to know of the address of a database. */
export function addressOf(ownerUrl: string): Readonly<Record<string, string>> {
  const { hostname, port, username, password, pathname } = new URL(ownerUrl);
  return {
    DATABASE_URL: ownerUrl,
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: username,
    PGPASSWORD: password,
    PGDATABASE: pathname.slice(1),
  };
}
