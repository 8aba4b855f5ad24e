import type { Database } from "@/db/client";

/**
 * Callers of one key that may hold a connection at once, per process. On the local path the claim of the first caller is not
 * committed while its effect runs, and whoever claims the same key meanwhile waits inside the database: without a bound, a few
 * dozen retries of one stuck operation would take every connection from all other keys.
 */
export const MAX_AT_ONE_KEY = 4;
/** Longest wait in memory for a turn; then the answer is that the key is in progress. */
export const KEY_QUEUE_WAIT_MS = 2_000;

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

const linesOf = new WeakMap<Database["pool"], Map<string, Line>>();

/**
 * Runs `work` when fewer than {@link MAX_AT_ONE_KEY} callers of the same key are at it; the others wait in memory, in order.
 * @param name of the key in its tenant and operation
 * @returns undefined when the turn did not come in time: nothing was done
 */
export async function inTurn<T>(
  pool: Database["pool"],
  name: string,
  work: () => Promise<T>,
  waitMs: number = KEY_QUEUE_WAIT_MS,
): Promise<T | undefined> {
  const lines = linesOf.get(pool) ?? new Map<string, Line>();
  linesOf.set(pool, lines);
  const line = lines.get(name) ?? { running: 0, waiting: [] };
  lines.set(name, line);
  if (line.running < MAX_AT_ONE_KEY) line.running += 1;
  else if (!(await turnOf(line, waitMs))) return undefined;
  try {
    return await work();
  } finally {
    // The place goes to who is next, and is not free in between.
    const next = line.waiting.shift();
    if (next !== undefined) next();
    else line.running -= 1;
    if (line.running === 0) lines.delete(name);
  }
}

function turnOf(line: Line, waitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const come = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    const timer = setTimeout(() => {
      line.waiting.splice(line.waiting.indexOf(come), 1);
      resolve(false);
    }, waitMs);
    line.waiting.push(come);
  });
}
