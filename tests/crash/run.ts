/**
 * `npm run test:crash`: kills, stops and cuts real processes at named points, lets them recover, and asks the oracles; then plants bugs
 * that they must catch, sends messages through processes, brokers and a database that die at random, and storms of one key.
 * docs/CRASH.md. The last line is `N passed, N failed`.
 */
import { execFileSync } from "node:child_process";
import { setup, teardown } from "@/db/testing/global-setup";
import { exitOnSignals, readCommandLine } from "@/tests/support/command-line";
import { killChildren } from "./children";
import { runBugs } from "./bugs/run-bugs";
import { runCampaign } from "./messages/campaign";
import { runPoison } from "./messages/poison";
import { runStorms } from "./http/storm";
import type { PartResult } from "./judge";
import { carriersOf } from "./messages/load";
import { startSpares, type Spares } from "./session";
import { runMatrix } from "./matrix";
import { readCrashOptions, USAGE, type CampaignPart } from "./options";

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function gitHash(): string {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  } catch {
    return "unknown";
  }
}

process.once("exit", killChildren);
exitOnSignals();

const options = readCommandLine(USAGE, () => readCrashOptions(process.argv.slice(2), Date.now() % 1_000_000_000));
const { seed, lanes, messages, short } = options;
const only = options.parts.size === 1 ? [...options.parts][0] : undefined;

const CAMPAIGN_PARTS: Readonly<Record<CampaignPart, (spares: Spares) => Promise<PartResult>>> = {
  matrix: (spares) => runMatrix(options, spares, gitHash(), say),
  bugs: (spares) => runBugs(seed, lanes, spares, say),
  async messages(spares) {
    const poison = await runPoison(spares, say);
    const campaign = await runCampaign({ messages, seed, carriers: carriersOf(short) }, spares, say);
    return { passed: poison.passed + campaign.passed, failed: poison.failed + campaign.failed };
  },
  storm: () => runStorms(options.storm, short, say),
};

const total = { passed: 0, failed: 0 };
await setup();
const spares = startSpares(only === "storm" ? 0 : lanes);
try {
  for (const part of options.parts) {
    const started = performance.now();
    const { passed, failed } = await CAMPAIGN_PARTS[part](spares);
    total.passed += passed;
    total.failed += failed;
    say(`${part}: ${((performance.now() - started) / 1_000).toFixed(0)} s`);
  }
} catch (error) {
  total.failed += 1;
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  await spares.close();
  await teardown();
}
say(`${String(total.passed)} passed, ${String(total.failed)} failed`);
process.exit(total.failed === 0 ? 0 : 1);
