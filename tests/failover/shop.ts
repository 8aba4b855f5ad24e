import { setTimeout as delay } from "node:timers/promises";
import { askApi } from "../crash/http/ask-api";
import type { CallResult } from "../crash/oracles/recorder";

/** A payment that somebody wants, of an amount that no other has: by it the provider's own ledger names it. */
export interface Purchase {
  readonly key: string;
  readonly amountMinor: number;
  /** All answers, in order. */
  readonly heard: CallResult[];
}

export interface FailoverShop {
  readonly purchases: readonly Purchase[];
  /** Where callers ask from now on. */
  useApi(port: number): void;
  /** Nobody begins anything new. */
  close(): void;
  /** Callers who were told something final, `executed` or `replayed`. */
  told(): readonly Purchase[];
  /** Settles when all callers have an end, or have asked for too long. */
  ended(): Promise<void>;
}

const CALLERS = 8;
const LEAST_MINOR = 1_000;
const AGAIN_MS = 200;
const PATIENCE_MS = 240_000;
const DONE = new Set(["executed", "replayed"]);
/** What a caller takes for no answer: it asks again under the same key. */
const OPEN = new Set(["lost", "error", "in_progress", "unknown"]);

export const isDone = ({ heard }: Purchase): boolean => heard.some(({ outcome }) => DONE.has(outcome));
export const lastOutcome = ({ heard }: Purchase): string => heard.at(-1)?.outcome ?? "nothing";

/** Opens a shop whose callers buy without a pause, each asking under its key until it knows. */
export function openFailoverShop(apiKey: string, firstPort: number): FailoverShop {
  const purchases: Purchase[] = [];
  let port = firstPort;
  let open = true;
  const caller = async (): Promise<void> => {
    while (open) {
      const amountMinor = LEAST_MINOR + purchases.length;
      const one: Purchase = { key: `purchase-${String(purchases.length)}`, amountMinor, heard: [] };
      purchases.push(one);
      const last = performance.now() + PATIENCE_MS;
      do {
        const result = await askOnce(port, apiKey, one);
        one.heard.push(result);
        if (OPEN.has(result.outcome)) await delay(AGAIN_MS);
      } while (OPEN.has(lastOutcome(one)) && performance.now() < last);
    }
  };
  const all = Promise.all(Array.from({ length: CALLERS }, caller));
  return {
    purchases,
    useApi: (next) => void (port = next),
    close: () => void (open = false),
    told: () => purchases.filter(isDone),
    ended: () => all.then(() => undefined),
  };
}

/** Asks once under the key of a purchase. */
export function askOnce(port: number, apiKey: string, { key, amountMinor }: Purchase): Promise<CallResult> {
  const fields = { accountId: "acc_1", amountMinor: String(amountMinor) };
  return askApi(port, apiKey, { operation: "payment", key, fields });
}
