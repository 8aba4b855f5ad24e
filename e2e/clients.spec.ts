import type { Locator } from "@playwright/test";
import { expect, test, type ApiFixture } from "./support/fixtures";
import { PASSWORD } from "./support/stack-info";
import { heading, newIdempotencyKey, operationOf } from "./support/steps";

/** Clicks the verb of a dialog, and proves who it is when that is asked. */
async function act(dialog: Locator, verb: string, outcome: Locator): Promise<void> {
  await dialog.getByRole("button", { name: verb, exact: true }).click();
  const password = dialog.getByLabel("Your password");
  await expect(password.or(outcome).first()).toBeVisible();
  if (!(await password.isVisible())) return;
  await password.fill(PASSWORD);
  await dialog.getByRole("button", { name: `Confirm: ${verb}` }).click();
  await expect(outcome).toBeVisible();
}

/** What happened just now happened three minutes ago: its minute is over, and the live worker counts it. */
async function longerAgo(api: ApiFixture, operationId: string): Promise<void> {
  await api.rows(
    "update onceboard.idempotency_events set at = at - interval '3 minutes' where operation_id = $1",
    operationId,
  );
  await api.rows(
    `insert into onceboard.metric_buckets (tenant_id, bucket, stale)
     select distinct tenant_id, date_trunc('minute', at), true from onceboard.idempotency_events where operation_id = $1
     on conflict (tenant_id, bucket) do update set stale = true`,
    operationId,
  );
}

test("ACCESS-8 REPORT-1 an admin makes a client and its key, rotates and revokes it; its report card tells what it did", async ({
  page,
  api,
  stack,
  signIn,
}) => {
  const client = newIdempotencyKey("client");
  const dialog = page.getByRole("dialog");
  const secret = dialog.getByText(/^ob_[0-9a-f]{20}_/);
  const why = dialog.getByLabel("Reason, kept in the audit");
  const keyRow = (key: string) => page.getByRole("row").filter({ hasText: key.split("_")[1] ?? "none" });
  const leave = async (): Promise<void> => {
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(dialog).toBeHidden();
  };

  await signIn("admin", "/clients?tenant=acme");
  await page.getByRole("link", { name: "Add a client" }).click();
  await dialog.getByLabel("Name, as conflicts and reports show it").fill(client);
  await dialog.getByLabel("Contact, for its conflicts").fill("till@shop.example");
  await act(dialog, "Add 1 client", heading(page).filter({ hasText: client }));
  await expect(page).toHaveURL(new RegExp(`/clients/${client}`));
  await expect(page.getByText("till@shop.example")).toBeVisible();

  await page.getByRole("link", { name: "Create a key" }).click();
  await why.fill("its first key");
  await act(dialog, "Create 1 key", secret);
  const first = (await secret.textContent()) ?? "";
  await leave();
  await page.reload();
  expect(await page.content()).not.toContain(first.slice(-43));

  const key = newIdempotencyKey("pay");
  const pay = (apiKey: string, amount = "10.00") =>
    api.post(
      "/payments",
      key,
      { accountId: "acc_northgate_04", amount, currency: "EUR", merchantReference: `ref-${key}` },
      { apiKey },
    );
  const paid = await pay(first);
  expect(paid.status).toBe(201);
  expect((await pay(first, "11.00")).status).toBe(409);
  const keyless = await fetch(`${stack.baseUrl}/api/v1/payments`, {
    method: "POST",
    headers: { authorization: `Bearer ${first}`, "content-type": "application/json" },
    body: "{}",
  });
  expect(keyless.status).toBe(400);

  await keyRow(first).getByRole("link", { name: "Rotate" }).click();
  await why.fill("somebody left");
  await act(dialog, "Rotate 1 key", secret);
  const second = (await secret.textContent()) ?? "";
  expect(second).not.toBe(first);
  await leave();
  await expect(keyRow(first)).toContainText("ends in 23 h");
  expect([(await pay(first)).status, (await pay(second)).status]).toEqual([201, 201]);

  await keyRow(first).getByRole("link", { name: "Revoke" }).click();
  await expect(dialog).toContainText("2 keys that are valid");
  await why.fill("somebody left");
  await act(dialog, "Revoke 1 key", dialog.getByText("Revoked."));
  await leave();
  await expect(keyRow(first)).toContainText("revoked");
  // Another process may use what it read last for two seconds.
  await expect.poll(async () => (await pay(first)).status).toBe(401);
  expect((await pay(second)).status).toBe(201);

  await longerAgo(api, operationOf(paid));
  await expect(async () => {
    await page.reload();
    await expect(heading(page)).toContainText(
      "Reuses keys across bodies: 1 conflict on 1 key in 24 h, another amount.",
      {
        timeout: 1_000,
      },
    );
    await expect(heading(page)).toContainText("Sends no key: 1 request refused.", { timeout: 1_000 });
  }).toPass();
  await expect(page.getByText("Make one key per business action").first()).toBeVisible();
  await page.getByRole("link", { name: "Clients", exact: true }).last().click();
  await expect(page.getByRole("row").filter({ hasText: client })).toContainText("Reuses keys across bodies");

  await signIn("viewer", `/clients/${client}?tenant=acme`);
  await expect(page.getByText("You can look, not act.").first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Create a key" })).toHaveCount(0);
});
