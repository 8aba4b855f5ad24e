import { expect, test } from "./support/fixtures";
import {
  audited,
  confirmDialog,
  heading,
  newIdempotencyKey,
  onlyForPeople,
  operationOf,
  providerRecord,
  unknownPayment,
} from "./support/steps";

test("ATTENTION-2 what nobody knows is asked for by a person, settled, and goes on to the ledger", async ({
  page,
  api,
  stack,
  signIn,
}) => {
  const { operationId, key } = await unknownPayment(api, "734.23");
  // Nobody runs it again meanwhile.
  const retry = await api.pay(key, "734.23");
  expect(retry.body).toMatchObject({ code: "idempotency.outcome_unknown" });
  expect(retry.headers.get("retry-after")).not.toBeNull();

  await signIn("operator", "/attention");
  await expect(heading(page)).toContainText(/may have moved money\..*in doubt/s);
  const row = page.locator("tr[data-row]").filter({ hasText: "€734.23" });
  await expect(row).toContainText("Unknown");
  await row.getByRole("link", { name: "Reconcile", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading")).toContainText("1 payment of €734.23");
  await expect(dialog).toContainText("Nothing is charged, refunded or voided.");
  await confirmDialog(page, "Ask about 1 operation", "the provider is back");
  await expect(dialog.getByRole("status")).toContainText("Done.");
  await expect(dialog.getByRole("status")).toContainText("1 done, 0 skipped.");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toHaveCount(0);

  await page.goto(`/operations/${operationId}?open=events`);
  await expect(page.getByRole("table", { name: "Events" })).toContainText("reconciled");
  await expect(heading(page)).toContainText("Executed once.");
  await expect(heading(page)).toContainText("Ledger posted.");
  await expect(page.getByRole("table", { name: "Audit entries" })).toContainText("the provider is back");
  const { entries, requests } = await providerRecord(api, stack, operationId);
  expect(entries.map(({ status }) => status)).toEqual(["succeeded"]);
  expect(Object.values(requests)).toEqual([1]);

  await page.getByRole("link", { name: "In the audit" }).click();
  await page.getByRole("link", { name: /^Reconcile by/ }).click();
  await expect(page.getByText(": Reconcile")).toBeVisible();
  await expect(page.getByRole("deletion").filter({ hasText: "UNKNOWN_REQUIRES_RECOVERY" })).toBeVisible();
  await expect(page.getByRole("insertion").filter({ hasText: "COMPLETED" })).toBeVisible();

  const settled = await api.pay(key, "734.23");
  expect(settled.status).toBe(201);
  expect(settled.headers.get("idempotent-replayed")).toBe("true");
});

test("ATTENTION-3 what the provider never makes final is settled by hand, with evidence; retries get that answer", async ({
  page,
  api,
  stack,
  signIn,
}) => {
  await api.faults({ processing: 1, no_webhook: 1 });
  const key = newIdempotencyKey("by-hand");
  const answer = await api.pay(key, "911.40");
  const operationId = operationOf(answer);
  const asked = () =>
    api.rows(
      "select 1 from onceboard.provider_requests where operation_id = $1 and kind = 'lookup' and outcome = 'processing'",
      operationId,
    );
  await expect
    .poll(async () => {
      await api.rows(
        "update onceboard.idempotency_open set next_check_at = now() where operation_id = $1 and next_check_at > now()",
        operationId,
      );
      return (await asked()).length;
    })
    .toBeGreaterThan(0);
  await onlyForPeople(api, operationId);

  await signIn("operator", `/operations/${operationId}`);
  await expect(heading(page)).toContainText("Outcome unknown");
  const box = page.getByRole("region", { name: "Evidence and decision" });
  await expect(box.getByRole("table", { name: "Evidence" })).toContainText("processing");
  await expect(box).toContainText("Leans to nothing yet.");
  await box.getByRole("radio", { name: "It succeeded" }).check();
  await expect(box.getByRole("checkbox", { name: /Provider look-up/ })).toBeChecked();
  await box.getByLabel("Reason, kept in the audit").fill("It is on the provider's statement of today.");
  await box.getByRole("button", { name: "Settle: it succeeded" }).click();
  await expect(heading(page)).toContainText(
    "Settled by hand as succeeded on this evidence: provider look-up; the provider has not confirmed it.",
  );
  await expect(heading(page)).toContainText("Ledger posted.");

  const [entry, ...others] = await audited(api, operationId);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    action: "operations.resolve",
    reason: "It is on the provider's statement of today.",
    before: { state: "UNKNOWN_REQUIRES_RECOVERY" },
    after: { state: "COMPLETED" },
  });
  const retries = [await api.pay(key, "911.40"), await api.pay(key, "911.40")];
  expect(retries.map(({ status }) => status)).toEqual([201, 201]);
  expect(retries[1]?.text).toBe(retries[0]?.text);
  expect(retries[0]?.headers.get("idempotent-replayed")).toBe("true");
  expect((await providerRecord(api, stack, operationId)).entries).toHaveLength(1);
});
