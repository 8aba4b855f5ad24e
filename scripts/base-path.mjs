/** The whole below a base path: a browser, the build that the package has for any path, then Playwright. Arguments go to Playwright. */
import { findBrowser } from "./find-browser.mjs";
import { run, stopChildrenOnSignals } from "./lib/processes.mjs";

stopChildrenOnSignals();
const browser = await findBrowser();
const built = await run(process.execPath, ["scripts/build.mjs", "--any-base-path"]);
if (built.code !== 0) process.exit(built.code);
const { code } = await run(
  process.execPath,
  ["node_modules/@playwright/test/cli.js", "test", "-c", "tests/base-path", ...process.argv.slice(2)],
  { env: { ...process.env, CHROMIUM_PATH: browser } },
);
process.exitCode = code;
