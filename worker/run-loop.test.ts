import { describe, expect, it } from "vitest";
import { ERROR_PAUSE_MAX_MS, IDLE_INTERVALS_MAX, runLoop } from "./run-loop";

interface LoggedLine {
  readonly pauseMs: number;
  readonly error?: unknown;
}

/** Runs a loop whose ticks give these; each pause is told and not waited for. */
async function loggedLines(ticks: readonly (number | Error)[], intervalMs = 100): Promise<LoggedLine[]> {
  const stop = new AbortController();
  const seen: LoggedLine[] = [];
  let next = 0;
  await runLoop<number>({
    tick: () => {
      const now = ticks[next];
      next += 1;
      return now instanceof Error ? Promise.reject(now) : Promise.resolve(now ?? 0);
    },
    intervalMs,
    busy: (count) => count >= 10,
    idle: (count) => count === 0,
    onTick: (result) => {
      seen.push(result);
      if (next === ticks.length) stop.abort();
      return Promise.resolve();
    },
    signal: stop.signal,
    random: () => -0.5,
  });
  return seen;
}

describe("runLoop", () => {
  it("goes on at once while there is more, and waits one interval after some work", async () => {
    const seen = await loggedLines([10, 3]);
    expect(seen.map(({ pauseMs }) => pauseMs)).toEqual([0, 100]);
  });

  it("waits longer and longer while there is nothing, up to a bound", async () => {
    const seen = await loggedLines([0, 0, 0, 0, 0, 0, 1]);
    expect(seen.map(({ pauseMs }) => pauseMs)).toEqual([200, 300, 400, 500, 500, 500, 100]);
    expect(IDLE_INTERVALS_MAX * 100).toBe(500);
  });

  it("survives failures, backs off, and is at once back when it works again", async () => {
    const broken = new Error("no database");
    const seen = await loggedLines([...Array<Error>(12).fill(broken), 1]);
    expect(seen[0]?.pauseMs).toBe(200);
    expect(seen[11]?.pauseMs).toBe(ERROR_PAUSE_MAX_MS);
    expect(seen[0]?.error).toBe(broken);
    expect(seen[12]?.pauseMs).toBe(100);
  });
});
