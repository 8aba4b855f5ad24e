import { expect, test, type ApiFixture } from "./support/fixtures";
import { flaws } from "./support/flaws";
import { heading, newIdempotencyKey, operationOf, unknownPayment } from "./support/steps";

const ACCOUNT = "acc_northgate_04";
/** Widths that are looked at; axe looks at the last one. */
const LOOKS = [[1024, 1440], [390]] as const;

/** An order that was paid, sent again, sent with another amount, tried under a second key, and refunded in part. */
async function paidOrder(api: ApiFixture): Promise<{ readonly reference: string; readonly operationId: string }> {
  const key = newIdempotencyKey("order");
  const reference = `ref-${key}`;
  const paid = await api.pay(key, "84.50");
  expect(paid.status).toBe(201);
  expect((await api.pay(key, "84.50")).headers.get("idempotency-status")).toBe("replayed");
  expect((await api.pay(key, "945.00")).status).toBe(409);
  const again = { accountId: ACCOUNT, amount: "84.50", currency: "EUR", merchantReference: reference };
  expect((await api.post("/payments", `${key}-2`, again)).status).toBe(409);
  const refund = { paymentId: paid.body["paymentId"], amount: "20.00" };
  expect((await api.post("/refunds", `${key}-refund`, refund)).status).toBe(201);
  const posted = () =>
    api.rows(
      `select 1 from payments.ledger_entries l where l.operation_id in
         (select r.operation_id from onceboard.idempotency_requests r where r.reference in ($1, $2))`,
      reference,
      paid.body["paymentId"],
    );
  await expect.poll(async () => (await posted()).length).toBe(2);
  const told = () =>
    api.rows(
      "select 1 from onceboard.idempotency_events where operation_id = $1 and outcome is not null",
      operationOf(paid),
    );
  await expect.poll(async () => (await told()).length).toBe(3);
  return { reference, operationId: operationOf(paid) };
}

test("REFERENCE-2 from an order number to the answer in one search: charged once, refunded in part", async ({
  page,
  api,
  signIn,
}) => {
  const { reference, operationId } = await paidOrder(api);
  await signIn("viewer", `/find?q=${encodeURIComponent(reference)}`);
  await expect(page).toHaveURL(`/references/${encodeURIComponent(reference)}`);
  await expect(heading(page)).toHaveText("Charged once: 1 of 2 keys moved money.");
  await expect(page).toHaveTitle(/^Charged once: 1 of 2 keys moved money\./);
  const chart = page.getByRole("group", { name: "Keys to ledger", exact: true });
  await expect(chart).toHaveAccessibleDescription(
    /Key 1: Charged\. Moved \+€84\.50\. 3 requests, 1 of another command\. Key 2: Refused/,
  );
  await expect(chart.getByRole("link", { name: /Key 1, .* Refused: amount differs/ })).toHaveAttribute(
    "href",
    /^\/conflicts\?open=/,
  );
  await expect(chart.getByText("€64.50")).toBeVisible();
  await expect(
    page.getByText(/was charged once: €84\.50 on .* One other attempt, on .* moved no money\. We gave back €20\.00/),
  ).toBeVisible();
  // What the refused command asked for is nowhere.
  await expect(page.getByRole("main")).not.toContainText("945.00");

  // Every mark is reached by the keyboard, in the order of the lanes.
  await chart.getByRole("link", { name: "Key 1", exact: true }).focus();
  await page.keyboard.press("Tab");
  await expect(chart.getByRole("link", { name: /Key 1, .* UTC: Charged$/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/operations/${operationId}`);
  // The link shows the reference cut in its middle.
  await page
    .getByRole("main")
    .locator(`a[href="/references/${encodeURIComponent(reference)}"]`)
    .click();
  await expect(heading(page)).toHaveText("Charged once: 1 of 2 keys moved money.");
});

test("the page of a reference has no flaw at any width", async ({ page, api, signIn }) => {
  const { reference } = await paidOrder(api);
  await signIn("viewer", "/");
  for (const widths of LOOKS)
    expect(await flaws(page, `/references/${encodeURIComponent(reference)}`, widths)).toEqual([]);
});

test("REFERENCE-2 a key in doubt: at most once, and asking the provider is one click away", async ({
  page,
  api,
  signIn,
}) => {
  const { key, operationId } = await unknownPayment(api, "61.30");
  await signIn("operator", `/references/ref-${key}`);
  await expect(heading(page)).toHaveText("Charged at most once: its only key is unknown.");
  await expect(page.getByText("We do not know yet whether the attempt on")).toBeVisible();
  await page.getByRole("link", { name: "Ask…" }).click();
  await expect(page).toHaveURL(`/operations/${operationId}?dialog=reconcile`);
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("an order without its number is found by customer, amount and day; an unknown one is said to be", async ({
  page,
  api,
  signIn,
}) => {
  const amount = `${String(1_000 + Math.floor(Math.random() * 8_000))}.${String(10 + Math.floor(Math.random() * 40))}`;
  const key = newIdempotencyKey("search");
  expect((await api.pay(key, amount)).status).toBe(201);
  await signIn("viewer", "/references");
  const search = page.getByRole("search", { name: "By customer, amount and day" });
  await search.getByLabel("Customer (account id)").fill(ACCOUNT);
  await search.getByLabel("Amount").fill(`${amount} EUR`);
  await search.getByLabel("Day (UTC)").fill(new Date().toISOString().slice(0, 10));
  await search.getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(`/references/ref-${key}?customer=${ACCOUNT}`);
  await expect(heading(page)).toContainText("Charged once: its only key moved money.");
  await page.goto("/references/no-such-order");
  await expect(heading(page)).toHaveText("No payment key carries this reference.");
  await page.goto("/references?day=2026-11-19");
  await expect(page.getByText("A day alone is too wide: add a customer or an amount.")).toBeVisible();
  expect(await flaws(page, "/references", [390, 1440])).toEqual([]);
});
