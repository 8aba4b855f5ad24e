import { availableParallelism } from "node:os";
import { defineConfig, devices } from "@playwright/test";

const TEST_TIMEOUT_MS = 240_000;
const EXPECT_TIMEOUT_MS = 15_000;
const ACTION_TIMEOUT_MS = 15_000;

/** More would make each of them slow: a worker brings a stack of its own. */
const WORKERS = Math.min(2, availableParallelism());

/** Its pictures and copies of pages take as much of the processors as the tests; where nobody can open it there is none. */
const TRACE = process.env["CI"] === undefined ? "retain-on-failure" : "off";

const jsonOutput = process.env["PLAYWRIGHT_JSON_OUTPUT_NAME"];
const executablePath = process.env["CHROMIUM_PATH"];

/** Run by `npm run test:e2e`, which finds a browser and builds the console first. */
export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/support/global-setup.ts",
  outputDir: "test-results",
  timeout: TEST_TIMEOUT_MS,
  expect: { timeout: EXPECT_TIMEOUT_MS },
  // A worker has a stack of its own: the tests of a file act on one live system in their order, as operators do.
  workers: WORKERS,
  fullyParallel: false,
  retries: 0,
  forbidOnly: true,
  reporter: jsonOutput ? [["list"], ["json", { outputFile: jsonOutput }]] : [["list"]],
  use: {
    actionTimeout: ACTION_TIMEOUT_MS,
    trace: TRACE,
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      // As root Chromium has no sandbox of its own; and it must not phone home on a closed network.
      args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    },
  },
  projects: [{ name: "chromium", use: { ...devices["Desktop Chrome"] } }],
});
