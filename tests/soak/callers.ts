import { setTimeout as delay } from "node:timers/promises";
import { askApi } from "../crash/http/ask-api";
import type { CallResult } from "../crash/oracles/recorder";
import type { Wish } from "../crash/child/protocol";
import type { FaultRandom } from "../crash/messages/faults";

/** One thing that a caller wants, and all that it was told. */
export interface AskedOperation {
  readonly wish: Wish;
  readonly heard: (CallResult & { readonly sentAt: Date })[];
}

export interface CallerOptions {
  readonly operations: number;
  readonly ports: readonly number[];
  readonly apiKey: string;
  readonly random: FaultRandom;
  /** Nothing new is begun after this moment of `performance.now()`. */
  readonly until: number;
  /** Callers at a time. */
  readonly atOnce: number;
}

const KNOWN = new Set(["executed", "replayed"]);
/** What a caller may be told while it does not know yet: it asks again under the same key. */
const OPEN = new Set(["lost", "error", "in_progress", "unknown"]);
const FIRST_WAIT_MS = 50;
const MOST_WAIT_MS = 2_000;
/** A caller that does not know after this gives up; so long waits recovery between look-ups that failed again and again. */
const PATIENCE_MS = 900_000;
/** A caller that does not know this long after the faults is a finding. */
const LAST_PATIENCE_MS = 60_000;

export const knowsAll = ({ heard }: AskedOperation): boolean => KNOWN.has(heard.at(-1)?.outcome ?? "");

/** Makes accounts, payments and refunds of them until each caller knows; every call goes to a process at random. */
export async function callUntilKnown(options: CallerOptions, asked: AskedOperation[]): Promise<void> {
  let begun = 0;
  const next = (wish: Wish): AskedOperation => {
    const made: AskedOperation = { wish, heard: [] };
    asked.push(made);
    return made;
  };
  const more = (): boolean => begun < options.operations && performance.now() < options.until;
  const caller = async (): Promise<void> => {
    while (more()) {
      begun += 1;
      const number = begun;
      const wish = wishOf(number, options.random);
      const one = next(wish);
      await askUntilKnown(one, options);
      const paymentId = one.heard.at(-1)?.resourceId;
      if (wish.operation !== "payment" || paymentId === undefined || options.random() > 0.25 || !more()) continue;
      begun += 1;
      const fields = { paymentId, amountMinor: "300" };
      await askUntilKnown(next({ operation: "refund", key: `refund-${String(begun)}`, fields }), options);
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, caller));
}

function wishOf(number: number, random: FaultRandom): Wish {
  if (random() < 0.2) {
    const accountId = `account-${String(number)}`;
    return { operation: "account", key: accountId, fields: { accountId, currency: "EUR" } };
  }
  const fields = { accountId: `account-${String(number % 50)}`, amountMinor: "5000" };
  return { operation: "payment", key: `payment-${String(number)}`, fields };
}

/** Who gave up comes back once more, as people do. @returns how many did not know before */
export async function askOnceMore(asked: readonly AskedOperation[], by: AskedProcesses): Promise<number> {
  const open = asked.filter((one) => !knowsAll(one));
  for (const one of open) await askUntilKnown(one, by, LAST_PATIENCE_MS);
  return open.length;
}

export type AskedProcesses = Pick<CallerOptions, "ports" | "apiKey" | "random">;

async function askUntilKnown(
  one: AskedOperation,
  { ports, apiKey, random }: AskedProcesses,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const since = performance.now();
  for (let wait = FIRST_WAIT_MS; performance.now() - since < patienceMs; wait = Math.min(MOST_WAIT_MS, wait * 2)) {
    const sentAt = new Date();
    const port = ports[Math.floor(random() * ports.length)] ?? 0;
    const result = await askApi(port, apiKey, one.wish);
    one.heard.push({ ...result, sentAt });
    if (!OPEN.has(result.outcome)) return;
    await delay(wait * (0.5 + random()));
  }
}
