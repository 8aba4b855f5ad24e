import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

const CALLERS = 4;
const RETRY_MS = 100;
const TRIES = 600;
const ANSWER_MS = 40_000;
/** What a caller may be told while nothing is wrong: another owner works, or try again. */
const IN_PROGRESS = 409;

interface Kept {
  readonly key: string;
  readonly body: string;
  /** Status and bytes of the first final answer. */
  readonly answer: string;
}

export interface PhaseTally {
  /** Answers by status, and `none` where nobody answered. */
  readonly answers: Map<string, number>;
  /** What the contract does not allow, in words. */
  readonly violations: string[];
}

export interface CallersOptions {
  readonly apiKey: string;
  readonly tally: (phase: string) => PhaseTally;
  /** A caller that is broken on purpose: its retries have a key of their own. The judges have to notice. */
  readonly planted: boolean;
}

/** Callers of the API, each key with an amount of its own, sent twice at once and once more afterwards, wherever somebody answers. */
export function createLoad({ apiKey, tally, planted }: CallersOptions) {
  const kept: Kept[] = [];
  let amount = 0;
  let urls: readonly string[] = [];

  /** Until somebody answers for good; each try asks another process. */
  async function insist(phase: string, request: Pick<Kept, "key" | "body">, first = 0): Promise<string | undefined> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const url = urls[(first + tries) % Math.max(1, urls.length)];
      const answer = url === undefined ? undefined : await send({ phase, url, apiKey, request, tally: tally(phase) });
      if (answer !== undefined) return answer;
      await delay(RETRY_MS);
    }
    tally(phase).violations.push(`${phase}: no answer for ${request.key} after ${String(TRIES)} tries`);
    return undefined;
  }

  async function pay(phase: string): Promise<void> {
    amount += 1;
    const body = JSON.stringify({ accountId: "acc_1", amount: `${String(amount)}.00`, currency: "EUR" });
    const request = { key: randomUUID(), body };
    const [one, two] = await Promise.all([insist(phase, request, 0), insist(phase, request, 1)]);
    const again = await insist(phase, planted ? { body, key: randomUUID() } : request, amount);
    if (one === undefined) return;
    if (two !== one || again !== one) tally(phase).violations.push(`${phase}: ${request.key} has two answers`);
    kept.push({ ...request, answer: one });
  }

  return {
    kept: kept as readonly Kept[],
    /** @param next of the processes that answer from now on */
    turnTo(next: readonly string[]): void {
      urls = next;
    },
    /** At least `keys` new keys, and on until `meanwhile` has ended. */
    async run(phase: string, keys: number, meanwhile: Promise<unknown> = Promise.resolve()): Promise<void> {
      const state = { ended: false };
      const end = (): void => void (state.ended = true);
      meanwhile.then(end, end);
      let begun = 0;
      const caller = async (): Promise<void> => {
        while (begun < keys || !state.ended) {
          begun += 1;
          await pay(phase);
        }
      };
      await Promise.all(Array.from({ length: CALLERS }, caller));
      await meanwhile;
    },
    /** Every key so far once more at every process: the same bytes, from whichever version. */
    async replayAll(phase: string): Promise<void> {
      for (const [at] of urls.entries())
        for (const each of kept) {
          const answer = await insist(phase, each, at);
          if (answer !== undefined && answer !== each.answer)
            tally(phase).violations.push(`${phase}: ${each.key} has another answer than before`);
        }
    },
  };
}

interface Sending {
  readonly phase: string;
  readonly url: string;
  readonly apiKey: string;
  readonly request: Pick<Kept, "key" | "body">;
  readonly tally: PhaseTally;
}

/** Sends a command once, and counts what became of it. @returns status and bytes of a final answer */
async function send({ phase, url, apiKey, request: { key, body }, tally }: Sending): Promise<string | undefined> {
  const { answers, violations } = tally;
  const count = (what: string): void => void answers.set(what, (answers.get(what) ?? 0) + 1);
  let status: number;
  let text: string;
  let retryAfter: string | null;
  try {
    const response = await fetch(`${url}/api/v1/payments`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", "idempotency-key": key },
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    ({ status } = response);
    retryAfter = response.headers.get("retry-after");
    text = await response.text();
  } catch {
    count("none");
    return undefined;
  }
  count(String(status));
  if (status === 201) return `${String(status)} ${text}`;
  const allowed = (status === 503 && retryAfter !== null) || status === IN_PROGRESS;
  if (!allowed) violations.push(`${phase}: ${String(status)} ${text.slice(0, 200)}`);
  return undefined;
}
