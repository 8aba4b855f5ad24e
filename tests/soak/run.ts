/**
 * `npm run test:soak`: callers of real processes over HTTP, who retry under their keys until they know, while PostgreSQL, a broker,
 * API, workers and provider are killed and stand still, clocks are off and the disk is full. Then the oracles of the crash suite are
 * asked. The last line is `N passed, N failed`. docs/CRASH.md.
 */
import { parseArgs } from "node:util";
import { exitOnSignals, readCommandLine, wholeNumber } from "@/tests/support/command-line";
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
const text = { type: "string" } as const;
const options = readCommandLine(USAGE, () => {
  const { values } = parseArgs({
    options: {
      operations: { ...text, default: DEFAULTS.operations },
      seed: { ...text, default: String(Date.now() % 1_000_000_000) },
      minutes: { ...text, default: DEFAULTS.minutes },
      "at-once": { ...text, default: DEFAULTS["at-once"] },
      broker: { ...text, default: DEFAULTS.broker },
    },
  });
  const { broker } = values;
  if (!isSoakBroker(broker)) throw new Error(`--broker must be one of ${SOAK_BROKERS.join(", ")}: ${broker}`);
  return {
    operations: wholeNumber("operations", values.operations),
    seed: wholeNumber("seed", values.seed, 0),
    minutes: wholeNumber("minutes", values.minutes),
    atOnce: wholeNumber("at-once", values["at-once"]),
    broker,
  };
});

process.once("exit", killChildren);
exitOnSignals();

let result = { passed: 0, failed: 1 };
try {
  result = await runSoak(options, say);
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
say(`${String(result.passed)} passed, ${String(result.failed)} failed`);
process.exit(result.failed === 0 ? 0 : 1);
