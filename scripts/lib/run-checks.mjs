/** Runs checks that each use one core, two at a time. */
import { run } from "./processes.mjs";
import { countStep } from "./steps.mjs";

const AT_ONCE = 2;

/**
 * Prints each check as it ends, and the output of a red one.
 * @param {readonly { name: string, command: string, args: string[] }[]} steps
 * @returns {Promise<{ passed: number, failed: number, red: string[], names: string[] }>} `red` has the steps that failed, `names` their tests
 */
export async function runChecks(steps) {
  const waiting = [...steps];
  const total = { passed: 0, failed: 0, red: [], names: [] };
  async function worker() {
    for (let step = waiting.shift(); step && !process.exitCode; step = waiting.shift()) {
      const started = Date.now();
      const { code, output } = await run(step.command, step.args, { quiet: true });
      const { passed, failed, names = [] } = countStep(step, code);
      total.passed += passed;
      total.failed += failed;
      total.names.push(...names);
      if (failed > 0) total.red.push(step.name);
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      process.stdout.write(`${failed > 0 ? "FAIL" : "ok  "}  ${step.name.padEnd(20)} ${seconds.padStart(5)} s\n`);
      if (code !== 0) process.stdout.write(`${output.trim()}\n`);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return total;
}
