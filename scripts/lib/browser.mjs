/** Where a Chromium may be, in the order in which it is looked for. Pure: the world comes in as functions. */
import { delimiter, join } from "node:path";

export const BROWSER_NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** Where packages put it, for a PATH that was cut short. */
const USUAL_PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * @typedef {object} World
 * @property {Readonly<Record<string, string | undefined>>} env CHROMIUM_PATH and PATH are read
 * @property {(path: string) => boolean} isExecutable
 * @property {() => string | undefined} playwrightBrowser where Playwright keeps its own, if it knows
 */

/**
 * @param {World} world
 * @returns {{ path: string, from: "CHROMIUM_PATH" | "PATH" | "playwright" | "usual place" } | undefined}
 * @throws {Error} when CHROMIUM_PATH is set and is not a program: a wish that cannot be met is not passed over silently
 */
export function installedBrowser({ env, isExecutable, playwrightBrowser }) {
  const wished = env.CHROMIUM_PATH;
  if (wished) {
    if (isExecutable(wished)) return { path: wished, from: "CHROMIUM_PATH" };
    throw new Error(`CHROMIUM_PATH names ${wished}, which is not a program that can be started.`);
  }
  for (const directory of (env.PATH ?? "").split(delimiter).filter(Boolean)) {
    for (const name of BROWSER_NAMES) {
      const path = join(directory, name);
      if (isExecutable(path)) return { path, from: "PATH" };
    }
  }
  const own = playwrightBrowser();
  if (own && isExecutable(own)) return { path: own, from: "playwright" };
  const usual = USUAL_PLACES.find((path) => isExecutable(path));
  return usual ? { path: usual, from: "usual place" } : undefined;
}

/** @param {boolean} mayInstall Debian's packages @returns {("playwright" | "apt")[]} the ways left to get a browser, best first */
export function waysToInstall(mayInstall) {
  return mayInstall ? ["playwright", "apt"] : ["playwright"];
}
