/**
 * The README's pictures, taken from the demo that runs here: `npm run demo` in one terminal, some minutes of traffic, then
 * `npm run screenshots` in another. PORT and DATA_DIR as the demo has them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { launchBrowser, signIn } from "./lib/console-browser.mjs";

const BASE = `http://localhost:${process.env.PORT ?? "3000"}`;
const DATA_DIR = process.env.DATA_DIR ?? ".onceboard";
const TENANT = "acme";
const OUT = process.argv[2] ?? "docs/images";
const WIDE = { width: 1440, height: 1000 };
const PHONE = { width: 390, height: 844 };
const SETTLE_MS = 10_000;
/** One operation: ids begin with the time. */
const LIST = "a[href^='/operations/0']";

/** Each picture: where, how wide, in which colours. A function finds the one thing that a page is about. */
const PICTURES = [
  { name: "overview", path: "/" },
  { name: "overview-dark", path: "/", scheme: "dark" },
  { name: "operations", path: "/operations" },
  { name: "operation", path: (page) => firstOf(page, "/attention", LIST, "/operations") },
  { name: "conflicts", path: (page) => firstOf(page, "/conflicts", "a[href*='/conflicts?open=']", "/conflicts") },
  { name: "dead-letters", path: "/dead-letters" },
  { name: "metrics", path: "/metrics" },
  { name: "clients", path: "/clients" },
  { name: "phone", path: "/attention", size: PHONE },
];

/** @returns the address of the first link of a list, or of the list behind it when this one is empty */
async function firstOf(page, list, selector, other) {
  for (const path of [list, other]) {
    await page.goto(`${BASE}${path}`);
    const link = await page
      .locator(`main ${selector}`)
      .first()
      .getAttribute("href", { timeout: SETTLE_MS })
      .catch(() => undefined);
    if (link) return link;
  }
  return list;
}

async function main() {
  const browser = await launchBrowser();
  try {
    const people = JSON.parse(readFileSync(join(DATA_DIR, "demo-operators.json"), "utf8"));
    const admin = people.find(({ role }) => role === "admin");
    const storageState = await signIn(browser, BASE, admin, `/?tenant=${TENANT}`);
    for (const { name, path, size = WIDE, scheme = "light" } of PICTURES) {
      const context = await browser.newContext({ storageState, viewport: size, colorScheme: scheme });
      const page = await context.newPage();
      await page.goto(`${BASE}${typeof path === "string" ? path : await path(page)}`);
      await page.getByRole("heading", { level: 1 }).waitFor({ timeout: SETTLE_MS });
      await page.waitForLoadState("networkidle", { timeout: SETTLE_MS }).catch(() => undefined);
      const file = join(OUT, `${name}.png`);
      await page.screenshot({ path: file, animations: "disabled" });
      process.stdout.write(`${file}\n`);
      await context.close();
    }
  } finally {
    await browser.close();
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error.message.split("\n")[0]} Is the demo running (npm run demo)?\n`);
  process.exitCode = 1;
}
