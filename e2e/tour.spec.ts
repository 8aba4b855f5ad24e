import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { verifyProof, type ProofKey } from "@/client/verify-proof";
import type { SignedProof } from "@/presentation/proof/proof-statement";
import { backdate, keptFromTheWorker } from "./support/aged-bodies";
import { expect, signInAs, test, type ApiFixture } from "./support/fixtures";
import { deadOfAnOutage, OUTBOX_ATTEMPTS } from "./support/hour-down";
import { startOutageStack } from "./support/outage-stack";
import { adminPost, heading, newIdempotencyKey, onlyForPeople, operationOf, unknownPayment } from "./support/steps";
import { documented, Walk, watch, type Counted } from "./support/walk";

/** The eight tasks of docs/TOUR.md, walked as a person walks them: what they press and which pages come is counted. */

/** More than this, and the console has become longer to use: clicks and page loads of each task. */
const AIMS: readonly Counted[] = [
  { clicks: 0, loads: 1 },
  { clicks: 5, loads: 2 },
  { clicks: 2, loads: 2 },
  { clicks: 8, loads: 4 },
  { clicks: 3, loads: 2 },
  { clicks: 3, loads: 1 },
  { clicks: 3, loads: 2 },
  { clicks: 7, loads: 3 },
];

function counts(walk: Walk, task: number): void {
  const counted = walk.counted();
  const aim = AIMS[task - 1];
  expect(counted, `as docs/TOUR.md says, of ${JSON.stringify(walk.pages())}`).toEqual(documented(task));
  expect(counted.clicks).toBeLessThanOrEqual(aim?.clicks ?? 0);
  expect(counted.loads).toBeLessThanOrEqual(aim?.loads ?? 0);
}

test.beforeEach(({ page }) => watch(page));

/** It has waited longer than what other tests left: the overview names the longest waiting only. */
async function longestWaiting(api: ApiFixture, operationId: string): Promise<void> {
  await api.rows(
    "update onceboard.idempotency_open set unknown_since = unknown_since - interval '1 day' where operation_id = $1",
    operationId,
  );
}

test("TOUR-1 task 1: is money at risk", async ({ page, api, signIn }) => {
  await unknownPayment(api, "734.19");
  await signIn("operator", "/");
  const walk = new Walk(page);
  await expect(heading(page)).toContainText(/may have moved money\..*in doubt/s);
  counts(walk, 1);
});

test("TOUR-1 task 2: resolve what is unknown with evidence", async ({ page, api, signIn }) => {
  await api.faults({ processing: 1, no_webhook: 1 });
  const operationId = operationOf(await api.pay(newIdempotencyKey("tour"), "911.40"));
  const asked = () =>
    api.rows(
      `select 1 from onceboard.provider_requests where operation_id = $1 and kind = 'lookup' and outcome = 'processing'`,
      operationId,
    );
  await expect.poll(async () => (await asked()).length, { timeout: 30_000 }).toBeGreaterThan(0);
  await onlyForPeople(api, operationId);
  await longestWaiting(api, operationId);
  await signIn("operator", "/");
  const walk = new Walk(page);
  const box = page.getByRole("region", { name: "Evidence and decision" });
  await walk.click(page.getByRole("link", { name: `Decide on payment ${operationId}` }), box);
  await expect(box.getByRole("table", { name: "Evidence" })).toContainText("processing");
  const settle = box.getByRole("button", { name: "Settle: it succeeded" });
  await walk.click(box.getByRole("radio", { name: "It succeeded" }), settle);
  await walk.type(box.getByLabel("Reason, kept in the audit"), "It is on the provider's statement of today.");
  await walk.click(settle);
  await expect(heading(page)).toContainText("Settled by hand as succeeded on this evidence: provider look-up");
  counts(walk, 2);
});

test("TOUR-1 task 3: was the customer charged twice, from an order number", async ({ page, api, signIn }) => {
  const key = newIdempotencyKey("tour-order");
  const paid = await api.pay(key, "84.50");
  const again = { accountId: "acc_northgate_04", amount: "84.50", currency: "EUR", merchantReference: `ref-${key}` };
  expect((await api.post("/payments", `${key}-2`, again)).status).toBe(409);
  expect(paid.status).toBe(201);
  await signIn("viewer", "/");
  const find = page.getByRole("banner").getByRole("search").getByRole("textbox");
  await expect(find).toBeVisible();
  const walk = new Walk(page);
  await walk.type(find, `ref-${key}`);
  await walk.press("Enter");
  await expect(heading(page)).toHaveText("Charged once: 1 of 2 keys moved money.");
  counts(walk, 3);
});

test("TOUR-1 task 4: an endpoint was down for an hour", async ({ browser }) => {
  test.setTimeout(180_000);
  const stack = await startOutageStack();
  const page = await browser.newPage({ baseURL: stack.baseUrl });
  try {
    await watch(page);
    const operationIds = await deadOfAnOutage(stack);
    const causes = await stack.rows<{ code: string }>(
      "select distinct error_code as code from onceboard.message_attempts where side = 'outbox' order by 1",
    );
    expect(causes.map(({ code }) => code)).toEqual(["delivery.http_503", "delivery.timeout", "delivery.unreachable"]);
    expect(stack.receiver.turnedAway()).toBeGreaterThan(OUTBOX_ATTEMPTS);
    expect(stack.receiver.taken).toEqual([]);
    await stack.receiver.become("up");
    await signInAs(page, "operator");
    const walk = new Walk(page);
    await requeueAll(page, walk, operationIds.length);
    const posted = () =>
      stack.rows("select 1 from payments.ledger_entries where operation_id = any ($1::uuid[])", operationIds);
    await expect.poll(async () => (await posted()).length).toBe(operationIds.length);
    // Each message arrived once.
    expect(new Set(stack.receiver.taken).size).toBe(operationIds.length);
    expect(stack.receiver.taken).toHaveLength(operationIds.length);
    counts(walk, 4);
  } finally {
    await page.context().close();
    await stack.stop();
  }
});

async function requeueAll(page: Page, walk: Walk, count: number): Promise<void> {
  const all = String(count);
  const queues = page.getByRole("table", { name: "Queues" });
  await walk.click(queues.getByRole("link", { name: "Dead letters" }), page.getByRole("table", { name: "Causes" }));
  await expect(heading(page)).toContainText(`${all} messages are dead. ${all} are safe to requeue now.`);
  await expect(page.getByRole("table", { name: "Causes" })).toContainText("The destination answered 503");
  const dialog = page.getByRole("dialog");
  await walk.click(page.getByRole("link", { name: `Plan a requeue of all ${all}` }), dialog);
  await walk.type(dialog.getByLabel("Reason, kept in the audit"), "the receiver is back");
  await walk.click(dialog.getByRole("button", { name: `Freeze ${all} messages` }));
  await page.waitForURL(/\/plans\/[0-9a-f-]{36}$/);
  const start = dialog.getByRole("button", { name: `Start ${all}` });
  await walk.click(page.getByRole("link", { name: `Start ${all}` }), start);
  await walk.click(start);
  await expect(dialog.getByRole("status")).toContainText("Started.");
  await walk.click(dialog.getByRole("button", { name: "Close" }));
  await expect(heading(page)).toContainText(new RegExp(`All ${all}|${all} of ${all}|${all} were`), { timeout: 30_000 });
}

test("TOUR-1 task 5: a client used a key again for another command", async ({ page, api, signIn }) => {
  const key = newIdempotencyKey("tour-reuse");
  expect((await api.pay(key, "48.30")).status).toBe(201);
  expect((await api.pay(key, "483.00")).status).toBe(409);
  await signIn("operator", "/");
  const walk = new Walk(page);
  const places = page.getByRole("navigation", { name: "Places" });
  const conflicts = page.getByRole("main").locator("a[href*='open=']");
  await walk.click(places.getByRole("link", { name: /^Conflicts/ }), conflicts.first());
  const compared = page.getByRole("table", { name: "The two commands, field by field" });
  await walk.click(conflicts.first(), compared);
  await expect(compared.getByRole("row").filter({ hasText: "483.00" })).toContainText("48.30");
  await expect(page.getByText("What to tell till-web")).toBeVisible();
  counts(walk, 5);
});

test("TOUR-1 task 6: purge what has expired", async ({ page, api, stack, signIn }) => {
  const ids = [operationOf(await api.pay(newIdempotencyKey("tour-purge"), "81.01"))];
  await backdate(api, ids);
  const letGo = await keptFromTheWorker(stack, ids);
  await signIn("admin", "/retention");
  const walk = new Walk(page);
  await expect(heading(page)).toContainText("2 bodies can be purged");
  const dialog = page.getByRole("dialog");
  await walk.click(page.getByRole("link", { name: "Purge expired bodies now" }), dialog);
  await walk.type(dialog.getByLabel("Reason, kept in the audit"), "end of the month");
  await letGo();
  await walk.click(dialog.getByRole("button", { name: "Purge 2 bodies" }));
  await expect(dialog.getByRole("status")).toContainText("Done.");
  counts(walk, 6);
});

test("TOUR-1 task 7: prove to an auditor that money moved once", async ({ page, api, signIn }) => {
  const operationId = operationOf(await api.pay(newIdempotencyKey("tour-proof"), "48.30"));
  const posted = () => api.rows("select 1 from payments.ledger_entries where operation_id = $1", operationId);
  await expect.poll(async () => (await posted()).length).toBe(1);
  await signIn("auditor", `/operations/${operationId}`);
  const walk = new Walk(page);
  const download = page.getByRole("button", { name: "Download JSON" });
  await walk.click(page.getByRole("link", { name: "Proof", exact: true }), download);
  await expect(heading(page)).toContainText("Money moved once.");
  const waiting = page.waitForEvent("download");
  await walk.click(download);
  const proof = JSON.parse(readFileSync(await (await waiting).path(), "utf8")) as SignedProof;
  const trusted = (await (await page.request.get("/api/v1/proof-keys")).json()) as {
    readonly keys: readonly ProofKey[];
  };
  expect(await verifyProof(proof, trusted)).toBe(true);
  counts(walk, 7);
});

test("TOUR-1 task 8: what changed at a time", async ({ page, api, stack, signIn }) => {
  const paid = operationOf(await api.pay(newIdempotencyKey("tour-topic"), "48.30"));
  const written = () =>
    api.rows(
      "select 1 from onceboard.outbox_messages where operation_id = $1 union all select 1 from onceboard.outbox_history where operation_id = $1",
      paid,
    );
  await expect.poll(async () => (await written()).length).toBe(1);
  await signIn("operator", "/settings");
  const reason = newIdempotencyKey("the receiver is being moved");
  const rows = await api.rows<{ version: number }>(
    "select version from onceboard.topics where tenant_id = 'acme' and topic = 'payments'",
  );
  const body = { reason, expectedVersion: rows[0]?.version ?? 0 };
  const paused = await adminPost(page, stack, "/topics/payments/pause", body);
  expect(paused.status(), await paused.text()).toBe(200);
  const resumed = await adminPost(page, stack, "/topics/payments/resume", {
    ...body,
    expectedVersion: body.expectedVersion + 1,
  });
  expect(resumed.status(), await resumed.text()).toBe(200);
  const now = Date.now();
  const [from, to] = [now - 60_000, now + 60_000].map((at) => new Date(at).toISOString());

  await page.goto("/");
  const walk = new Walk(page);
  const places = page.getByRole("navigation", { name: "Places" });
  const add = page.getByRole("button", { name: /^Add filter/ });
  await walk.click(places.getByRole("link", { name: "Audit", exact: true }), add);
  const field = (name: string) => page.getByRole("textbox", { name, exact: true });
  await walk.click(add, field("From"));
  await walk.type(field("From"), from ?? "");
  await walk.type(field("Before"), to ?? "");
  await walk.press("Enter");
  await expect(page).toHaveURL(/from=.*&to=/);
  const entry = page
    .getByRole("table", { name: "Audit entries" })
    .getByRole("row")
    .filter({ hasText: "Pausing a topic" });
  await walk.click(entry.getByRole("link").first(), page.getByText(": Pausing a topic"));
  await expect(page.getByText(reason).first()).toBeVisible();
  counts(walk, 8);
});
