import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** Below the limit of a set-up (vitest.config.ts), so that the reason is said. */
const FOUND_WITHIN_MS = 110_000;
/** RabbitMQ takes some seconds, more on a busy machine. */
const UP_WITHIN_MS = 60_000;
const POLL_MS = 50;
const PROBE_MS = 500;
const OUTPUT_LIMIT = 2_000;
/** Of the temporary directories: what a crash of the machine leaves is recognised by it. */
const PREFIX = "onceboard-broker-";

/**
 * Reads the processes of one broker, a line each time they change, and when the test's process is gone, however it went,
 * kills the last of them and removes the directory.
 */
const GUARD = [
  'pids=""; while read -r next; do pids="$next"; done',
  '[ -z "$pids" ] || kill -KILL $pids',
  // A process that is just ending may still write.
  'rm -rf "$1" || { sleep 1; rm -rf "$1"; }',
].join("; ");

export interface BrokerPrograms {
  readonly nats: string;
  readonly rabbitmq: string;
  readonly epmd: string;
}

/** @throws Error in one sentence when a broker is missing and cannot be installed. */
export function findBrokers(): BrokerPrograms {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/find-brokers.mjs"], {
    encoding: "utf8",
    timeout: FOUND_WITHIN_MS,
  });
  if (status !== 0) throw new Error(stderr.trim().split("\n").at(-1) ?? "The brokers could not be looked for.");
  return JSON.parse(stdout) as BrokerPrograms;
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

/** A temporary directory and whoever outlives the test to clean up after it. */
export interface BrokerDirectory {
  readonly directory: string;
  /** Says which processes belong to it from now on. */
  holds(...pids: readonly number[]): void;
  /** Removes the directory; its processes are gone by then. */
  remove(): Promise<void>;
}

export function openBrokerDirectory(name: string): BrokerDirectory {
  const directory = mkdtempSync(join(tmpdir(), `${PREFIX}${name}-`));
  // Detached: an interrupt of the terminal is for the tests only.
  const guard = spawn("/bin/sh", ["-c", GUARD, "guard", directory], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.unref();
  guard.stdin.on("error", () => undefined);
  return {
    directory,
    holds: (...pids) => void guard.stdin.write(`${pids.join(" ")}\n`),
    async remove() {
      const gone = once(guard, "exit");
      guard.stdin.end("\n");
      await gone;
    },
  };
}

export interface Program {
  readonly pid: number;
  signal(signal: NodeJS.Signals): void;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** Its exit code once it has ended, null after a signal. */
  code(): number | null;
  /** What it printed last, for an error. */
  output(): string;
}

export function startProgram(
  command: string,
  args: readonly string[],
  options: { readonly env?: Readonly<Record<string, string | undefined>>; readonly cwd: string },
): Program {
  const child: ChildProcess = spawn(command, args, {
    cwd: options.cwd,
    env: (options.env ?? process.env) as NodeJS.ProcessEnv,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const keep = (chunk: Buffer): void => void (text = (text + chunk.toString()).slice(-OUTPUT_LIMIT));
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", (error) => {
      text += error.message;
      resolve();
    });
  });
  return {
    pid: child.pid ?? 0,
    signal: (signal) => void child.kill(signal),
    ended,
    code: () => child.exitCode,
    output: () => text,
  };
}

/**
 * Waits until a server answers on a port.
 *
 * @param hello what a client says first; the server's first bytes end the wait
 * @throws Error with what the server printed when it ended or did not come up in time
 */
export async function untilUp(program: Program, port: number, hello?: Buffer): Promise<void> {
  const ended = new AbortController();
  void program.ended.then(() => {
    ended.abort();
  });
  const end = Date.now() + UP_WITHIN_MS;
  while (Date.now() < end && !ended.signal.aborted) {
    if (await answers(port, hello)) return;
    await delay(POLL_MS);
  }
  throw new Error(`The broker did not come up: ${program.output()}`);
}

/** Waits until no thread of a process runs any more: a signal takes its time on a busy machine. Known on Linux only. */
export async function untilStopped({ pid }: Program): Promise<void> {
  const tasks = `/proc/${String(pid)}/task`;
  if (!existsSync(tasks)) return;
  // `pid (name) state …`, where the name may hold anything.
  const stateOf = (task: string): string | undefined =>
    /\) (\S)/.exec(readFileSync(join(tasks, task, "stat"), "utf8"))?.[1];
  while (!readdirSync(tasks).every((task) => stateOf(task) === "T")) await delay(POLL_MS);
}

function answers(port: number, hello: Buffer | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      if (hello !== undefined) socket.write(hello);
    });
    const end = (up: boolean): void => {
      socket.destroy();
      resolve(up);
    };
    socket.setTimeout(PROBE_MS, () => end(false));
    socket.once("data", () => end(true));
    socket.once("error", () => end(false));
    socket.once("close", () => end(false));
  });
}
