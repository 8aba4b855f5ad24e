import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process";
import { createInterface } from "node:readline";
import { describe } from "vitest";

/** Below the limit of a set-up (vitest.config.ts), so that the reason is said. */
const FOUND_WITHIN_MS = 110_000;

interface Clients {
  readonly psql: string;
  readonly python: string;
}

/** Skipped only where somebody says so: a machine without the clients fails, and says what to install. */
export const describeContract = process.env["SQL_CONTRACT"] === "skip" ? describe.skip : describe;

/** @throws Error in one sentence when psql or Python's psycopg2 is missing and cannot be installed. */
export function findClients(): Clients {
  const args = ["scripts/find-sql-clients.mjs"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: FOUND_WITHIN_MS });
  if (status !== 0) throw new Error(stderr.trim().split("\n").at(-1) ?? "psql and psycopg2 could not be looked for.");
  return JSON.parse(stdout) as Clients;
}

/** @returns what psql printed, errors as their codes only, as the scripts echo them. */
export function runPsql(psql: string, url: string, file: string): { readonly status: number; readonly output: string } {
  const args = ["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--file", file, url];
  const { status, stdout, stderr } = spawnSync(psql, args, { encoding: "utf8", timeout: 60_000 });
  return { status: status ?? 1, output: status === 0 ? stdout : `${stdout}${stderr}` };
}

export type PrintedLine = Readonly<Record<string, unknown>>;

export interface Service {
  /** Runs to its end. @returns the one line it prints */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<PrintedLine>;
  /** Starts it and waits until it stands at the point that HOLD names. */
  hold(point: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Held>;
}

export interface Held {
  /** Kills it as a crash does. @returns when it is gone */
  kill(): Promise<void>;
  /** Lets it go on. @returns what it prints in the end */
  release(): Promise<PrintedLine>;
}

/** The service of tests/sql-contract/invoices.py on one database. */
export function invoiceService(python: string, url: string): Service {
  // No compiled modules beside its files.
  return serviceOf([python, "-B", "tests/sql-contract/invoices.py"], url);
}

/** A service on one database, in a process of its own for each call. @param command what starts it, without its arguments */
export function serviceOf([program, ...first]: readonly [string, ...string[]], url: string): Service {
  const start = (args: readonly string[], env: Readonly<Record<string, string>>): ChildProcessWithoutNullStreams =>
    spawn(program, [...first, url, ...args], { env: { ...process.env, ...env } });
  return {
    run: (args, env = {}) => lastLine(start(args, env)),
    async hold(point, args, env = {}) {
      const child = start(args, { ...env, HOLD: point });
      const lines = linesOf(child);
      const first = await lines.next();
      if (first === undefined || (JSON.parse(first) as PrintedLine)["holding"] !== point)
        throw new Error(`the service did not stop at ${point}: ${first ?? lines.complaint()}`);
      return {
        kill: () =>
          new Promise((resolve) => {
            child.once("close", () => resolve());
            child.kill("SIGKILL");
          }),
        async release() {
          child.stdin.end("\n");
          return JSON.parse((await lines.next()) ?? "{}") as PrintedLine;
        },
      };
    },
  };
}

function linesOf(child: ChildProcessWithoutNullStreams): {
  next(): Promise<string | undefined>;
  complaint(): string;
} {
  const iterator = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  return {
    async next() {
      const next = (await iterator.next()) as IteratorResult<string, undefined>;
      return next.value;
    },
    complaint: () => complaint,
  };
}

async function lastLine(child: ChildProcessWithoutNullStreams): Promise<PrintedLine> {
  const lines = linesOf(child);
  const line = await lines.next();
  if (line === undefined) throw new Error(`the service said nothing: ${lines.complaint()}`);
  return JSON.parse(line) as PrintedLine;
}
