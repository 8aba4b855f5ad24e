/** The checks that need no database. Arguments are names of checks; without one, all. */
import { stopChildrenOnSignals } from "./lib/processes.mjs";
import { runChecks } from "./lib/run-checks.mjs";
import { VERIFY_STEPS } from "./lib/steps.mjs";

const only = process.argv.slice(2);

stopChildrenOnSignals();
const started = Date.now();
const { passed, failed } = await runChecks(VERIFY_STEPS.filter(({ name }) => only.length === 0 || only.includes(name)));
process.stdout.write(`verify: ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode ||= failed > 0 ? 1 : 0;
