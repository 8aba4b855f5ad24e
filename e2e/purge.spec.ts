import { backdate, keptFromTheWorker } from "./support/aged-bodies";
import { expect, test } from "./support/fixtures";
import { heading, newIdempotencyKey, operationOf, providerRecord } from "./support/steps";

test("RETENTION-5 expired bodies are purged by an admin; the metadata stays and the purge lets nothing run again", async ({
  page,
  api,
  stack,
  signIn,
}) => {
  const key = newIdempotencyKey("purge");
  const paid = [await api.pay(key, "81.01"), await api.pay(newIdempotencyKey("purge"), "81.02")];
  const operationIds = paid.map(operationOf);
  const operationId = operationIds[0] ?? "";
  await backdate(api, operationIds);
  const letGo = await keptFromTheWorker(stack, operationIds);

  await signIn("operator", "/retention");
  const off = page.getByRole("button", { name: "Purge expired bodies now" });
  await expect(off).toBeDisabled();
  await expect(
    page.getByText("Not offered: You have the role operator. Purge expired bodies needs the role admin."),
  ).toBeVisible();

  await signIn("admin", "/retention");
  await expect(heading(page)).toContainText("4 bodies can be purged");
  await expect(heading(page)).toContainText("2 keys lose byte-equal replay.");
  const preview = page.getByRole("table", { name: "What a purge would do now" });
  await expect(preview.getByRole("row").filter({ hasText: "Operations" }).first()).toContainText("2");
  await page.getByRole("link", { name: "Purge expired bodies now" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Reason, kept in the audit").fill("end of the month");
  await letGo();
  await dialog.getByRole("button", { name: "Purge 4 bodies" }).click();
  await expect(dialog.getByRole("status")).toContainText("Done.");
  await expect(dialog.getByRole("status")).toContainText("2 done, 0 skipped.");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(heading(page)).toContainText("Nothing can be purged.");
  const run = page.getByRole("table", { name: "Runs of retention" }).getByRole("row").nth(1);
  await expect(run).toContainText("Purge of expired bodies");
  await expect(run).toContainText("2 operations");

  expect(
    await api.rows("select 1 from onceboard.idempotency_bodies where operation_id = any ($1::uuid[])", operationIds),
  ).toEqual([]);
  const kept = await api.rows(
    "select state, response_status from onceboard.idempotency_requests where operation_id = $1",
    operationId,
  );
  expect(kept).toEqual([{ state: "COMPLETED", response_status: 201 }]);
  const retry = await api.pay(key, "81.01");
  expect(retry.status).toBe(410);
  expect(retry.body).toMatchObject({
    code: "idempotency.response_purged",
    safeNewKey: false,
    resource: { id: paid[0]?.body["paymentId"] },
  });
  expect((await api.pay(key, "810.10")).body).toMatchObject({ code: "idempotency.payload_mismatch" });
  expect(Object.values((await providerRecord(api, stack, operationId)).requests)).toEqual([1]);

  await page.goto(`/operations/${operationId}`);
  await expect(heading(page)).toContainText("Executed once.");
  await expect(page.getByText("The body was purged. The fingerprint still tells another command apart.")).toBeVisible();
  await page.goto("/audit?action=retention.run");
  await expect(page.getByRole("table", { name: "Audit entries" })).toContainText("end of the month");
});
