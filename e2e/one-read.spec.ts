import type { Page, Request } from "@playwright/test";
import { backdate, keptFromTheWorker } from "./support/aged-bodies";
import { expect, test } from "./support/fixtures";
import { adminPost, newIdempotencyKey, operationOf, unknownPayment } from "./support/steps";

/** Wide enough for the pane beside the list. */
test.use({ viewport: { width: 1440, height: 900 } });

/** Polls ask whether something changed, whatever is open. */
const POLL = "/api/v1/admin/pulse";

/**
 * @returns gives the addresses that the page asked the server for since the last call. Left out is what comes by itself: scripts,
 * styles, polls, and the icon that the browser asks for at every new address.
 */
function asked(page: Page): () => string[] {
  let seen: string[] = [];
  page.on("request", (request: Request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/_next/static/") || pathname === "/icon.svg" || pathname === POLL) return;
    seen.push(`${request.method()} ${pathname}${search}`);
  });
  return () => {
    const all = seen;
    seen = [];
    return all;
  };
}

/** A page that lives is read again when a poll says that something changed: paused, it asks for what a person does alone. */
async function quiet(page: Page, requests: () => string[]): Promise<void> {
  await page.waitForResponse((response) => response.url().includes(POLL));
  await page.getByRole("button", { name: /^Live/ }).click();
  await expect(page.getByRole("button", { name: /^Paused/ })).toBeVisible();
  await page.waitForLoadState("networkidle");
  requests();
}

test("opening and closing a dialog asks the server for nothing; its address leads back into it", async ({
  page,
  api,
  stack,
  signIn,
}) => {
  const operationId = operationOf(await api.pay(newIdempotencyKey("read"), "12.40"));
  // An open dialog keeps what it was opened with: who used the key has to be recorded before.
  const answered = "select 1 from onceboard.idempotency_events where operation_id = $1 and outcome is not null";
  await expect.poll(async () => (await api.rows(answered, operationId)).length).toBe(1);
  await backdate(api, [operationId]);
  const letGo = await keptFromTheWorker(stack, [operationId]);
  const requests = asked(page);
  await signIn("operator", `/operations/${operationId}`);
  await quiet(page, requests);
  const dialog = page.getByRole("dialog");
  await page.getByRole("link", { name: "Purge", exact: true }).click();
  await expect(dialog.getByRole("heading")).toHaveText("Purge the bodies of 1 operation for good?");
  // Who may still come for the answer is there already.
  await expect(dialog.getByRole("link", { name: "till" })).toBeVisible();
  await expect(page).toHaveURL(/\?dialog=purge$/);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page).not.toHaveURL(/dialog=/);
  await page.getByRole("link", { name: "Show bodies" }).click();
  await expect(dialog.getByRole("heading")).toHaveText("Show the bodies of 1 operation?");
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  await page.goForward();
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  expect(requests()).toEqual([]);

  await page.goto(`/operations/${operationId}?dialog=purge`);
  await expect(dialog.getByRole("heading")).toHaveText("Purge the bodies of 1 operation for good?");
  await letGo();
  // Other tests count what is past its time.
  await backdate(api, [operationId], "0");
});

test("a dialog about a row of a list, a saved view and a topic asks for nothing either", async ({
  page,
  api,
  signIn,
}) => {
  const { operationId } = await unknownPayment(api, "61.72", { timeout_after_accept: 0, processing: 1 });
  const requests = asked(page);
  await signIn("operator", "/attention");
  await quiet(page, requests);
  const dialog = page.getByRole("dialog");
  const row = page.locator(`tr[data-row="${operationId}"]`);
  await row.getByRole("link", { name: "Reconcile" }).click();
  await expect(dialog.getByRole("heading")).toHaveText(
    "Ask the provider about 1 payment of €61.72, and settle it if it knows?",
  );
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await row.getByRole("link", { name: "Assign to me" }).click();
  await expect(dialog.getByRole("heading")).toContainText("Assign 1 operation to you");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Views", exact: true }).click();
  await page.getByRole("link", { name: "Save as a new view" }).click();
  await expect(dialog.getByRole("heading")).toContainText("Save these filters");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);
  expect(requests()).toEqual([]);

  await page.goto("/topics/payments");
  await quiet(page, requests);
  await page.getByRole("link", { name: "Pause" }).click();
  await expect(dialog.getByRole("heading")).toContainText("Pause topic payments");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toHaveCount(0);
  expect(requests()).toEqual([]);
});

test("a dialog that is closed while the page is read again stays closed, and the page is never loaded anew", async ({
  page,
  api,
  signIn,
}) => {
  const { operationId } = await unknownPayment(api, "62.83", { timeout_after_accept: 0, processing: 1 });
  await signIn("operator", "/attention");
  await page.waitForResponse((response) => response.url().includes(POLL));
  let documents = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) documents += 1;
  });
  const dialog = page.getByRole("dialog");
  const row = page.locator(`tr[data-row="${operationId}"]`);
  for (const [verb, button] of [
    ["Assign to me", "Assign 1 operation"],
    ["Unassign", "Unassign 1 operation"],
    ["Assign to me", "Assign 1 operation"],
    ["Unassign", "Unassign 1 operation"],
  ] as const) {
    await row.getByRole("link", { name: verb, exact: true }).click();
    await dialog.getByRole("button", { name: button }).click();
    await expect(dialog.getByRole("status")).toContainText("Done.");
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(dialog).toHaveCount(0);
  }
  await expect(row.getByRole("link", { name: "Assign to me" })).toBeVisible();
  await expect(page).toHaveURL(/\/attention$/);
  await expect(dialog).toHaveCount(0);
  expect(documents).toBe(0);
});

test("a row beside a list is read by itself: by the mouse, by j and k, back and forth, and over a reload", async ({
  page,
  api,
  signIn,
}) => {
  const client = newIdempotencyKey("beside");
  const first = operationOf(await api.pay(`${client}-1`, "71.01"));
  const second = operationOf(await api.pay(`${client}-2`, "71.02"));
  const requests = asked(page);
  await signIn("operator", "/operations?min=71.00&max=71.03&currency=EUR");
  await quiet(page, requests);
  const row = (id: string) => page.locator(`tr[data-row="${id}"]`);
  const pane = page.getByRole("complementary", { name: "Current operation" });
  await row(first).click();
  await expect(pane).toContainText("€71.01");
  await expect(row(first)).toHaveAttribute("data-current", "true");
  await page.keyboard.press("k");
  await expect(pane).toContainText("€71.02");
  await expect(page).toHaveURL(new RegExp(`open=${second}`));
  await page.keyboard.press("j");
  await expect(pane).toContainText("€71.01");
  expect(requests()).toEqual([
    `GET /api/v1/admin/operations/${first}`,
    `GET /api/v1/admin/operations/${second}`,
    `GET /api/v1/admin/operations/${first}`,
  ]);
  // What the router changed in the address meanwhile stays in it: the rows know of it at once.
  await page.getByRole("button", { name: "Columns", exact: true }).click();
  await page.getByRole("group", { name: "Columns", exact: true }).getByLabel("Reference").check();
  await expect(page.getByRole("columnheader", { name: "Reference" })).toBeVisible();
  await expect(row(second).locator("a[data-row-link]")).toHaveAttribute("href", /columns=/);
  await page.keyboard.press("Escape");
  await page.reload();
  await expect(page.getByRole("columnheader", { name: "Reference" })).toBeVisible();
  await expect(pane).toContainText("€71.01");
  await expect(row(first)).toHaveAttribute("data-current", "true");
  await row(second).click();
  await expect(pane).toContainText("€71.02");
  await page.goBack();
  await expect(pane).toContainText("€71.01");
});

test("so it is beside messages and the audit; what is not there is said to be not there", async ({
  page,
  api,
  stack,
  signIn,
}) => {
  const operationId = operationOf(await api.pay(newIdempotencyKey("message"), "13.37"));
  const requests = asked(page);
  for (const [path, under, name] of [
    ["/outbox?state=published", "outbox", "Current message"],
    ["/inbox", "inbox", "Current message"],
  ] as const) {
    await signIn("admin", path);
    await quiet(page, requests);
    const row = page.locator("main tr[data-row][data-page]").first();
    const id = (await row.getAttribute("data-row")) ?? "none";
    await row.locator("a[data-row-link]").click();
    const pane = page.getByRole("complementary", { name });
    await expect(pane.getByRole("heading", { level: 2 })).toBeVisible();
    expect(requests()).toEqual([`GET /api/v1/admin/${under}/${id}`]);
    await pane.getByRole("link", { name: "Close" }).click();
    await expect(pane).toHaveCount(0);
    expect(requests()).toEqual([]);
    await page.goto(`/${under}?open=00000000-0000-7000-8000-000000000000`);
    await expect(pane).toContainText("This message is not here.");
  }
  expect(
    (await adminPost(page, stack, `/operations/${operationId}/purge-body`, { reason: "asked for" })).status(),
  ).toBe(200);
  await page.goto("/audit?range=all");
  await quiet(page, requests);
  const entry = page.locator("main tr[data-row]").first();
  const id = (await entry.getAttribute("data-row")) ?? "none";
  await entry.locator("a[data-row-link]").click();
  await expect(page.getByRole("heading", { name: /^Entry #/ })).toBeVisible();
  expect(requests()).toEqual([`GET /api/v1/admin/audit/${id}`]);
  await page.getByRole("link", { name: "Close" }).click();
  await expect(page.getByRole("heading", { name: /^Entry #/ })).toHaveCount(0);
  expect(requests()).toEqual([]);
});

test("a row that does not load says so, and is read again when asked", async ({ page, api, signIn }) => {
  const key = newIdempotencyKey("broken");
  const operationId = operationOf(await api.pay(key, "14.41"));
  await signIn("viewer", `/operations?key=${key}`);
  await page.route(`**/api/v1/admin/operations/${operationId}`, (route) => route.abort());
  await page.locator(`tr[data-row="${operationId}"]`).click();
  const pane = page.getByRole("complementary", { name: "Current operation" });
  await expect(pane).toContainText("This operation did not load.");
  await page.unroute(`**/api/v1/admin/operations/${operationId}`);
  await pane.getByRole("button", { name: "Try again" }).click();
  await expect(pane).toContainText("€14.41");
});
