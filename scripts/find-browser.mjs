/** Prints the path of a Chromium, and gets one first where none is: Playwright's download, then Debian's package. */
import { accessSync, constants, statSync } from "node:fs";
import { installedBrowser, waysToInstall } from "./lib/browser.mjs";
import { installPackages, mayInstall, printWhenStarted } from "./lib/install.mjs";
import { run } from "./lib/processes.mjs";

const PLAYWRIGHT_INSTALL_MS = 60_000;
const APT_MS = 300_000;
const NO_BROWSER =
  "No Chromium was found and none could be installed: put one on PATH, name it in CHROMIUM_PATH, or run `npx playwright install chromium`.";

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

async function world() {
  const { chromium } = await import("@playwright/test");
  return { env: process.env, isExecutable, playwrightBrowser: () => chromium.executablePath() };
}

const INSTALL = {
  playwright: async () => {
    process.stderr.write("no Chromium here; asking Playwright to download one (a minute at most) …\n");
    const args = ["node_modules/@playwright/test/cli.js", "install", "chromium"];
    await run(process.execPath, args, { quiet: true, timeoutMs: PLAYWRIGHT_INSTALL_MS });
  },
  apt: () => installPackages(["chromium"], APT_MS),
};

/** @returns {Promise<string>} @throws {Error} one sentence when there is no browser and no way to get one */
export async function findBrowser() {
  const before = installedBrowser(await world());
  if (before) return before.path;
  for (const way of waysToInstall(mayInstall())) {
    await INSTALL[way]();
    const found = installedBrowser(await world());
    if (found) return found.path;
  }
  throw new Error(NO_BROWSER);
}

await printWhenStarted(import.meta.url, findBrowser);
