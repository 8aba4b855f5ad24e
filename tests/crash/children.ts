import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { childBundle } from "./child-bundle";
import { FAULT_FD, type Done, type Message, type Order, type ChildReply } from "./child/protocol";

const START = join(import.meta.dirname, "child/start.mjs");

/** The process died, or was killed, before it could say anything: its caller does not know. */
export class LostError extends Error {
  constructor() {
    super("the process ended before it answered");
    this.name = "LostError";
  }
}

export function unlessLost(error: unknown): undefined {
  if (!(error instanceof LostError)) throw error;
}

export interface CrashChild {
  readonly pid: number;
  readonly alive: boolean;
  /** @throws LostError when the process ends first; Error when the order could not be carried out */
  ask(order: Order): Promise<Done>;
  /** Settles when the child reaches its armed point. */
  faultReached(): Promise<void>;
  /** kill -9; settles when it is gone. */
  kill(): Promise<void>;
  /** SIGSTOP; settles when the kernel says that it stands still. */
  stop(): Promise<void>;
  /** Settles when a child that stops itself stands still. */
  stopped(): Promise<void>;
  resume(): void;
}

interface Waiting {
  readonly resolve: (done: Done) => void;
  readonly reject: (error: Error) => void;
}

const STOP_POLL_MS = 2;
const STOP_POLLS = 5_000;

const started = new Set<ChildProcess>();

/** A stopped process does not notice that its parent is gone: whoever ends early calls this first. */
export function killChildren(): void {
  for (const child of started) child.kill("SIGKILL");
}

/** Remembers a process of the suite until it is gone. */
export function keepTrack(child: ChildProcess): void {
  started.add(child);
  child.once("exit", () => started.delete(child));
}

export function startCrashChild(): CrashChild {
  const process_ = spawn(process.execPath, [START, childBundle()], {
    stdio: ["ignore", "ignore", "inherit", "pipe", "ipc"],
  });
  keepTrack(process_);
  const waiting = new Map<number, Waiting>();
  let hits: (() => void)[] = [];
  let asked = 0;
  let alive = true;
  (process_.stdio[FAULT_FD] as Readable).on("data", () => {
    for (const resolve of hits) resolve();
    hits = [];
  });
  process_.on("message", (reply: ChildReply) => {
    const { resolve, reject } = waiting.get(reply.id) ?? {};
    waiting.delete(reply.id);
    if ("failed" in reply) reject?.(new Error(`a child failed: ${reply.failed}`));
    else resolve?.(reply);
  });
  const gone = once(process_, "exit").then(() => {
    alive = false;
    for (const { reject } of waiting.values()) reject(new LostError());
    waiting.clear();
  });
  // A broken channel is what a killed child looks like.
  process_.on("error", () => undefined);
  return {
    pid: process_.pid ?? 0,
    get alive() {
      return alive;
    },
    ask: (order) =>
      new Promise((resolve, reject) => {
        if (!alive) {
          reject(new LostError());
          return;
        }
        asked += 1;
        waiting.set(asked, { resolve, reject });
        process_.send({ id: asked, order } satisfies Message);
      }),
    faultReached: () => new Promise((resolve) => hits.push(resolve)),
    async kill() {
      process_.kill("SIGKILL");
      await gone;
    },
    async stop() {
      process_.kill("SIGSTOP");
      await standsStill(process_);
    },
    stopped: () => standsStill(process_),
    resume: () => void process_.kill("SIGCONT"),
  };
}

/** Where there is no /proc, a moment has to do. */
async function standsStill(child: ChildProcess): Promise<void> {
  for (let poll = 0; poll < STOP_POLLS; poll += 1) {
    try {
      const state = readFileSync(`/proc/${String(child.pid)}/stat`, "utf8").split(") ")[1]?.[0];
      if (state === "T" || state === undefined) return;
    } catch {
      await delay(STOP_POLL_MS);
      return;
    }
    await delay(STOP_POLL_MS);
  }
  throw new Error("a child did not stop");
}
