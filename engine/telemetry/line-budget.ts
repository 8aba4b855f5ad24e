const SECOND_MS = 1_000;

/** Bounds lines of one kind and counts the rest. */
export type LineBudget = ReturnType<typeof createLineBudget>;

/** @param perSecond lines of one second @param clock monotonic milliseconds */
export function createLineBudget(perSecond: number, clock: () => number = () => performance.now()) {
  let until = 0;
  let left = 0;
  let leftOut = 0;
  return {
    /** @returns how many were left out since the last line, or undefined when this one is left out too. */
    take(): { readonly leftOut: number } | undefined {
      const now = clock();
      if (now >= until) {
        until = now + SECOND_MS;
        left = perSecond;
      }
      if (left === 0) {
        leftOut += 1;
        return undefined;
      }
      left -= 1;
      const line = { leftOut };
      leftOut = 0;
      return line;
    },
  };
}
