/**
 * `npm run test:crash`: kills, stops and cuts real processes at named points, heals, and asks the oracles; then plants bugs
 * that they must catch, sends messages through processes, brokers and a database that die at random, and storms of one key. docs/CRASH.md. The last line is `N passed, N failed`.
 */
import { execFileSync } from "node:child_process";
import { setup, teardown } from "@/db/testing/global-setup";
import { killChildren } from "./children";
import { runBugs } from "./bugs/run-bugs";
import { runCampaign } from "./messages/campaign";
import { runPoison } from "./messages/poison";
import { runStorms } from "./http/storm";
import { startSpares } from "./session";
import { coverage, runMatrix } from "./matrix";
import { readCrashOptions } from "./options";

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
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const) {
  process.once(signal, () => process.exit(code));
}

const options = readCrashOptions(process.argv.slice(2), Date.now() % 1_000_000_000);
const total = { passed: 0, failed: 0 };
await setup();
const spares = startSpares(options.parts.has("storm") && options.parts.size === 1 ? 0 : options.lanes);
try {
  if (options.parts.has("matrix")) {
    const started = performance.now();
    say(`matrix: ${String(options.runs)} runs from seed ${String(options.seed)}, ${String(options.lanes)} at a time`);
    const { passed, failed, cells } = await runMatrix(options, spares, gitHash(), say);
    total.passed += passed;
    total.failed += failed;
    say(`matrix: ${coverage(cells, options.cells)}, ${((performance.now() - started) / 1_000).toFixed(0)} s`);
  }
  if (options.parts.has("bugs")) {
    const started = performance.now();
    const { passed, failed } = await runBugs(options.seed, options.lanes, spares, say);
    total.passed += passed;
    total.failed += failed;
    say(`bugs: ${((performance.now() - started) / 1_000).toFixed(0)} s`);
  }
  if (options.parts.has("messages")) {
    const started = performance.now();
    const { messages, seed, short } = options;
    const carriers = short ? (["http", "nats"] as const) : (["http", "nats", "rabbitmq"] as const);
    say(`messages: ${String(messages)} over ${carriers.join(", ")} from seed ${String(seed)}`);
    const poison = await runPoison(spares);
    for (const problem of poison.problems) say(`FAIL a poisonous message: ${problem}`);
    say(`a poisonous message: ${poison.told}`);
    total[poison.problems.length > 0 ? "failed" : "passed"] += 1;
    const { passed, failed } = await runCampaign({ messages, seed, carriers }, spares, say);
    total.passed += passed;
    total.failed += failed;
    if (failed > 0)
      say(`  again: npm run test:crash -- --part messages --messages ${String(messages)} --seed ${String(seed)}`);
    say(`messages: ${((performance.now() - started) / 1_000).toFixed(0)} s`);
  }
  if (options.parts.has("storm")) {
    const started = performance.now();
    const { passed, failed } = await runStorms(options.storm, options.short, say);
    total.passed += passed;
    total.failed += failed;
    say(`storms: ${((performance.now() - started) / 1_000).toFixed(0)} s`);
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
