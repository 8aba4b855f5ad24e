import { setTimeout as delay } from "node:timers/promises";
import type { Embedded } from "@/db/embedded/embedded";
import { delayAfter } from "../supervise";

/** How often it is looked whether the server is there. */
const LOOK_EVERY_MS = 500;

/**
 * Starts the embedded database again when its process is gone, slower with each try that fails, until it is asked to stop. The
 * processes reach it at the same address as before, so they go on by themselves.
 *
 * @param say told one line when it is gone, when it is there again, and why it is not
 */
export async function keepDatabase(
  database: Pick<Embedded, "alive" | "revive">,
  say: (line: string) => void,
  stopping: AbortSignal,
): Promise<void> {
  const wait = (ms: number): Promise<void> =>
    delay(ms, undefined, { signal: stopping, ref: false }).catch(() => undefined);
  for (let failed = 0; !stopping.aborted;) {
    await wait(failed === 0 ? LOOK_EVERY_MS : delayAfter(failed));
    // Asked to stop while it waited.
    if (isAborted(stopping) || (failed === 0 && database.alive())) continue;
    if (failed === 0) say("the database ended, starting it again");
    try {
      await database.revive();
      failed = 0;
      if (!isAborted(stopping)) say("the database is up again");
    } catch (error) {
      failed += 1;
      say(`the database did not start: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

const isAborted = (signal: AbortSignal): boolean => signal.aborted;
