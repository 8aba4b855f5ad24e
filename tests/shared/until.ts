import { setTimeout as delay } from "node:timers/promises";

const LOOK_MS = 10;
const LIMIT_MS = 30_000;

/** Looks until it is so. @throws Error that says what did not come about */
export async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + LIMIT_MS;
  while (performance.now() < end) {
    if (await isSo()) return;
    await delay(LOOK_MS);
  }
  throw new Error(`waited in vain: ${what}`);
}
