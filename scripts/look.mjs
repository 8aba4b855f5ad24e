/**
 * A picture of every page, to be looked at: `npm run demo` in one terminal, then `npm run look -- FOLDER` in another. PORT and
 * DATA_DIR as the demo has them; TENANT is whose data (the demo has acme and globex), ONLY is a list of paths. Of pages
 * about one thing the first thing of a list is taken.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { launchBrowser, signIn } from "./lib/console-browser.mjs";

const BASE = `http://localhost:${process.env.PORT ?? "3000"}`;
const DATA_DIR = process.env.DATA_DIR ?? ".onceboard";
const TENANT = process.env.TENANT ?? "acme";
const OUT = process.argv[2];
const WIDTHS = (process.env.WIDTHS ?? "1440,1024,390").split(",").map(Number);
const SCHEMES = (process.env.SCHEMES ?? "light,dark").split(",");
const HEIGHT = 900;
/** A longer picture is too small to read when it is shown. */
const MOST_HEIGHT = 2_600;
const SETTLE_MS = 10_000;

const LISTS = `
  / /?risk=7d /operations /operations?state=UNKNOWN_REQUIRES_RECOVERY /conflicts /attention /flow /outbox /inbox /topics /consumers
  /dead-letters /plans /approvals /policies /policies/payments.create /checklist /metrics /metrics?range=7d&group=client
  /metrics/clients /invariants /retention /retention?dialog=purge /clients /clients?dialog=create /audit /audit?chain=access /find
  /find?q=order-8 /references /settings /settings/webhooks /settings/people /settings/sessions /settings/security
  /settings/permissions`
  .trim()
  .split(/\s+/);
const ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
/** Pages about one thing: the page that leads to it, how its link looks, the page of the thing, and what else opens there. */
const DETAILS = [
  ["/operations?state=SUCCEEDED", `open=(${ID})|/operations/(${ID})`, "/operations/", ["", "?open=events", "/proof"]],
  ["/attention", `open=(${ID})|/operations/(${ID})`, "/operations/", ["", "?dialog=reconcile"]],
  ["/operations?state=FAILED_REPLAYABLE", `open=(${ID})|/operations/(${ID})`, "/operations/", [""]],
  ["/conflicts", `open=(${ID})`, "/conflicts?open=", [""]],
  ["/operations?state=SUCCEEDED", "/references/([^?]+)", "/references/", [""]],
  ["/outbox", `open=(${ID})`, "/outbox/", [""]],
  ["/outbox?state=dead", `open=(${ID})`, "/outbox/", ["", "/correct"]],
  ["/inbox", `open=(${ID})`, "/inbox/", [""]],
  ["/inbox?state=dead", `open=(${ID})`, "/inbox/", [""]],
  ["/topics", "/topics/([^?]+)", "/topics/", ["", "?dialog=pause"]],
  ["/consumers", "/consumers/([^?]+)", "/consumers/", [""]],
  ["/plans", `/plans/(${ID})`, "/plans/", [""]],
  ["/clients", "/clients/([^?]+)", "/clients/", [""]],
];

async function detailsOf(page) {
  const found = new Set();
  for (const [list, link, folder, endings] of DETAILS) {
    await page.goto(`${BASE}${list}`, { waitUntil: "networkidle" }).catch(() => undefined);
    const first = await linkOf(page, link);
    // A row opens at the side; what it leads to stands there.
    if (first === undefined && link.startsWith("/references/")) {
      const side = await linkOf(page, `open=(${ID})`);
      if (side) await page.goto(`${BASE}/operations/${side}`, { waitUntil: "networkidle" }).catch(() => undefined);
    }
    const name = first ?? (await linkOf(page, link));
    if (name !== undefined) for (const ending of endings) found.add(`${folder}${name}${ending}`);
  }
  return [...found];
}

/** @returns the name in the first link of the page's main part that looks so */
async function linkOf(page, pattern) {
  const links = await page.$$eval("main a", (all) => all.map((link) => link.getAttribute("href") ?? ""));
  for (const link of links) {
    const name = new RegExp(pattern).exec(link)?.slice(1).find(Boolean);
    if (name !== undefined) return name;
  }
  return undefined;
}

const nameOf = (path) =>
  path === "/"
    ? "overview"
    : path
        .slice(1)
        .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => id.slice(-4))
        .replaceAll(/[^a-z0-9]+/gi, "_")
        .slice(0, 60);

/** @returns what is wrong at a glance: an answer other than 200, something that sticks out, an error of the browser */
async function shoot(page, path, width) {
  const found = [];
  const note = (text) => found.push(text.slice(0, 200));
  const onMessage = (message) => message.type() === "error" && note(message.text());
  const onError = (error) => note(error.message);
  page.on("console", onMessage).on("pageerror", onError);
  await page.emulateMedia({ colorScheme: SCHEMES[0] });
  await page.setViewportSize({ width, height: HEIGHT });
  const response = await page
    .goto(`${BASE}${path}`, { waitUntil: "networkidle", timeout: 30_000 })
    .catch(() => undefined);
  if (response?.status() !== 200) note(`answer ${String(response?.status())}`);
  await page
    .getByRole("heading", { level: 1 })
    .waitFor({ timeout: SETTLE_MS })
    .catch(() => note("no headline"));
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (over > 0) note(`${String(over)} px too wide`);
  for (const scheme of SCHEMES) {
    await page.emulateMedia({ colorScheme: scheme });
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.screenshot({
      path: join(OUT, `${nameOf(path)}-${String(width)}-${scheme}.png`),
      animations: "disabled",
      fullPage: true,
      clip: { x: 0, y: 0, width, height: Math.min(height, MOST_HEIGHT) },
    });
  }
  page.off("console", onMessage).off("pageerror", onError);
  return found;
}

async function main() {
  mkdirSync(OUT, { recursive: true });
  const browser = await launchBrowser();
  try {
    const people = JSON.parse(readFileSync(join(DATA_DIR, "demo-operators.json"), "utf8"));
    const admin = people.find(({ role }) => role === "admin");
    const storageState = await signIn(browser, BASE, admin, `/?tenant=${TENANT}`);
    const context = await browser.newContext({ storageState, viewport: { width: WIDTHS[0], height: HEIGHT } });
    const page = await context.newPage();
    const paths = process.env.ONLY?.split(",") ?? [...LISTS, ...(await detailsOf(page))];
    for (const [at, path] of paths.entries())
      for (const width of WIDTHS) {
        const found = await shoot(page, path, width);
        process.stdout.write(
          `${String(at + 1)}/${String(paths.length)} ${path} at ${String(width)} px${found.map((text) => `\n    ${text}`).join("")}\n`,
        );
      }
  } finally {
    await browser.close();
  }
}

if (OUT === undefined) {
  process.stderr.write("Say where the pictures go: npm run look -- FOLDER\n");
  process.exitCode = 1;
} else
  await main().catch((error) => {
    process.stderr.write(`${error.message.split("\n")[0]} Is the demo running (npm run demo)?\n`);
    process.exitCode = 1;
  });
