/**
 * How long a person waits for a page of the console in a browser of this machine, beside an empty page of Next in the same run: first
 * contentful paint of a warm page, and from a click on a place of the navigation to its heading.
 *
 *   npx tsx tests/bench/console/first-paint.ts [--rounds 9]      after npm run build
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { BrowserContext, Page } from "@playwright/test";
import { freePort } from "@/cli/startup/listen";
import { launchBrowser } from "@/tests/support/browser";
import { readCommandLine, wholeNumber } from "@/tests/support/command-line";
import { median } from "../report";
import { sessionCookies, startServed } from "./served";

const EMPTY_APP = "tests/bench/console/empty-app";
const NEXT = join("node_modules", "next", "dist", "bin", "next");
const PATHS = ["/", "/operations", "/attention", "/outbox", "/metrics"];
const WAIT_MS = 20_000;

const rounds = readCommandLine("npx tsx tests/bench/console/first-paint.ts [--rounds N]", () =>
  wholeNumber("rounds", parseArgs({ options: { rounds: { type: "string", default: "9" } } }).values.rounds),
);

const empty = await startEmpty();
const served = await startServed();
const browser = await launchBrowser();
try {
  const context = await browser.newContext();
  await context.addCookies(sessionCookies(served));
  const bare = await browser.newContext();
  const lines: string[] = [];
  const beside = await paints(bare, `${empty.url}/`);
  lines.push(line("an empty page of Next", beside, beside));
  for (const path of PATHS) lines.push(line(path, await paints(context, served.url + path), beside));
  const bareClick = await clicks(bare, `${empty.url}/`, ["/second", "/"]);
  lines.push(`click to heading, an empty page of Next: ${bareClick.toFixed(0)} ms`);
  const click = await clicks(context, served.url, ["/operations", "/outbox", "/inbox", "/"]);
  lines.push(`click to heading, the console: ${click.toFixed(0)} ms (${(click / bareClick).toFixed(1)} times)`);
  process.stdout.write(`${lines.join("\n")}\n`);
} finally {
  await browser.close();
  await served.close();
  await empty.close();
}

function line(name: string, ms: number, beside: number): string {
  return `first paint, ${name}: ${ms.toFixed(0)} ms (${(ms / beside).toFixed(1)} times)`;
}

/** @returns ms from the start of the navigation to the first contentful paint, the median of warm loads */
async function paints(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage();
  const found: number[] = [];
  for (let round = -2; round < rounds; round += 1) {
    await page.goto(url, { waitUntil: "load", timeout: WAIT_MS });
    const ms = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries())
              if (entry.name === "first-contentful-paint") resolve(entry.startTime);
          }).observe({ type: "paint", buffered: true });
        }),
    );
    // The first two warm the page up.
    if (round >= 0) found.push(ms);
  }
  await page.close();
  return median(found);
}

/** Goes from place to place by clicks on links. @returns ms from a click to the heading of the place, the median of all */
async function clicks(context: BrowserContext, url: string, places: readonly string[]): Promise<number> {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "networkidle", timeout: WAIT_MS });
  const found: number[] = [];
  for (let round = -1; round < rounds; round += 1)
    for (const place of places) {
      const ms = await clickTo(page, place);
      if (round >= 0) found.push(ms);
    }
  await page.close();
  return median(found);
}

/** The heading is another one than before; the time is the browser's own, between the click and the frame after the change. */
async function clickTo(page: Page, href: string): Promise<number> {
  const link = page.locator(`a[href="${href}"]:visible`).first();
  const [element, before] = [await link.elementHandle(), await page.locator("h1").first().textContent()];
  return page.evaluate(
    ({ element, before, limit }) =>
      new Promise<number>((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new Error("no other heading came"));
        }, limit);
        const observer = new MutationObserver(() => {
          const heading = document.querySelector("h1")?.textContent;
          if (heading === undefined || heading === before) return;
          observer.disconnect();
          clearTimeout(timer);
          requestAnimationFrame(() => {
            resolve(performance.now() - started);
          });
        });
        observer.observe(document.documentElement, { childList: true, subtree: true, characterData: true });
        const started = performance.now();
        (element as HTMLElement).click();
      }),
    { element, before, limit: WAIT_MS },
  );
}

async function startEmpty(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const env = { ...process.env, NODE_ENV: "production" as const, NEXT_TELEMETRY_DISABLED: "1" };
  const built = spawnSync(process.execPath, [NEXT, "build", EMPTY_APP], { encoding: "utf8", env });
  if (built.status !== 0) throw new Error(`The empty page could not be built: ${built.stdout}${built.stderr}`);
  const port = await freePort();
  const child = spawn(process.execPath, [NEXT, "start", EMPTY_APP, "--port", String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
    env,
  });
  for await (const part of child.stdout) if (String(part).includes("Ready")) break;
  child.stdout.resume();
  return {
    url: `http://localhost:${String(port)}`,
    async close() {
      const exit = once(child, "exit");
      child.kill("SIGTERM");
      await exit;
      rmSync(join(EMPTY_APP, ".next"), { recursive: true, force: true });
    },
  };
}
