import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 200;
/** Longer than answers under way may take in a process of ours. */
const KILL_AFTER_TRIES = 75;

/** Starts a shell in a group of its own, which does not outlive this process. */
export function spawnGroup(commands: string, options: SpawnOptions): ChildProcess {
  const child = spawn("bash", ["-eu", "-c", commands], { ...options, detached: true });
  const atExit = (): void => void signalGroup(child.pid, "SIGKILL");
  process.once("exit", atExit);
  child.once("exit", () => {
    if (!signalGroup(child.pid, 0)) process.removeListener("exit", atExit);
  });
  return child;
}

/** Ends all processes of a group and waits for them: a shell ends at once, what it started in its own time, within limits. */
export async function endGroup({ pid }: { readonly pid?: number | undefined }): Promise<void> {
  if (pid === undefined) return;
  let left = signalGroup(pid, "SIGTERM");
  for (let tries = 1; left; tries += 1) {
    await delay(POLL_MS);
    left = signalGroup(pid, tries < KILL_AFTER_TRIES ? 0 : "SIGKILL");
  }
}

/** @returns whether somebody of the group is left */
function signalGroup(pid: number | undefined, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal);
  } catch {
    return false;
  }
}
