import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { nodeArguments } from "./startup/installation";
import { STOP_LIMIT_MS } from "./startup/on-stop";

/** A child that dies more often than this within the window stops the whole: it would only die again. */
export const MAX_RESTARTS = 5;
export const RESTART_WINDOW_MS = 60_000;
const RESTART_DELAY_MS = 500;
const READY_LIMIT_MS = 60_000;
/** A child gets a little longer than it gives itself. */
const KILL_AFTER_MS = STOP_LIMIT_MS + 2_000;
/** Lines of a child's error output that are kept to say why it died. */
const KEPT_LINES = 20;

export interface ChildPlan {
  readonly name: string;
  /** Absolute, or from the working directory. */
  readonly entry: string;
  readonly args?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The line of standard output that says it is up. */
  readonly ready: RegExp;
}

export interface SupervisorOptions {
  /** One line about the processes themselves, for people. */
  readonly say: (line: string) => void;
  /** Every other line that a child writes. */
  readonly onLine: (name: string, stream: "stdout" | "stderr", line: string) => void;
  /** Told in one sentence when the whole cannot go on. */
  readonly onGiveUp: (reason: string) => void;
  /** How long a child may take to end after it was asked to. */
  readonly killAfterMs?: number;
}

interface Child {
  readonly plan: ChildPlan;
  process: ChildProcess | undefined;
  up: boolean;
  deaths: number[];
  crashWanted: boolean;
  lastWords: string[];
}

export type Supervisor = ReturnType<typeof createSupervisor>;

export function createSupervisor(options: SupervisorOptions) {
  const children = new Map<string, Child>();
  let stopping: Promise<void> | undefined;

  const revive = (child: Child, why: string): void => {
    if (stopping !== undefined || !child.up) return;
    const { name } = child.plan;
    if (child.crashWanted) child.crashWanted = false;
    else child.deaths = [...child.deaths, Date.now()].filter((at) => at > Date.now() - RESTART_WINDOW_MS);
    if (child.deaths.length > MAX_RESTARTS) {
      options.onGiveUp(
        `${name} died ${String(child.deaths.length)} times within a minute (${why}): ${lastWords(child)}`,
      );
      return;
    }
    options.say(`${name} ended (${why}), starting it again`);
    child.up = false;
    setTimeout(() => {
      if (stopping !== undefined) return;
      bringUp(child).then(
        () => options.say(`${name} is up again`),
        (error: unknown) => options.onGiveUp(error instanceof Error ? error.message : String(error)),
      );
    }, RESTART_DELAY_MS);
  };

  const bringUp = async (child: Child): Promise<void> => {
    child.lastWords = [];
    const running = spawnChild(child.plan);
    child.process = running;
    running.once("exit", (code, name) => revive(child, name ?? `exit code ${String(code)}`));
    await whenUp(child, running, options.onLine);
    child.up = true;
  };

  return {
    /** @throws Error in one sentence when the child ends, or is not up in time. */
    start: async (plan: ChildPlan): Promise<void> => {
      if (stopping !== undefined) throw new Error(`${plan.name} was not started: stopping`);
      const child: Child = { plan, process: undefined, up: false, deaths: [], crashWanted: false, lastWords: [] };
      children.set(plan.name, child);
      await bringUp(child);
    },
    /** `kill -9`, as a crash would; the child comes back, and this death does not count. */
    crash: (name: string): void => {
      const child = children.get(name);
      if (child === undefined || !child.up) return;
      child.crashWanted = true;
      if (child.process !== undefined) signal(child.process, "SIGKILL");
    },
    /** Ends the children, last started first. May be called at any time, and more than once. */
    stop: (): Promise<void> => (stopping ??= stopAll([...children.values()].reverse(), options)),
  };
}

function spawnChild(plan: ChildPlan): ChildProcess {
  return spawn(process.execPath, [...nodeArguments(plan.entry), ...(plan.args ?? [])], {
    env: plan.env,
    // A group of its own: Ctrl-C in the terminal reaches us only, and we stop the children in order. The IPC channel tells
    // the child when we are gone without having stopped it.
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
}

function whenUp(child: Child, running: ChildProcess, onLine: SupervisorOptions["onLine"]): Promise<void> {
  const { plan } = child;
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      signal(running, "SIGKILL");
      reject(new Error(`${plan.name} was not up after ${String(READY_LIMIT_MS / 1_000)} s: ${lastWords(child)}`));
    }, READY_LIMIT_MS);
    const settle = (): void => clearTimeout(limit);
    lines(running, "stdout", (line) => {
      if (plan.ready.test(line)) {
        settle();
        resolve();
      } else onLine(plan.name, "stdout", line);
    });
    lines(running, "stderr", (line) => {
      child.lastWords = [...child.lastWords, line].slice(-KEPT_LINES);
      onLine(plan.name, "stderr", line);
    });
    running.once("error", (error) => {
      settle();
      reject(new Error(`${plan.name} could not be started: ${error.message}`));
    });
    // "close" comes after the last line was read, so that the reason is known.
    running.once("close", () => {
      settle();
      reject(new Error(`${plan.name} did not start: ${lastWords(child)}`));
    });
  });
}

function lines(child: ChildProcess, stream: "stdout" | "stderr", tell: (line: string) => void): void {
  const input = child[stream];
  if (input !== null) createInterface({ input }).on("line", tell);
}

/** The last thing a child said that a person can read. */
function lastWords(child: Child): string {
  const readable = child.lastWords.filter((line) => line.trim() !== "" && !/^\s+at /.test(line));
  const errors = readable.filter((line) => /error|cannot|taken|must|missing/i.test(line));
  return (errors.at(-1) ?? readable.at(-1) ?? "it said nothing").trim();
}

async function stopAll(children: readonly Child[], options: SupervisorOptions): Promise<void> {
  const killAfterMs = options.killAfterMs ?? KILL_AFTER_MS;
  for (const child of children) {
    const byItself = await stopOne(child.process, killAfterMs);
    if (!byItself) options.say(`${child.plan.name} did not end by itself and was killed`);
  }
}

/** @returns whether it ended by itself. */
function stopOne(child: ChildProcess | undefined, killAfterMs: number): Promise<boolean> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return Promise.resolve(true);
  return new Promise((resolve) => {
    let polite = true;
    const limit = setTimeout(() => {
      polite = false;
      signal(child, "SIGKILL");
    }, killAfterMs);
    child.once("exit", () => {
      clearTimeout(limit);
      resolve(polite);
    });
    signal(child, "SIGTERM");
  });
}

/** To the whole group, so that what the child started ends too. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(name === "SIGKILL" ? -child.pid : child.pid, name);
  } catch {
    // It is gone already.
  }
}
