import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

export interface BenchChild {
  readonly pid: number;
  stop(): Promise<void>;
}

const READY_MS = 30_000;
const STOP_MS = 10_000;

/** Starts a process of its own and waits for the line that says it answers. */
export async function startBenchChild(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  ready: RegExp,
): Promise<BenchChild> {
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${args.join(" ")} is not ready in time: ${said}`)), READY_MS);
    const listen = (chunk: Buffer): void => {
      said = (said + chunk.toString()).slice(-4_000);
      if (!ready.test(said)) return;
      clearTimeout(late);
      resolve();
    };
    child.stdout.on("data", listen);
    child.stderr.on("data", listen);
    child.once("exit", (code) => {
      clearTimeout(late);
      reject(new Error(`${args.join(" ")} ended with ${String(code)}: ${said}`));
    });
  });
  return { pid: child.pid ?? 0, stop: () => stop(child) };
}

/** The kernel counts in ticks of this many microseconds. */
const TICK_MICROSECONDS = 10_000;

/** @returns microseconds of processor time that a process has used, all threads; undefined where /proc does not tell. */
export function processorTime(pid: number): number | undefined {
  try {
    const fields =
      readFileSync(`/proc/${String(pid)}/stat`, "utf8")
        .split(") ")[1]
        ?.split(" ") ?? [];
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * TICK_MICROSECONDS : undefined;
  } catch {
    return undefined;
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const force = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
  await ended;
  clearTimeout(force);
}
