import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 200;

/** Ends all processes of a group and waits for them: a shell ends at once, what it started in its own time. */
export async function endGroup({ pid }: { readonly pid?: number | undefined }): Promise<void> {
  if (pid === undefined) return;
  for (let signal: NodeJS.Signals | 0 = "SIGTERM"; ; signal = 0) {
    try {
      process.kill(-pid, signal);
    } catch {
      return;
    }
    await delay(POLL_MS);
  }
}
