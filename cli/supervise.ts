import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import type { DownMessage } from "@/engine/telemetry/down-parts";
import { nodeArguments } from "./startup/installation";
import { STOP_LIMIT_MS } from "./startup/on-stop";

/** Between the death of a child and the next try; doubled with each that follows, up to {@link MAX_DELAY_MS}, for as long as it takes. */
const FIRST_DELAY_MS = 500;
export const MAX_DELAY_MS = 30_000;
/** A child that was up for so long has recovered: its next death is a first one. */
const STEADY_MS = 60_000;
/** Tries of a child that was killed before it was up for the first time. One that ends by itself says why, and is not tried again. */
const FIRST_TRIES = 5;
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
  /** It is told over the IPC channel which of the others are down (`engine/telemetry/down-parts.ts`). */
  readonly hearsDown?: boolean;
}

export interface SupervisorOptions {
  /** One line about the processes themselves, for people. */
  readonly say: (line: string) => void;
  /** Every other line that a child writes. */
  readonly onLine: (name: string, stream: "stdout" | "stderr", line: string) => void;
  /** How long a child may take to end after it was asked to. */
  readonly killAfterMs?: number;
  /** Instead of {@link FIRST_DELAY_MS}. */
  readonly firstDelayMs?: number;
}

interface Child {
  readonly plan: ChildPlan;
  process: ChildProcess | undefined;
  up: boolean;
  /** When it was last up, of a clock that never goes back; undefined before the first time. */
  upSince: number | undefined;
  /** Deaths since it was last steady. */
  deaths: number;
  crashWanted: boolean;
  lastWords: string[];
}

export type Supervisor = ReturnType<typeof createSupervisor>;

export function createSupervisor(options: SupervisorOptions) {
  const children = new Map<string, Child>();
  let stopping: Promise<void> | undefined;

  const revive = (child: Child, why: string): void => {
    if (stopping !== undefined) return;
    const { name } = child.plan;
    if (child.up && performance.now() - (child.upSince ?? 0) > STEADY_MS) child.deaths = 0;
    const wanted = child.crashWanted;
    child.up = child.crashWanted = false;
    if (!wanted) child.deaths += 1;
    tellDown([...children.values()]);
    const delayMs = delayAfter(child.deaths, options.firstDelayMs);
    const when = delayMs < 1_000 ? "" : ` in ${String(Math.round(delayMs / 1_000))} s`;
    options.say(`${name} ended (${why}), starting it again${when}${wanted ? "" : reasonOf(child)}`);
    setTimeout(() => {
      if (stopping !== undefined) return;
      bringUp(child).then(
        () => options.say(`${name} is up again`),
        (error: unknown) => revive(child, error instanceof StartError ? error.how : String(error)),
      );
    }, delayMs);
  };

  const bringUp = async (child: Child): Promise<void> => {
    child.lastWords = [];
    const running = spawnChild(child.plan);
    child.process = running;
    running.once("exit", (code, name) => {
      // Before it was up, whoever waits for that is told.
      if (child.up && child.process === running) revive(child, endOf(code, name));
    });
    await whenUp(child, running, options.onLine);
    [child.up, child.upSince] = [true, performance.now()];
    tellDown([...children.values()]);
  };

  /** A child that somebody kills while it starts is tried again; one that ends by itself says what is wrong. */
  const bringUpFirst = async (child: Child): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      try {
        await bringUp(child);
        return;
      } catch (error) {
        if (!(error instanceof StartError) || !error.killed || tries === FIRST_TRIES || stopping !== undefined)
          throw error;
        options.say(`${child.plan.name} ended (${error.how}), starting it again`);
        await delay(delayAfter(tries, options.firstDelayMs));
      }
    }
  };

  return {
    /** @throws Error in one sentence when the child ends, or is not up in time. */
    start: async (plan: ChildPlan): Promise<void> => {
      if (stopping !== undefined) throw new Error(`${plan.name} was not started: stopping`);
      const child: Child = {
        plan,
        ...{ process: undefined, up: false, upSince: undefined, deaths: 0, crashWanted: false, lastWords: [] },
      };
      children.set(plan.name, child);
      await bringUpFirst(child);
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

/** One that comes up for the first time is not down: nothing relied on it yet. */
function tellDown(all: readonly Child[]): void {
  const message: DownMessage = {
    down: all.filter(({ up, upSince }) => !up && upSince !== undefined).map(({ plan }) => plan.name),
  };
  // Who ends meanwhile is told when it is up again.
  for (const { plan, up, process: running } of all)
    if (up && plan.hearsDown === true) running?.send(message, () => undefined);
}

/** Why a child is not up. */
class StartError extends Error {
  /** `SIGKILL`, `exit code 1`. */
  readonly how: string;
  /** Somebody ended it: it might have come up. */
  readonly killed: boolean;

  constructor(message: string, how: string, killed: boolean) {
    super(message);
    this.name = "StartError";
    this.how = how;
    this.killed = killed;
  }
}

function endOf(code: number | null, name: NodeJS.Signals | null): string {
  return name ?? `exit code ${String(code)}`;
}

/** @param deaths one after the other */
export function delayAfter(deaths: number, firstMs = FIRST_DELAY_MS): number {
  return Math.min(MAX_DELAY_MS, firstMs * 2 ** Math.min(Math.max(0, deaths - 1), 16));
}

/** From the second death on a person should know what it said. */
function reasonOf(child: Child): string {
  return child.deaths > 1 ? `: ${lastWords(child)}` : "";
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
      const how = `not up after ${String(READY_LIMIT_MS / 1_000)} s`;
      reject(new StartError(`${plan.name} was ${how}: ${lastWords(child)}`, how, false));
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
      reject(new StartError(`${plan.name} could not be started: ${error.message}`, error.message, false));
    });
    // "close" comes after the last line was read, so that the reason is known.
    running.once("close", (code, name) => {
      settle();
      reject(new StartError(`${plan.name} did not start: ${lastWords(child)}`, endOf(code, name), name !== null));
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
