import { setTimeout as delay } from "node:timers/promises";

const RETRY_LIMIT_MS = 60_000;
const AGAIN_MS = 100;

/** Asks again while the database is away. @throws the last error, after a minute */
export async function retryWhileDown<T>(work: () => Promise<T>): Promise<T> {
  const until = performance.now() + RETRY_LIMIT_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > until) throw error;
      await delay(AGAIN_MS);
    }
  }
}
