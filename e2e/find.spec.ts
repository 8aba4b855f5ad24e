import { expect, test } from "./support/fixtures";
import { heading, newIdempotencyKey, operationOf, E2E_TENANT } from "./support/steps";

test("LIST-4 any name of an operation leads to its page", async ({ page, api, signIn }) => {
  const key = newIdempotencyKey("find");
  const paid = await api.pay(key, "64.20");
  expect(paid.status).toBe(201);
  const operationId = operationOf(paid);
  await signIn("viewer", "/operations");
  const names = [key, operationId, String(paid.body["paymentId"]), `"${key}"`];
  for (const name of names) {
    const box = page.getByRole("banner").getByRole("search").getByRole("textbox");
    // A key pressed before the page listens is lost.
    await expect(async () => {
      await page.keyboard.press("/");
      await expect(box).toBeFocused({ timeout: 250 });
    }).toPass();
    await box.fill(name);
    await page.keyboard.press("Enter");
    await expect(page, name).toHaveURL(`/operations/${operationId}`);
    await expect(heading(page)).toContainText("Executed once.");
    await page.goto("/operations");
  }
});

test("a conflict and an audit entry are found by their id, an amount as a list, nonsense as a sentence", async ({
  page,
  api,
  signIn,
}) => {
  const key = newIdempotencyKey("find-more");
  const paid = await api.pay(key, "31.07");
  await api.pay(newIdempotencyKey("find-more"), "31.07");
  expect((await api.pay(key, "310.70")).status).toBe(409);
  const operationId = operationOf(paid);
  await signIn("operator", "/");
  const conflict = async () =>
    (
      await api.rows<{ id: string }>(
        "select id from onceboard.idempotency_events where operation_id = $1 and type = 'conflict'",
        operationId,
      )
    )[0]?.id;
  await expect.poll(conflict).toBeDefined();
  await page.goto(`/find?q=${(await conflict()) ?? ""}`);
  await expect(page).toHaveURL(/\/conflicts\?/);
  await expect(page.getByRole("heading", { level: 2 }).filter({ hasText: "another amount" })).toBeVisible();

  const purged = await page.request.post(`/api/v1/admin/operations/${operationId}/purge-body`, {
    data: { reason: "asked for by the customer" },
    headers: {
      origin: new URL(page.url()).origin,
      "idempotency-key": newIdempotencyKey("purge"),
      "onceboard-tenant": E2E_TENANT,
    },
  });
  const { auditId } = (await purged.json()) as { auditId: string };
  await page.goto(`/find?q=${auditId}`);
  await expect(page).toHaveURL(/\/audit\?/);
  await expect(page.getByText(": Purge a body")).toBeVisible();

  await page.goto("/find?q=31.07");
  await expect(page.getByRole("table", { name: "Found" }).getByRole("link")).toHaveCount(2);
  await page.goto("/find?q=no-such-name");
  await expect(page.getByText("Nothing found.")).toBeVisible();
});
