/**
 * Everything in order: verify, database, HTTP, browser. Goes on after a red stage so that one run shows everything, and ends with
 * one line `N passed, N failed` over all runners, which machines read.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { run, stopChildrenOnSignals } from "./lib/processes.mjs";
import { runChecks } from "./lib/run-checks.mjs";
import {
  adoption,
  CACHE,
  countStep,
  crash,
  failover,
  httpOnNext,
  httpThroughNext,
  libraries,
  soak,
  VERIFY_STEPS,
  vitest,
} from "./lib/steps.mjs";

const E2E_RESULTS = join(CACHE, "playwright.json");
rmSync(E2E_RESULTS, { force: true });

/** @returns {string[]} the file and the title of each browser test of a suite that failed */
function failedSpecs({ suites = [], specs = [] }) {
  const own = specs.filter((spec) => !spec.ok).map((spec) => `e2e/${spec.file}: ${spec.title}`);
  return [...own, ...suites.flatMap(failedSpecs)];
}

function countPlaywright() {
  const { stats, errors, suites } = JSON.parse(readFileSync(E2E_RESULTS, "utf8"));
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    names: suites.flatMap(failedSpecs),
  };
}

const stages = [
  // Once, before several test files ask for them at the same time; a test that needs one says itself what is missing.
  { name: "brokers", command: process.execPath, args: ["scripts/find-brokers.mjs"], quiet: true },
  { name: "programs for backups", command: process.execPath, args: ["scripts/find-backup-programs.mjs"], quiet: true },
  { name: "pgbouncer", command: process.execPath, args: ["scripts/find-pgbouncer.mjs"], quiet: true },
  vitest("db"),
  vitest("http"),
  libraries(),
  crash(),
  soak(),
  failover(),
  { name: "build", command: process.execPath, args: ["scripts/build.mjs"] },
  {
    name: "the README's production block",
    command: process.execPath,
    args: ["--import", "tsx", "tests/production/run.ts", "--here"],
  },
  adoption(),
  httpOnNext(),
  httpThroughNext(),
  {
    name: "browser",
    command: process.execPath,
    args: ["scripts/e2e.mjs"],
    env: { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: E2E_RESULTS },
    count: countPlaywright,
  },
];

stopChildrenOnSignals();
process.stdout.write("── verify\n");
const total = await runChecks(VERIFY_STEPS);
const { red } = total;
for (const stage of stages) {
  if (process.exitCode) break;
  const started = Date.now();
  process.stdout.write(`\n── ${stage.name}\n`);
  const { code, output } = await run(stage.command, stage.args, {
    quiet: stage.quiet ?? false,
    copied: stage.copied ?? false,
    env: stage.env ?? process.env,
  });
  if (process.exitCode) break;
  if (stage.quiet && code !== 0) process.stdout.write(`${output.trim()}\n`);
  const { passed, failed, names = [] } = countStep(stage, code, output);
  total.passed += passed;
  total.failed += failed;
  total.names.push(...names);
  if (failed > 0) red.push(stage.name);
  process.stdout.write(`   ${failed > 0 ? "FAIL" : "ok"}, ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}

if (process.exitCode) red.push("interrupted");
// Last, where the end of a long log is all that is kept of it.
process.stdout.write(total.names.map((name) => `\nfailed: ${name}`).join(""));
process.stdout.write(red.length > 0 ? `\nred: ${red.join(", ")}\n` : "\n");
process.stdout.write(`${total.passed} passed, ${total.failed} failed\n`);
if (red.length > 0) process.exitCode ||= 1;
