import type { BrowserContext, Page } from "@playwright/test";
import type * as Library from "@/client/index";
import { plainModules } from "@/client/testing/plain-modules";
import { expect, test } from "../support/fixtures";
import { newIdempotencyKey } from "../support/steps";

/** A page of the API's own origin that has nothing but the library, as plain modules. */
const LAB = "/client-lab/";
const PAYMENTS = "**/api/v1/payments";
/** One attempt may take all of it: on a slow machine nothing but the test itself loses an answer. */
const PATIENCE = { budgetMs: 45_000, attemptTimeoutMs: 45_000 };

declare global {
  interface Window {
    openClient(): Library.OnceboardClient;
  }
}

async function openLab(page: Page, apiKey: string): Promise<void> {
  await page.goto(LAB);
  const given = { apiKey, schedule: PATIENCE };
  await page.evaluate(async ({ apiKey, schedule }) => {
    const { createClient, createStorageStore } = (await import(
      `${location.origin}/client-lab/index.js`
    )) as typeof Library;
    window.openClient = () =>
      createClient({
        baseUrl: location.origin,
        apiKey,
        store: createStorageStore(localStorage, { namespace: "e2e" }),
        schedule,
      });
  }, given);
}

async function serveLab(context: BrowserContext): Promise<void> {
  const modules = plainModules();
  await context.route(`**${LAB}**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(LAB.length);
    if (name === "") await route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Lab</title>" });
    else await route.fulfill({ contentType: "text/javascript", body: modules.get(name) ?? "" });
  });
}

const input = (reference: string) => ({
  accountId: "acc_browser",
  amount: "12.00",
  currency: "EUR",
  merchantReference: reference,
});

test.describe("CLIENT-2 the client library in a browser", () => {
  test.beforeEach(async ({ context, api }) => {
    await api.post("/accounts", newIdempotencyKey("account"), { accountId: "acc_browser", currency: "EUR" });
    await serveLab(context);
  });

  test("a lost answer is asked for again under the same key", async ({ page, stack, api }) => {
    const reference = newIdempotencyKey("lost");
    const keys: (string | undefined)[] = [];
    await page.route(PAYMENTS, async (route) => {
      keys.push(route.request().headers()["idempotency-key"]);
      // The server answers, the browser never hears of it.
      if (keys.length > 1) await route.continue();
      else await route.fetch().then(() => route.abort("connectionreset"));
    });
    await openLab(page, stack.key);
    const answer = await page.evaluate((body) => window.openClient().payments.create(body), input(reference));
    expect(answer.replayed).toBe(true);
    expect(keys).toEqual([answer.key, answer.key]);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    const made = await api.rows("select id from payments.payments where merchant_reference = $1", reference);
    expect(made).toEqual([{ id: answer.body.paymentId }]);
  });

  test("a page that is closed before its answer goes on with the same key when it is opened again", async ({
    page,
    context,
    stack,
    api,
  }) => {
    const reference = newIdempotencyKey("closed");
    const answered: { readonly key: string | undefined; readonly status: number }[] = [];
    await page.route(PAYMENTS, async (route) => {
      // The server answers; the browser still waits when its page is closed.
      const response = await route.fetch();
      answered.push({ key: route.request().headers()["idempotency-key"], status: response.status() });
    });
    await openLab(page, stack.key);
    await page.evaluate((body) => {
      void window.openClient().payments.create(body, { action: "checkout-1" });
    }, input(reference));
    await expect.poll(() => answered).toMatchObject([{ status: 201 }]);
    const key = answered[0]?.key;
    await page.close();
    const again = await context.newPage();
    await openLab(again, stack.key);
    const resumed = await again.evaluate(() => window.openClient().resume());
    expect(resumed).toMatchObject([{ ok: true, action: { key, name: "checkout-1" }, answer: { replayed: true } }]);
    expect(await again.evaluate(() => localStorage.length)).toBe(0);
    expect(await api.rows("select id from payments.payments where merchant_reference = $1", reference)).toHaveLength(1);
  });

  test("two tabs that name one action at once pay once", async ({ page, context, stack, api }) => {
    const reference = newIdempotencyKey("tabs");
    const other = await context.newPage();
    await openLab(page, stack.key);
    await openLab(other, stack.key);
    // A tab that begins after the other one's answer names a new action: both have asked before either is answered.
    let asked = 0;
    let letGo = (): void => undefined;
    const both = new Promise<void>((resolve) => (letGo = resolve));
    await context.route(PAYMENTS, async (route) => {
      asked += 1;
      if (asked === 2) letGo();
      await both;
      await route.continue();
    });
    const pay = (tab: Page) =>
      tab.evaluate((body) => window.openClient().payments.create(body, { action: "checkout-2" }), input(reference));
    const [one, two] = await Promise.all([pay(page), pay(other)]);
    expect(two.key).toBe(one.key);
    expect(two.body.paymentId).toBe(one.body.paymentId);
    expect(await api.rows("select id from payments.payments where merchant_reference = $1", reference)).toHaveLength(1);
    // What decides it is there: each tab alone would make a key of its own.
    expect(await page.evaluate(() => "locks" in navigator)).toBe(true);
  });
});
