import { existsSync } from "node:fs";
import { defineConfig } from "vitest/config";

/** The one place for time limits of tests, ms. Nothing sleeps; a limit is how long a stuck wait may hold the run up. */
const UNIT_TIMEOUT_MS = 20_000;
const DATABASE_TIMEOUT_MS = 30_000;
const HTTP_TIMEOUT_MS = 60_000;
/** A deployment is several processes, one after the other. */
const ADOPTION_TIMEOUT_MS = 120_000;
/** Setting up may start a server or clone a database on a busy machine. */
const HOOK_TIMEOUT_MS = 120_000;
/** It may also install packages, or build somebody's Next app. */
const ADOPTION_HOOK_TIMEOUT_MS = 600_000;

const DATABASE_SETUP = "db/testing/global-setup.ts";
const DB_TESTS = "**/*.db.test.ts";
const HTTP_TESTS = "**/*.http.test.ts";
/** Files that spy on a module, or count all that their process measured: they share their modules with nobody. */
const HTTP_ALONE = ["cli/metrics.http.test.ts", "http/admin/operator-action.http.test.ts"];
/** What somebody does who installs the package; they take minutes, so they have a command of their own. */
const ADOPTION_TESTS = "**/*.adopt.test.ts";
/** Other people's libraries over tables of their own: they need what not every machine has, and have a command of their own. */
const LIBRARY_TESTS = "**/*.library.test.ts";
const EXCLUDE = ["**/node_modules/**", "**/.next*/**", "**/.onceboard/**", "**/.package/**", "e2e/**"];

const resolve = { alias: [{ find: /^@\//, replacement: `${import.meta.dirname}/` }] };
const globalSetup = existsSync(DATABASE_SETUP) ? [DATABASE_SETUP] : [];

export default defineConfig({
  test: {
    // What a test that failed printed; notices of packages are nobody's news.
    silent: "passed-only",
    projects: [
      {
        resolve,
        test: {
          name: "unit",
          // Half of the time went into loading the same modules once per file.
          isolate: false,
          setupFiles: ["components/testing/leave-nothing.ts"],
          include: ["**/*.test.ts", "scripts/**/*.test.mjs"],
          exclude: [...EXCLUDE, DB_TESTS, HTTP_TESTS, ADOPTION_TESTS, LIBRARY_TESTS],
          testTimeout: UNIT_TIMEOUT_MS,
          hookTimeout: UNIT_TIMEOUT_MS,
        },
      },
      {
        resolve,
        test: {
          // Each file has modules and a document of its own: React, the address and the dialogs keep state in both.
          name: "unit-components",
          setupFiles: ["components/testing/leave-nothing.ts", "components/testing/patience.ts"],
          include: ["**/*.test.tsx"],
          exclude: EXCLUDE,
          testTimeout: UNIT_TIMEOUT_MS,
          hookTimeout: UNIT_TIMEOUT_MS,
        },
      },
      {
        resolve,
        test: {
          name: "db",
          include: [DB_TESTS],
          // Half of a test is waiting for the database: two files at a time where there are two processors.
          maxWorkers: 2,
          isolate: false,
          exclude: EXCLUDE,
          globalSetup,
          testTimeout: DATABASE_TIMEOUT_MS,
          hookTimeout: HOOK_TIMEOUT_MS,
        },
      },
      {
        resolve,
        test: {
          name: "http",
          include: [HTTP_TESTS],
          maxWorkers: 2,
          isolate: false,
          exclude: [...EXCLUDE, ...HTTP_ALONE],
          globalSetup,
          testTimeout: HTTP_TIMEOUT_MS,
          hookTimeout: HOOK_TIMEOUT_MS,
        },
      },
      {
        resolve,
        test: {
          name: "http-alone",
          include: HTTP_ALONE,
          maxWorkers: 2,
          exclude: EXCLUDE,
          globalSetup,
          testTimeout: HTTP_TIMEOUT_MS,
          hookTimeout: HOOK_TIMEOUT_MS,
        },
      },
      {
        resolve,
        test: {
          name: "adoption",
          include: [ADOPTION_TESTS],
          // Processes with a database each; two files at once would wait for each other.
          fileParallelism: false,
          exclude: EXCLUDE,
          globalSetup: ["tests/adoption/global-setup.ts"],
          testTimeout: ADOPTION_TIMEOUT_MS,
          hookTimeout: ADOPTION_HOOK_TIMEOUT_MS,
        },
      },
      {
        resolve,
        test: {
          name: "libraries",
          include: [LIBRARY_TESTS],
          // Compilers and virtual machines: two at once would wait for each other.
          fileParallelism: false,
          exclude: EXCLUDE,
          globalSetup,
          testTimeout: ADOPTION_TIMEOUT_MS,
          hookTimeout: ADOPTION_HOOK_TIMEOUT_MS,
        },
      },
    ],
  },
});
