import type { Page, Request } from "@playwright/test";
import { expect, test } from "./support/fixtures";
import { refusedMessage } from "./support/refused-message";
import { newIdempotencyKey, operationOf, rollUpMinute } from "./support/steps";

/** Compressed scripts that a first visit of any page may load, all together. */
const BUDGET_BYTES = 250_000;
const PAGES = [
  "/",
  "/operations",
  "/conflicts",
  "/attention",
  "/flow",
  "/outbox",
  "/inbox",
  "/metrics",
  "/metrics?group=client&range=24h",
  "/metrics/clients",
  "/topics/payments",
  "/consumers/provider-webhook",
  "/dead-letters",
  "/plans",
  "/approvals",
  "/invariants",
  "/clients",
  "/policies/payments.create",
  "/checklist",
  "/retention",
  "/audit",
  "/settings",
  "/settings/webhooks",
];

test("UI-5 no page loads more than 250 kB of compressed scripts on a first visit", async ({ page, api, signIn }) => {
  // It visits every page with an empty cache.
  test.slow();
  const operationId = operationOf(await api.pay(newIdempotencyKey("weight"), "12.00"));
  // Without a measured minute there is no chart, and its library is not loaded.
  await rollUpMinute(api);
  await signIn("admin");
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Network.enable");
  await cdp.send("Network.setCacheDisabled", { cacheDisabled: true });
  const sizes = new Map<string, number>();
  cdp.on("Network.responseReceived", ({ requestId, type }) => {
    if (type === "Script") sizes.set(requestId, 0);
  });
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (sizes.has(requestId)) sizes.set(requestId, encodedDataLength);
  });
  const heavy: string[] = [];
  const correct = `/outbox/${await refusedMessage(api)}/correct`;
  for (const path of [...PAGES, `/operations/${operationId}`, `/operations/${operationId}/proof`, correct]) {
    sizes.clear();
    await page.goto(path, { waitUntil: "networkidle" });
    await page.getByRole("main").waitFor();
    if (path === "/metrics" || path.startsWith("/metrics?")) await page.locator(".recharts-wrapper").first().waitFor();
    const loaded = [...sizes.values()];
    expect(loaded.length, `${path}: scripts were seen`).toBeGreaterThan(3);
    const bytes = loaded.reduce((sum, size) => sum + size, 0);
    if (bytes > BUDGET_BYTES) heavy.push(`${path}: ${String(bytes)} bytes`);
  }
  expect(heavy).toEqual([]);
});

const IDLE_SECONDS = 20;
/** A poll comes once in it at the most. */
const STEP_SECONDS = 2;
/** Polls come 2 to 5 s apart. */
const POLL = "/api/v1/admin/pulse";
const MOST_POLLS = IDLE_SECONDS / 2 + 1;
/** What is read again as soon as a poll says that something changed; on the others rows wait until somebody asks for them. */
const READ_AGAIN = [
  "/",
  "/flow",
  "/topics/payments",
  "/consumers/provider-webhook",
  "/plans",
  "/approvals",
  "/invariants",
];

/** What a page asks the server for while nobody touches it. */
class IdlePage {
  requests: Request[] = [];
  /** Polls that said that something changed. */
  changes = 0;
  private readonly open = new Set<Request>();

  constructor(page: Page) {
    page.on("request", (request) => {
      this.open.add(request);
      this.requests.push(request);
    });
    const ended = (request: Request): void => void this.open.delete(request);
    page.on("requestfinished", ended);
    page.on("requestfailed", ended);
    page.on("response", (response) => {
      if (response.url().includes(POLL) && response.status() === 200) this.changes += 1;
    });
  }

  async quiet(): Promise<void> {
    await expect.poll(() => this.open.size).toBe(0);
  }

  /** @returns requests without a reason, each in words */
  unfounded(path: string): string[] {
    const polls = this.requests.filter((request) => request.url().includes(POLL)).length;
    const reads = this.requests.filter((request) => isRead(request, path)).length;
    const mayRead = READ_AGAIN.includes(path) || path.startsWith("/operations/") ? this.changes + 1 : 0;
    return [
      ...(polls > MOST_POLLS ? [`${path}: ${String(polls)} polls`] : []),
      ...(reads > mayRead ? [`${path}: read ${String(reads)} times for ${String(this.changes)} changes`] : []),
      ...this.requests
        .filter((request) => !request.url().includes(POLL) && !isRead(request, path))
        .map((request) => `${path}: ${isPrefetch(request) ? "prefetch of " : ""}${request.url()}`),
    ];
  }

  forget(): void {
    this.requests = [];
    this.changes = 0;
  }
}

const isPrefetch = (request: Request): boolean => request.headers()["next-router-prefetch"] !== undefined;

/** The page itself, read again. */
function isRead(request: Request, path: string): boolean {
  const own = new URL(request.url()).pathname === path.split("?")[0];
  return own && request.headers()["rsc"] !== undefined && !isPrefetch(request);
}

/** One page of each way to follow what changes; `IDLE_PAGES=all` watches every page, which takes some minutes. */
const SHARE = ["/", "/attention", "/outbox", "/metrics", "/plans", "/settings/webhooks", "/operations/{id}"];
const WATCHED = process.env["IDLE_PAGES"] === "all" ? [...PAGES, "/operations/{id}", "/operations/{id}/proof"] : SHARE;

for (const page of WATCHED)
  test(`UI-6 ${page} asks in 20 s that nobody touches it only for what it has a reason for, while others work`, async ({
    page: tab,
    api,
    signIn,
  }) => {
    const path = page.replace("{id}", operationOf(await api.pay(newIdempotencyKey("idle"), "12.00")));
    await signIn("admin", "/settings");
    await tab.clock.install();
    const idle = new IdlePage(tab);
    await tab.goto(path, { waitUntil: "networkidle" });
    await tab.getByRole("main").waitFor();
    // The clock stands still since before the page came: what its beginning still loads, such as its charts, comes with the first ticks.
    await tab.clock.runFor(STEP_SECONDS * 1_000);
    if (path === "/metrics") await tab.locator(".recharts-wrapper").first().waitFor();
    await idle.quiet();
    idle.forget();
    // Time is wound on: 20 seconds take two or three.
    for (let second = 0; second < IDLE_SECONDS; second += STEP_SECONDS) {
      // Somebody pays: what counts it changes.
      if (second % 8 === 4) await api.pay(newIdempotencyKey("idle"), "3.00");
      await tab.clock.runFor(STEP_SECONDS * 1_000);
      await idle.quiet();
    }
    expect(idle.requests.length, "it polls").toBeGreaterThan(1);
    expect(idle.unfounded(path)).toEqual([]);
  });
