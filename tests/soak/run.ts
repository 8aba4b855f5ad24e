/**
 * `npm run test:soak`: callers of real processes over HTTP, who retry under their keys until they know, while PostgreSQL, a broker,
 * API, workers and provider are killed and stand still, clocks are off and the disk is full. Then the oracles of the crash suite are
 * asked. The last line is `N passed, N failed`. docs/CRASH.md.
 */
import { parseArgs } from "node:util";
import { killChildren } from "../crash/children";
import { runSoak } from "./soak";
import { isSoakBroker, SOAK_BROKERS } from "./soak-broker";

const DEFAULTS = { operations: "20000", minutes: "60", "at-once": "24", broker: "rabbitmq" } as const;
const USAGE = `npm run test:soak [-- options]
  --operations N   payments, refunds and accounts, each of which leaves at least one message (${DEFAULTS.operations})
  --seed N         of what is done and when it is planned; the machine decides when it happens
  --minutes N      nothing new begins after this (${DEFAULTS.minutes}); what was begun ends all the same
  --at-once N      callers at a time (${DEFAULTS["at-once"]})
  --broker NAME    ${SOAK_BROKERS.join(", ")}: over which messages leave (${DEFAULTS.broker})`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const whole = { type: "string" } as const;
const { values } = parseArgs({
  options: {
    operations: { ...whole, default: DEFAULTS.operations },
    seed: { ...whole, default: String(Date.now() % 1_000_000_000) },
    minutes: { ...whole, default: DEFAULTS.minutes },
    "at-once": { ...whole, default: DEFAULTS["at-once"] },
    broker: { ...whole, default: DEFAULTS.broker },
    help: { type: "boolean", default: false },
  },
});
const numbers = [values.operations, values.seed, values.minutes, values["at-once"]].map(Number);
const { broker } = values;
if (values.help || !isSoakBroker(broker) || !numbers.every((number) => Number.isSafeInteger(number) && number > 0)) {
  say(USAGE);
  process.exit(values.help ? 0 : 2);
}

process.once("exit", killChildren);
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)
  process.once(signal, () => process.exit(code));

const [operations = 0, seed = 0, minutes = 0, atOnce = 0] = numbers;
let result = { passed: 0, failed: 1 };
try {
  result = await runSoak({ operations, seed, minutes, atOnce, broker }, say);
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
say(`${String(result.passed)} passed, ${String(result.failed)} failed`);
process.exit(result.failed === 0 ? 0 : 1);
