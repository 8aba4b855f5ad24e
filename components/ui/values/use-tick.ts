"use client";

import { useEffect, useState } from "react";

/** This browser's clock in milliseconds, read every `everyMs`; `undefined` until the page is alive, so nothing mismatches. */
export function useTick(everyMs: number): number | undefined {
  const [tick, setTick] = useState<number>();
  useEffect(() => {
    const read = (): void => {
      setTick(Date.now());
    };
    const first = setTimeout(read, 0);
    const timer = setInterval(read, everyMs);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [everyMs]);
  return tick;
}
