import type { Clock } from "../clock";

export interface FakeClock extends Clock {
  /** Lets time pass: as much as is said, or until a timer fires. */
  advance(ms: number): void;
  /** What the client waited between attempts, ms. */
  readonly slept: readonly number[];
}

/** Time passes only while the client waits between attempts, or when a test says so: nobody waits for real. */
export function createFakeClock(startMs = Date.UTC(2026, 10, 19, 14)): FakeClock {
  let passed = 0;
  const slept: number[] = [];
  const timers = new Set<{ readonly due: number; readonly act: () => void }>();
  const advance = (ms: number): void => {
    const [next] = [...timers].sort((a, b) => a.due - b.due);
    const until = passed + ms;
    if (!next || next.due > until) {
      passed = until;
      return;
    }
    timers.delete(next);
    passed = Math.max(passed, next.due);
    next.act();
  };
  return {
    now: () => startMs + passed,
    elapsed: () => passed,
    sleep: (ms) => {
      slept.push(ms);
      advance(ms);
      return Promise.resolve();
    },
    after: (ms, act) => {
      const timer = { due: passed + ms, act };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance,
    slept,
  };
}
