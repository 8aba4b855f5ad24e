/** Prints the path of a Chromium, and gets one first where none is: Playwright's download, then Debian's package. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter } from "node:path";
import { pathToFileURL } from "node:url";
import { installedBrowser, waysToInstall } from "./lib/browser.mjs";
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

const say = (text) => process.stderr.write(`${text}\n`);

const INSTALL = {
  playwright: async () => {
    say("no Chromium here; asking Playwright to download one (a minute at most) …");
    const args = ["node_modules/@playwright/test/cli.js", "install", "chromium"];
    await run(process.execPath, args, { quiet: true, timeoutMs: PLAYWRIGHT_INSTALL_MS });
  },
  apt: async () => {
    say("no download; installing Debian's chromium package …");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const limit = { quiet: true, env, timeoutMs: APT_MS };
    await run("apt-get", ["update"], limit);
    const { code, output } = await run("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], limit);
    if (code !== 0) say(output.trim().split("\n").slice(-3).join("\n"));
  },
};

/** @returns {Promise<string>} @throws {Error} one sentence when there is no browser and no way to get one */
export async function findBrowser() {
  const before = installedBrowser(await world());
  if (before) return before.path;
  const hasApt = (process.env.PATH ?? "").split(delimiter).some((directory) => isExecutable(`${directory}/apt-get`));
  for (const way of waysToInstall({ isRoot: process.getuid?.() === 0, hasApt })) {
    await INSTALL[way]();
    const found = installedBrowser(await world());
    if (found) return found.path;
  }
  throw new Error(NO_BROWSER);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    process.stdout.write(`${await findBrowser()}\n`);
  } catch (error) {
    say(error.message);
    process.exitCode = 1;
  }
}
