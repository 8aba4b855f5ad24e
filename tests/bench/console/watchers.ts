/**
 * What people who watch the console cost the claims beside them: the rate of accounts that one process of `serve` with a worker creates alone, with open
 * tabs of the overview, and with people who filter, by turns in one run.
 *
 *   npx tsx tests/bench/console/watchers.ts [--tabs 50] [--people 10] [--rounds 3] [--seconds 20]      after npm run build
 */
import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { parseArgs } from "node:util";
import { readCommandLine, wholeNumber } from "@/tests/support/command-line";
import { load, type LoadRequest } from "../load";
import { learnClicks, learnTab, openTabs, pause } from "./open-tabs";
import { median } from "../report";
import { startServed } from "./served";

const USAGE =
  "npx tsx tests/bench/console/watchers.ts [--tabs N] [--people N] [--rounds N] [--seconds N] [--connections N]";
const { tabs, people, rounds, seconds, connections } = readCommandLine(USAGE, () => {
  const { values } = parseArgs({
    options: {
      tabs: { type: "string", default: "50" },
      people: { type: "string", default: "10" },
      rounds: { type: "string", default: "3" },
      seconds: { type: "string", default: "20" },
      connections: { type: "string", default: "16" },
    },
  });
  return {
    tabs: wholeNumber("tabs", values.tabs, 0),
    people: wholeNumber("people", values.people, 0),
    rounds: wholeNumber("rounds", values.rounds),
    seconds: wholeNumber("seconds", values.seconds),
    connections: wholeNumber("connections", values.connections),
  };
});

/** A person changes a filter every three seconds. */
const LOOK_EVERY_MS = 3_000;

const served = await startServed({ worker: true });
try {
  const requests = await learnTab(served, () => rateOf(1));
  const clicks = await learnClicks(served);
  await rateOf(seconds / 4);
  const shares: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const alone = await rateOf(seconds);
    const open = openTabs(requests, tabs);
    await open.opened;
    const filtering = filter(clicks, people);
    const beside = await rateOf(seconds);
    const [asked, looked] = [await open.close(), await filtering.stop()];
    shares.push(beside / alone);
    process.stdout.write(
      `round ${String(round)}: ${alone.toFixed(0)} accounts a second alone, ${beside.toFixed(0)} beside (${(beside / alone).toFixed(3)}); ` +
        `${String(tabs)} tabs asked ${String(asked.polls)} times and read the page ${String(asked.reads)} times, ${String(people)} people looked ${String(looked)} times\n`,
    );
  }
  process.stdout.write(
    `claims beside them: ${median(shares).toFixed(3)} of alone, the median of ${String(rounds)} rounds\n`,
  );
} finally {
  await served.close();
}

/** @param time seconds @returns accounts created in a second */
async function rateOf(time: number): Promise<number> {
  const measured = await load({
    port: served.port,
    pid: served.pid,
    connections,
    durationMs: time * 1_000,
    expectedStatus: 201,
    next: account,
  });
  return measured.perSecond;
}

function account(): LoadRequest {
  return {
    path: "/api/v1/accounts",
    headers: {
      authorization: `Bearer ${served.key}`,
      "idempotency-key": randomUUID(),
    },
    body: JSON.stringify({ accountId: `acc-${randomUUID()}`, currency: "EUR" }),
  };
}

/** So many people, each of whom clicks on a filter or another list and waits for it. */
function filter(clicks: Awaited<ReturnType<typeof learnClicks>>, count: number): { stop(): Promise<number> } {
  const over = new AbortController();
  setMaxListeners(2 * count + 2, over.signal);
  let looked = 0;
  const all = Array.from({ length: count }, async (_, person) => {
    for (let n = person; !over.signal.aborted; n += 1) {
      const click = clicks[n % clicks.length];
      if (click === undefined) throw new Error("no click was learnt");
      const list = await fetch(click.url, { headers: click.headers });
      await list.arrayBuffer();
      if (list.status !== 200) throw new Error(`a list was answered ${String(list.status)}`);
      looked += 1;
      await pause(LOOK_EVERY_MS * (0.5 + Math.random()), over.signal);
    }
  });
  return {
    async stop() {
      over.abort();
      await Promise.all(all);
      return looked;
    },
  };
}
