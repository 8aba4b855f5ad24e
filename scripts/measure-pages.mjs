/**
 * Visits the pages of a running console as a person who comes for the first time, and prints what each loads: compressed bytes of
 * scripts as they came over the wire, first contentful paint and largest contentful paint.
 *
 *   node scripts/measure-pages.mjs --base http://localhost:3000 --email ada@example.com [--pages /,/metrics]
 *
 * The password comes from PASSWORD. Ends with 1 when a page is over the budget of bytes; times are printed, not judged.
 */
import { parseArgs } from "node:util";
import { launchBrowser, signIn } from "./lib/console-browser.mjs";

/** 250 kB of compressed scripts on any page. */
const BUDGET = 250_000;
const PAGES = `
  /sign-in / /operations /conflicts /attention /flow /outbox /inbox /metrics /topics /consumers /dead-letters /plans /approvals
  /invariants /clients /policies /policies/payments.create /checklist /retention /audit /settings /find`
  .trim()
  .split(/\s+/);

const { values } = parseArgs({
  options: {
    base: { type: "string", default: "http://localhost:3000" },
    email: { type: "string" },
    pages: { type: "string" },
  },
});
const password = process.env.PASSWORD;
if (values.email === undefined || password === undefined) {
  process.stderr.write("Say who signs in: --email, and PASSWORD in the environment.\n");
  process.exit(1);
}

const browser = await launchBrowser();
try {
  const session = await signIn(browser, values.base, { email: values.email, password });
  let over = 0;
  for (const path of values.pages?.split(",") ?? PAGES) {
    const page = await measure(path, path === "/sign-in" ? undefined : session);
    if (page.scripts > BUDGET) over += 1;
    const kb = (page.scripts / 1000).toFixed(1).padStart(6);
    process.stdout.write(
      `${kb} kB  ${String(page.files).padStart(2)} files  first paint ${String(page.fcp).padStart(4)} ms  largest ${String(page.lcp).padStart(4)} ms  ${path}${page.scripts > BUDGET ? "  OVER" : ""}\n`,
    );
  }
  if (over > 0) process.exitCode = 1;
} finally {
  await browser.close();
}

/** A fresh profile each: nothing is cached. */
async function measure(path, storageState) {
  const context = await browser.newContext({ baseURL: values.base, storageState });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const scripts = new Map();
  await cdp.send("Network.enable");
  cdp.on("Network.responseReceived", ({ requestId, response, type }) => {
    if (type === "Script" || /\.js(\?|$)/.test(response.url)) scripts.set(requestId, 0);
  });
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) scripts.set(requestId, encodedDataLength);
  });
  await page.goto(path, { waitUntil: "networkidle" });
  const paint = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const fcp = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
        new PerformanceObserver((list) => resolve({ fcp, lcp: list.getEntries().at(-1)?.startTime ?? 0 })).observe({
          type: "largest-contentful-paint",
          buffered: true,
        });
        setTimeout(() => resolve({ fcp, lcp: 0 }), 500);
      }),
  );
  await context.close();
  return {
    files: scripts.size,
    scripts: [...scripts.values()].reduce((sum, size) => sum + size, 0),
    fcp: Math.round(paint.fcp),
    lcp: Math.round(paint.lcp),
  };
}
