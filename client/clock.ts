/** Where this library takes time from. Tests bring their own, so that nobody waits. All times in milliseconds. */
export interface Clock {
  /** Since 1970: for keys and for dates that the server names. */
  now(): number;
  /** Never goes back, whatever happens to the machine's date: for budgets. */
  elapsed(): number;
  /** Ends early, without an error, when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** @returns what takes it back. */
  after(ms: number, act: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      if (signal?.aborted) end();
      else signal?.addEventListener("abort", end);
    }),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => {
      clearTimeout(timer);
    };
  },
};
