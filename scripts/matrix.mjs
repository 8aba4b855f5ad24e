/**
 * `npm run test:matrix`: the checks under each Node, and the database and HTTP suites under each Node on each PostgreSQL. What passed
 * at this commit is not run again, so a run that was ended goes on. Ends with one line `N passed, N failed` over the cells.
 *
 *   npm run test:matrix -- --node 22,24 --postgres npm-16,debian-15 --suites db,http --again
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { findNode, findPostgres, postgresNames } from "./lib/matrix-programs.mjs";
import { run, stopChildrenOnSignals } from "./lib/processes.mjs";
import { CACHE, countStep, VERIFY_STEPS, vitest } from "./lib/steps.mjs";

const NODES = ["20", "22", "24"];
const RESULTS = join(CACHE, "matrix", "results.json");
/** Of a red step: the end says which test it was. */
const SHOWN_CHARS = 6_000;

const { values } = parseArgs({
  options: {
    node: { type: "string", default: NODES.join(",") },
    postgres: { type: "string", default: postgresNames().join(",") },
    suites: { type: "string", default: "verify,db,http" },
    again: { type: "boolean", default: false },
  },
});
const list = (text) => text.split(",").filter(Boolean);
const suites = list(values.suites);

/** A cell is one suite on one Node, and where it needs one, one PostgreSQL. */
const cells = list(values.node).flatMap((node) => [
  ...(suites.includes("verify") ? [{ node, suite: "verify" }] : []),
  ...list(values.postgres).flatMap((postgres) =>
    ["db", "http"].filter((suite) => suites.includes(suite)).map((suite) => ({ node, postgres, suite })),
  ),
]);
const nameOf = ({ node, postgres, suite }) =>
  [`node ${node}`, postgres && `postgres ${postgres}`, suite].filter(Boolean).join(", ");

async function commit() {
  const { output } = await run("git", ["rev-parse", "HEAD"], { quiet: true });
  const dirty = await run("git", ["status", "--porcelain"], { quiet: true });
  return dirty.output === "" ? output.trim() : `${output.trim()} with changes`;
}

/** @returns {Promise<{ passed: number, failed: number }>} */
async function runCell({ node, postgres, suite }) {
  const bin = await findNode(node);
  const env = {
    ...process.env,
    PATH: [bin, process.env.PATH].join(delimiter),
    ...(postgres && { TEST_POSTGRES_BIN: await findPostgres(postgres), DATABASE_URL_TEST: "" }),
  };
  const total = { passed: 0, failed: 0 };
  for (const step of suite === "verify" ? VERIFY_STEPS : [vitest(suite)]) {
    if (process.exitCode) break;
    const command = step.command === process.execPath ? join(bin, "node") : step.command;
    const { code, output } = await run(command, step.args, { quiet: true, env });
    const { passed, failed } = countStep(step, code, output);
    total.passed += passed;
    total.failed += failed;
    if (failed > 0) process.stdout.write(`${step.name}:\n${output.trim().slice(-SHOWN_CHARS)}\n`);
  }
  return total;
}

const at = await commit();
const kept = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, "utf8")) : {};
const known = kept.commit === at && !values.again ? kept.cells : {};
stopChildrenOnSignals();
let failed = 0;
for (const [index, cell] of cells.entries()) {
  if (process.exitCode) break;
  const name = nameOf(cell);
  const started = Date.now();
  let result = known[name];
  const before = result?.failed === 0;
  if (!before) {
    result = await runCell(cell).catch((error) => ({ passed: 0, failed: 1, why: error.message }));
    if (process.exitCode) break;
    known[name] = result;
    mkdirSync(join(CACHE, "matrix"), { recursive: true });
    writeFileSync(RESULTS, JSON.stringify({ commit: at, cells: known }, undefined, 2));
  }
  if (result.failed > 0) failed += 1;
  const seconds = before ? "before" : `${((Date.now() - started) / 1000).toFixed(0)} s`;
  const outcome = `${String(result.passed)} passed, ${String(result.failed)} failed`;
  process.stdout.write(
    `${String(index + 1)}/${String(cells.length)} ${result.failed > 0 ? "FAIL" : "ok  "} ${name}: ${result.why ?? outcome} (${seconds})\n`,
  );
}
process.stdout.write(`\n${String(cells.length - failed)} passed, ${String(failed)} failed\n`);
if (failed > 0) process.exitCode ||= 1;
