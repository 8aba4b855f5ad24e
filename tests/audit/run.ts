/**
 * `npm run test:audit`: tampers with the chains of the audit as the owner of the database may, at random, and asks after the next
 * checkpoint whether it was noticed (docs/runbooks/audit.md). The last line is `N passed, N failed`.
 */
import { parseArgs } from "node:util";
import { setup, teardown } from "@/db/testing/global-setup";
import { runTamperings } from "./campaign";

const DEFAULT_RUNS = 1_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const { values } = parseArgs({ options: { runs: { type: "string" }, seed: { type: "string" } } });
const [runs, seed] = [Number(values.runs ?? DEFAULT_RUNS), Number(values.seed ?? Date.now() % 1_000_000_000)];
if (!Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(seed)) {
  process.stderr.write("--runs and --seed must be whole numbers.\n");
  process.exit(1);
}

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
