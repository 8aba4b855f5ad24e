/** The checks that need no database, two at a time. Prints each as it ends, and the output of a red one. */
import { run, stopChildrenOnSignals } from "./lib/processes.mjs";
import { countStep, VERIFY_STEPS } from "./lib/steps.mjs";

const AT_ONCE = 2;
const only = process.argv.slice(2);

stopChildrenOnSignals();
const steps = VERIFY_STEPS.filter(({ name }) => only.length === 0 || only.includes(name));
const waiting = [...steps];
const total = { passed: 0, failed: 0 };
const startedAll = Date.now();

async function worker() {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const started = Date.now();
    const { code, output } = await run(step.command, step.args, { quiet: true });
    const { passed, failed } = countStep(step, code);
    total.passed += passed;
    total.failed += failed;
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    process.stdout.write(`${code === 0 ? "ok  " : "FAIL"}  ${step.name.padEnd(20)} ${seconds.padStart(5)} s\n`);
    if (code !== 0) process.stdout.write(`${output.trim()}\n`);
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, worker));
process.stdout.write(`verify: ${((Date.now() - startedAll) / 1000).toFixed(1)} s\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed > 0 ? 1 : 0;
