import { randomUUID } from "node:crypto";
import { expect, test, type Page } from "@playwright/test";
import { addressesIn, addressesInStyle } from "./page-addresses";
import { BASE, PERSON, startBelow, type BelowStack } from "./stack";

test.describe.configure({ mode: "serial" });

let stack: BelowStack;
test.beforeAll(async () => {
  stack = await startBelow();
  await stack.call("POST", "/api/v1/accounts", { body: { accountId: "acc_1", currency: "EUR" } });
});
test.afterAll(() => stack.close());
/** The whole is below its path: nobody asked the host for anything else, whatever a test did. */
test.afterEach(() => {
  expect(stack.host.strayed.splice(0)).toEqual([]);
});

const payment = (amount: string) => ({ accountId: "acc_1", amount, currency: "EUR", merchantReference: randomUUID() });
const at = (path: string): string => `${stack.host.origin}${BASE}${path}`;
const heading = (page: Page) => page.getByRole("heading", { level: 1 });

async function signIn(page: Page, next: string): Promise<void> {
  await page.goto(at(next));
  await expect(page).toHaveURL(at(next === "" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`));
  await page.getByLabel("E-mail").fill(PERSON.email);
  await page.getByLabel("Password").fill(PERSON.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(at(next));
}

test("the API creates, replays, and says where the payment is", async () => {
  const [key, body] = [randomUUID(), payment("10.00")];
  const first = await stack.call("POST", "/api/v1/payments", { body, key });
  const again = await stack.call("POST", "/api/v1/payments", { body, key });
  expect([first.status, again.status, again.headers.get("idempotent-replayed")]).toEqual([201, 201, "true"]);
  const location = first.headers.get("location") ?? "";
  expect(location).toMatch(new RegExp(`^${BASE}/api/v1/payments/`));
  expect((await stack.call("GET", location.slice(BASE.length))).status).toBe(200);
  expect((await stack.call("GET", "/api/health/ready")).status).toBe(200);
});

test("at the root of the server there is nothing, and a page without a session leads to sign-in and back", async () => {
  for (const path of [
    "/",
    "/sign-in",
    "/operations",
    "/api/health/live",
    "/icon.svg",
    "/_next/static/x.js",
    `${BASE}s`,
  ]) {
    const answer = await fetch(stack.direct + path, { redirect: "manual" });
    expect([path, answer.status, answer.headers.get("location")]).toEqual([path, 404, null]);
  }
  const answer = await fetch(`${stack.direct}${BASE}/operations?state=STALE`, { redirect: "manual" });
  const back = new URL(answer.headers.get("location") ?? "", stack.direct);
  expect([answer.status, back.pathname, back.searchParams.get("next")]).toEqual([
    307,
    `${BASE}/sign-in`,
    "/operations?state=STALE",
  ]);
});

test("a plain Next server answers the same below the path, bodies too, and nothing at the root", async () => {
  const next = await stack.startNext();
  const headers = {
    authorization: `Bearer ${stack.key}`,
    "content-type": "application/json",
    "idempotency-key": randomUUID(),
  };
  const body = JSON.stringify(payment("12.00"));
  const created = await fetch(`${next}${BASE}/api/v1/payments`, { method: "POST", headers, body });
  expect(created.status).toBe(201);
  const location = created.headers.get("location") ?? "";
  expect(location).toContain(`${BASE}/api/v1/payments/`);
  expect((await fetch(next + location, { headers })).status).toBe(200);
  expect((await fetch(`${next}${BASE}/sign-in`)).status).toBe(200);
  for (const path of ["/", "/sign-in", "/api/health/live"]) expect((await fetch(next + path)).status).toBe(404);
});

const PAGES = [
  "",
  "/operations",
  "/attention",
  "/conflicts",
  "/dead-letters",
  "/outbox",
  "/inbox",
  "/flow",
  "/topics",
  "/consumers",
  "/metrics",
  "/metrics/clients",
  "/clients",
  "/invariants",
  "/checklist",
  "/plans",
  "/policies",
  "/references",
  "/retention",
  "/audit",
  "/settings",
  "/find?q=nothing",
  "/not-a-page",
];

test("every address in the pages, their scripts, styles, fonts and icon are below the path", async ({
  page,
  context,
}) => {
  await signIn(page, "");
  const cookies = await context.cookies();
  expect(cookies.map(({ name, path }) => [name, path])).toEqual(cookies.map(({ name }) => [name, BASE]));
  const created = await stack.call("POST", "/api/v1/payments", { body: payment("11.00") });
  const operation = `/operations/${created.headers.get("operation-id") ?? ""}`;
  const assets = new Set<string>();
  for (const path of [...PAGES, operation, `${operation}/proof`]) {
    const html = await (await context.request.get(at(path))).text();
    const own = addressesIn(html).filter(
      (address) => !/^https?:/.test(address) || address.startsWith(stack.host.origin),
    );
    expect(own.length, path).toBeGreaterThan(5);
    const outside = own.filter((address) => !new URL(address, at(path)).pathname.startsWith(BASE));
    expect([path, outside]).toEqual([path, []]);
    for (const address of own) if (/_next\/static|icon/.test(address)) assets.add(new URL(address, at(path)).href);
  }
  for (const address of assets) {
    const asset = await context.request.get(address);
    expect([address, asset.status()]).toEqual([address, 200]);
    if (!address.includes(".css")) continue;
    for (const loaded of addressesInStyle(await asset.text(), address))
      expect([loaded, (await context.request.get(loaded)).status()]).toEqual([loaded, 200]);
  }
});

test("a person finds an operation, asks the provider, walks and hears what is new, and signs out", async ({ page }) => {
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  await stack.faults({ timeout_after_accept: 1, lookup_down: 1, no_webhook: 1 });
  const key = randomUUID();
  const unknown = await stack.call("POST", "/api/v1/payments", { body: payment("734.23"), key });
  expect(unknown.status).toBe(504);
  const operationId = unknown.headers.get("operation-id") ?? "";
  await expect
    .poll(() =>
      stack.rows(
        "update onceboard.idempotency_open set next_check_at = now() + interval '1 hour' where operation_id = $1 and locked_until is null returning 1",
        operationId,
      ),
    )
    .toHaveLength(1);
  await stack.faults({});

  await signIn(page, "/attention");
  const row = page.locator("tr[data-row]").filter({ hasText: "€734.23" });
  await row.getByRole("link", { name: "Reconcile", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason, kept in the audit").fill("the provider is back");
  await dialog.getByRole("button", { name: "Ask about 1 operation" }).click();
  await expect(dialog.getByRole("status")).toContainText("1 done, 0 skipped.");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(at("/attention"));

  const box = page.getByRole("banner").getByRole("search").getByRole("textbox");
  await box.fill(key);
  await box.press("Enter");
  await expect(page).toHaveURL(at(`/operations/${operationId}`));
  await expect(heading(page)).toContainText("Ledger posted.");

  await page.getByRole("navigation").getByRole("link", { name: "Operations" }).first().click();
  await expect(page).toHaveURL(at("/operations"));
  await stack.call("POST", "/api/v1/payments", { body: payment("55.55") });
  const newer = page.getByRole("button", { name: /newer/ });
  await expect(newer).toBeVisible();
  await newer.click();
  await expect(page.locator("tr[data-row]").filter({ hasText: "€55.55" })).toBeVisible();

  await page.setViewportSize({ width: 1600, height: 900 });
  await page.locator("tr[data-row]").filter({ hasText: "€55.55" }).click();
  await expect(page).toHaveURL(new RegExp(`^${at("/operations")}\\?open=`));
  await page.reload();
  await expect(page).toHaveURL(new RegExp(`^${at("/operations")}\\?open=`));
  const download = page.waitForEvent("download");
  await page
    .getByRole("button", { name: "Export" })
    .or(page.getByText("Export", { exact: true }))
    .first()
    .click();
  await page.getByRole("link", { name: /CSV/ }).first().click();
  expect((await download).suggestedFilename()).toMatch(/^operations-acme-.*\.csv$/);

  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /Page, view, action/ }).fill("theme dark");
  await page.getByRole("option").first().click();
  await expect(page.locator("html")).toHaveAttribute("data-scheme", "dark");
  const paths = (await page.context().cookies()).map(({ path }) => path);
  expect(new Set(paths)).toEqual(new Set([BASE]));

  await page.goto(at("/references"));
  await page.getByRole("search", { name: "By customer, amount and day" }).getByRole("button").click();
  await expect(page).toHaveURL(new RegExp(`^${at("/references")}\\?`));

  await page.goto(at(""));
  await page.getByRole("button", { name: "Sign out" }).or(page.getByText("Mira Okafor")).first().click();
  const out = page.getByRole("button", { name: "Sign out" });
  if (await out.isVisible()) await out.click();
  await expect(page).toHaveURL(at("/sign-in"));
  await page.goto(at("/operations"));
  await expect(page).toHaveURL(at("/sign-in?next=%2Foperations"));
  expect(errors).toEqual([]);
});
