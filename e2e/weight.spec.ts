import { expect, test } from "./support/fixtures";
import { newIdempotencyKey, operationOf, rollUpMinute } from "./support/steps";

/** Compressed scripts that a first visit of any page may load, all together. */
const BUDGET_BYTES = 250_000;
const PAGES = [
  "/",
  "/operations",
  "/conflicts",
  "/attention",
  "/outbox",
  "/inbox",
  "/metrics",
  "/metrics?group=client&range=24h",
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
  for (const path of [...PAGES, `/operations/${operationId}`, `/operations/${operationId}/proof`]) {
    sizes.clear();
    await page.goto(path, { waitUntil: "networkidle" });
    await page.getByRole("main").waitFor();
    if (path.startsWith("/metrics")) await page.locator(".recharts-wrapper").first().waitFor();
    const loaded = [...sizes.values()];
    expect(loaded.length, `${path}: scripts were seen`).toBeGreaterThan(3);
    const bytes = loaded.reduce((sum, size) => sum + size, 0);
    if (bytes > BUDGET_BYTES) heavy.push(`${path}: ${String(bytes)} bytes`);
  }
  expect(heavy).toEqual([]);
});
