/** The steps of `npm run verify`; each is a command that says nothing new when it is green. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";

export const CACHE = "node_modules/.cache/onceboard";
/** Of the plain Next server that the HTTP suite runs against. */
const ON_NEXT_PORT = "4617";
const ANSWERS = "http/answers.http.test.ts";
mkdirSync(CACHE, { recursive: true });

const bin = (name) => join("node_modules", ".bin", name);

/** @param {"unit" | "db" | "http" | "adoption" | "libraries"} project with what it has beside it, such as http-alone */
export function vitest(project) {
  const results = join(CACHE, `vitest-${project}.json`);
  rmSync(results, { force: true });
  const args = [
    "run",
    "--project",
    `${project}*`,
    "--reporter=dot",
    "--reporter=json",
    `--outputFile.json=${results}`,
    "--passWithNoTests",
  ];
  return { name: `tests (${project})`, command: bin("vitest"), args, count: () => countVitest(results) };
}

/** The HTTP suite once more, against a plain `next start` of the build: the second host of the same handlers. */
export function httpOnNext() {
  return onNext("tests (http, served by Next)", "http-on-next", [ON_NEXT_PORT]);
}

/** Its answers where Next brings each request itself (docs/decisions/0032-the-api-answers-before-next.md). */
export function httpThroughNext() {
  return onNext("tests (http, through Next)", "http-through-next", [ON_NEXT_PORT, "--through-next", ANSWERS]);
}

function onNext(name, file, args) {
  const results = join(CACHE, `vitest-${file}.json`);
  rmSync(results, { force: true });
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${results}`];
  return {
    name,
    command: process.execPath,
    args: ["--import", "tsx", "http/testing/on-next.ts", ...args, ...reporters, "-t", " next "],
    count: () => countVitest(results),
  };
}

/** Of what `npm run test:adoption` runs, the share that fits beside everything else: the commands, `init`, and each way in of docs/ADOPT.md. */
const ADOPTION_SHARE = ["command", "module", "service"].map((name) => `tests/adoption/${name}.adopt.test.ts`);

/** The share of the adoption suite, which packs the build that is there. */
export function adoption() {
  const step = vitest("adoption");
  return { ...step, args: [...step.args, ...ADOPTION_SHARE] };
}

/** Of what `npm run test:attach -- --libraries` runs, the share that needs Node alone. */
export function libraries() {
  const step = vitest("libraries");
  return { ...step, args: [...step.args, "tests/attach/libraries/pg-boss-12"] };
}

/** Each cell of the crash and race suite once; `npm run test:crash` runs all of it. */
export function crash() {
  return campaign("crashes and races", "tests/crash/run.ts", ["--runs", "160"]);
}

/** A minute of calls and faults, and what follows, of what `npm run test:soak` does with twenty thousand operations. */
export function soak() {
  return campaign("soak", "tests/soak/run.ts", ["--minutes", "1"]);
}

/** Of the ways to fail over in `npm run test:failover` the one that loses nothing. */
export function failover() {
  return campaign("failover", "tests/failover/run.ts", ["--only", "synchronous", "--purchases", "40"]);
}

/** A program that ends with `N passed, N failed`. */
function campaign(name, program, args) {
  return {
    name,
    command: process.execPath,
    args: ["--import", "tsx", program, ...args],
    copied: true,
    countOutput: (output) => {
      const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [];
      return { passed: Number(passed ?? 0), failed: Number(failed ?? 1) };
    },
  };
}

export const VERIFY_STEPS = [
  {
    name: "lint",
    command: bin("eslint"),
    args: [".", "--cache", "--cache-location", `${CACHE}/eslint`, "--max-warnings=0"],
  },
  // The rules that need types; ESLint has the others.
  {
    name: "lint with types",
    command: bin("oxlint"),
    args: ["--type-aware", "--report-unused-disable-directives", "--deny-warnings", "."],
  },
  { name: "types", command: bin("tsc"), args: ["--noEmit", "-p", ".", "--tsBuildInfoFile", `${CACHE}/tsc.json`] },
  vitest("unit"),
  {
    name: "API document",
    command: process.execPath,
    args: ["--import", "tsx", "scripts/openapi.ts", "--check"],
  },
  {
    name: "pages of presets",
    command: process.execPath,
    args: ["--import", "tsx", "attach/page/write-pages.ts", "--check"],
  },
  { name: "layers", command: process.execPath, args: ["scripts/check-layers.mjs"] },
  {
    name: "statements of one tenant",
    command: process.execPath,
    args: ["--import", "tsx", "tests/citus/check-statements.ts"],
  },
  { name: "folders", command: process.execPath, args: ["scripts/check-folders.mjs"] },
  { name: "names", command: process.execPath, args: ["scripts/check-names.mjs"] },
  { name: "parts", command: process.execPath, args: ["scripts/check-parts.mjs"] },
  { name: "version", command: process.execPath, args: ["scripts/check-version.mjs"] },
  { name: "dead code", command: bin("knip"), args: ["--no-progress"] },
  {
    name: "format",
    command: bin("prettier"),
    args: [
      "--check",
      ".",
      "--log-level=warn",
      "--cache",
      "--cache-strategy=content",
      "--cache-location",
      `${CACHE}/prettier`,
    ],
  },
  { name: "citations", command: process.execPath, args: ["scripts/check-citations.mjs"] },
  { name: "paths in documents", command: process.execPath, args: ["scripts/check-doc-paths.mjs"] },
];

/**
 * @param {string} path of the JSON report of a run
 * @returns {Counts}
 */
export function countVitest(path) {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(path, "utf8"));
  // A file that could not even be loaded has no tests to count, and is a failure all the same.
  const broken = testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
  return { passed: numPassedTests, failed: numFailedTests + broken, names: testResults.flatMap(failedIn) };
}

/** @returns {string[]} file, title and first line of the error of each test that failed; the file alone where it could not be loaded */
function failedIn({ name, status, assertionResults }) {
  const file = relative(".", name);
  const failed = assertionResults.filter((test) => test.status === "failed");
  if (status === "failed" && assertionResults.length === 0) return [file];
  return failed.map(
    ({ fullName, failureMessages: [error = ""] }) => `${file}: ${fullName}: ${error.split("\n", 1)[0]}`,
  );
}

/** @typedef {{ passed: number, failed: number, names?: string[] }} Counts `names` says which tests failed, where the runner tells */

/**
 * What a finished step counts for: its tests, or one check. A runner that ends red without a failed test is one failure.
 * @param {{ count?: () => Counts, countOutput?: (output: string) => Counts }} step
 * @param {number} code exit code
 * @param {string} output what it printed, where that was kept
 * @returns {Counts}
 */
export function countStep(step, code, output = "") {
  let counts = { passed: code === 0 ? 1 : 0, failed: 0 };
  if (step.countOutput) counts = step.countOutput(output);
  if (step.count) {
    try {
      counts = step.count();
    } catch {
      counts = { passed: 0, failed: 0 };
    }
  }
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}
