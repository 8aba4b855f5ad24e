import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { startProcess } from "../shared/start-process";

export interface BenchChild {
  readonly pid: number;
  stop(): Promise<void>;
  /** At once, as a process that crashes. */
  kill(): Promise<void>;
}

const READY_MS = 30_000;
const STOP_MS = 10_000;

/** Starts a process of its own and waits until it answers. */
export async function startBenchChild(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  ready: RegExp,
): Promise<BenchChild> {
  const child = await startProcess(args, { env, ready, readyMs: READY_MS });
  return { pid: child.pid ?? 0, stop: () => stop(child), kill: () => stop(child, "SIGKILL") };
}

async function stop(child: ChildProcess, signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  const force = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await ended;
  clearTimeout(force);
}
