import type { Page } from "@playwright/test";
import { expect, test } from "./support/fixtures";
import { removeTrouble, writeTrouble, TROUBLE_TENANT, UNKNOWN_COUNT } from "./support/trouble";

/** Loaded at the first of them, then only made narrower: what moves is measured at the load. */
const WIDTHS = [[1440, 1024], [390]] as const;
const HEIGHT = 900;
/** Of Cumulative Layout Shift, over the load of a page. */
const MOST_SHIFT = 0.02;
/** Of a row with two lines of evidence, and the rule below it. */
const MOST_ROW = 62;
/** Where a row had more lines than that leaves. */
const SHORT_ROWS: readonly string[] = ["/attention", "/outbox", "/clients"];
const PAGES = [
  "/",
  "/operations",
  "/operations?state=UNKNOWN_REQUIRES_RECOVERY",
  "/attention",
  "/conflicts",
  "/dead-letters",
  "/dead-letters?side=outbox",
  "/flow",
  "/outbox",
  "/inbox",
  "/topics",
  "/consumers",
  "/clients",
  "/metrics",
  "/metrics/clients?show=conflict",
  "/plans",
  "/retention",
  "/checklist",
  "/policies",
  "/settings",
  "/find?q=order-8",
  "/references/order-1",
  "/clients/till-10",
] as const;

/** What moved while the page loaded, without what a person caused. */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = window as unknown as { shifted: number };
    seen.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) seen.shifted += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
}

const shifted = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { shifted: number }).shifted);
const wider = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

const tallestRow = (page: Page): Promise<number> =>
  page.evaluate(() =>
    Math.max(0, ...[...document.querySelectorAll("tbody tr")].map((row) => row.getBoundingClientRect().height)),
  );

/** With `SHOTS=folder`, for a look at the pages. */
async function picture(page: Page, path: string, width: number): Promise<void> {
  const folder = process.env["SHOTS"];
  if (folder === undefined) return;
  const name = path.replaceAll(/[^a-z0-9]+/gi, "_").slice(0, 40);
  await page.screenshot({ path: `${folder}/${String(width)}-${name}.png`, fullPage: true });
}

test("UI-7 too much of everything breaks no page: nothing sticks out, moves while it loads or takes the page along", async ({
  page,
  database,
  signIn,
}) => {
  test.setTimeout(300_000);
  await writeTrouble(database);
  try {
    await watchShifts(page);
    await signIn("admin", `/settings?tenant=${TROUBLE_TENANT}`);
    await expect(page.getByRole("banner")).toContainText(TROUBLE_TENANT);
    await page.goto("/attention");
    await expect(page.getByRole("heading", { level: 1 })).toContainText(String(UNKNOWN_COUNT));
    const [longest] = (
      await database.pool.query<{ id: string; topic: string }>({
        text: "select id, topic from onceboard.outbox_messages where tenant_id = $1 and state = 'dead' order by length(topic) desc limit 1",
        values: [TROUBLE_TENANT],
      })
    ).rows;
    const found: string[] = [];
    const { id = "", topic = "" } = longest ?? {};
    const consumer = topic.replace("topic", "consumer").slice(0, topic.length);
    const longNames = [
      `/topics/${encodeURIComponent(topic)}`,
      `/consumers/${encodeURIComponent(consumer)}`,
      `/outbox/${id}`,
    ];
    for (const path of [...PAGES, ...longNames]) {
      for (const [first, ...narrower] of WIDTHS) {
        await page.setViewportSize({ width: first, height: HEIGHT });
        const response = await page.goto(path, { waitUntil: "networkidle" });
        if (response?.status() !== 200) found.push(`${path}: ${String(response?.status())}`);
        await page.getByRole("main").waitFor();
        const moved = await shifted(page);
        const tallest = SHORT_ROWS.includes(path) && first === 1440 ? await tallestRow(page) : 0;
        if (tallest > MOST_ROW) found.push(`${path}: a row of ${String(Math.round(tallest))} px`);
        if (moved > MOST_SHIFT) found.push(`${path} at ${String(first)} px: moved by ${moved.toFixed(3)}`);
        for (const width of [first, ...narrower]) {
          await page.setViewportSize({ width, height: HEIGHT });
          const over = await wider(page);
          if (over > 0) found.push(`${path} at ${String(width)} px: ${String(over)} px too wide`);
          await picture(page, path, width);
        }
      }
    }
    expect(found).toEqual([]);
  } finally {
    await removeTrouble(database);
  }
});
