/**
 * What twenty pages at once do to a payment, on one process of `serve`: p50 without and with them, in one run.
 *
 *   npx tsx tests/bench/page-share.ts [pages at once]      after npm run build
 */
import { randomUUID } from "node:crypto";
import { startServed } from "./console/served";
import { median } from "./report";

const PAYMENTS = 60;
const WARM_UP = 15;
const ROUNDS = 3;
const PATHS = ["/", "/operations", "/outbox", "/metrics", "/attention"];

const [wanted = "20"] = process.argv.slice(2);
const served = await startServed();
try {
  await times(WARM_UP);
  await Promise.all(PATHS.map((path) => served.page(path)));
  for (let round = 1; round <= ROUNDS; round += 1) {
    const idle = median(await times(PAYMENTS));
    const pages = askForPages(Number(wanted));
    await times(WARM_UP);
    const busy = median(await times(PAYMENTS));
    const answered = await pages.stop();
    process.stdout.write(
      `round ${String(round)}: p50 ${idle.toFixed(1)} ms alone, ${busy.toFixed(1)} ms beside ${wanted} pages at once ` +
        `(${(busy / idle).toFixed(2)} times); pages answered ${JSON.stringify(answered)}\n`,
    );
  }
} finally {
  await served.close();
}

/** One payment after the other, as a caller waits for each. @returns ms of each */
async function times(count: number): Promise<number[]> {
  const results: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const started = performance.now();
    const answer = await fetch(`${served.url}/api/v1/payments`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${served.key}`,
        "content-type": "application/json",
        "idempotency-key": randomUUID(),
      },
      body: JSON.stringify({
        accountId: "acc_1",
        amount: "10.00",
        currency: "EUR",
        merchantReference: `ref-${randomUUID()}`,
      }),
    });
    await answer.arrayBuffer();
    if (answer.status !== 201) throw new Error(`a payment was answered ${String(answer.status)}`);
    results.push(performance.now() - started);
  }
  return results;
}

/** So many people who look at one page after the other. */
function askForPages(atOnce: number): { stop(): Promise<Record<string, number>> } {
  const answered: Record<string, number> = {};
  const over = { now: false };
  const people = Array.from({ length: atOnce }, async (_, person) => {
    for (let n = person; !over.now; n += 1) {
      const status = await served.page(PATHS[n % PATHS.length] ?? "/");
      answered[status] = (answered[status] ?? 0) + 1;
    }
  });
  return {
    async stop() {
      over.now = true;
      await Promise.all(people);
      return answered;
    },
  };
}
