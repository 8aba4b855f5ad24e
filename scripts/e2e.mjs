/** The browser tests: a browser, a current build, then Playwright. Arguments go to Playwright. */
import { readdirSync, existsSync } from "node:fs";
import { findBrowser } from "./find-browser.mjs";
import { run, stopChildrenOnSignals } from "./lib/processes.mjs";

stopChildrenOnSignals();

async function main() {
  if (
    !existsSync("e2e") ||
    !readdirSync("e2e", { recursive: true }).some((name) => String(name).endsWith(".spec.ts"))
  ) {
    throw new Error("There are no browser tests below e2e/.");
  }
  const browser = await findBrowser();
  process.stdout.write(`browser: ${browser}\n`);
  const built = await run(process.execPath, ["scripts/build.mjs"]);
  if (built.code !== 0) return built.code;
  const env = { ...process.env, CHROMIUM_PATH: browser };
  const tests = await run(
    process.execPath,
    ["node_modules/@playwright/test/cli.js", "test", ...process.argv.slice(2)],
    { env },
  );
  return tests.code;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
