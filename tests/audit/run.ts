/**
 * `npm run test:audit`: tampers with the chains of the audit as the owner of the database may, at random, and asks after the next
 * checkpoint whether it was noticed (docs/runbooks/audit.md). The last line is `N passed, N failed`.
 */
import { parseArgs } from "node:util";
import { setup, teardown } from "@/db/testing/global-setup";
import { readCommandLine, wholeNumber } from "@/tests/support/command-line";
import { runTamperings } from "./campaign";

const DEFAULT_RUNS = 1_000;
const USAGE = `npm run test:audit [-- options]
  --runs N   tamperings (${String(DEFAULT_RUNS)})
  --seed N   of the first; with --runs 1 it is that run alone`;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const { runs, seed } = readCommandLine(USAGE, () => {
  const { values } = parseArgs({
    options: {
      runs: { type: "string", default: String(DEFAULT_RUNS) },
      seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    },
  });
  return { runs: wholeNumber("runs", values.runs), seed: wholeNumber("seed", values.seed, 0) };
});

say(`${String(runs)} runs from seed ${String(seed)}; one alone: --runs 1 --seed N`);
const begun = performance.now();
await setup();
let failed = 1;
let passed = 0;
try {
  const { tampered, unnoticed, controls, falseAlarms, counts } = await runTamperings({ runs, seed }, say);
  for (const [name, count] of [...counts].sort()) say(`${String(count).padStart(6)}  ${name}`);
  say(`${String(tampered)} tampered with, ${String(unnoticed.length)} unnoticed`);
  say(`${String(controls)} left alone, ${String(falseAlarms.length)} reported`);
  failed = unnoticed.length + falseAlarms.length;
  passed = runs - failed;
} finally {
  await teardown();
}
say(`${((performance.now() - begun) / 1_000).toFixed(0)} s`);
say(`${String(passed)} passed, ${String(failed)} failed`);
process.exit(failed === 0 ? 0 : 1);
