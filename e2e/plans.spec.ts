import { expect, signInAs as signInOn, test } from "./support/fixtures";
import { audited, confirmDialog, heading, unknownPayment } from "./support/steps";

test("PLAN-2 unknown payments become a plan of money: a second person approves, the live worker runs it, each row has its outcome", async ({
  page,
  api,
  signIn,
  browser,
  stack,
}) => {
  const dear = await unknownPayment(api, "10000.00");
  const other = await unknownPayment(api, "91.20");
  // Nobody asks about them by itself, so that the plan is first.
  await api.rows(
    "update onceboard.idempotency_open set next_check_at = now() + interval '1 hour' where operation_id = any ($1::uuid[]) and locked_until is null",
    [dear.operationId, other.operationId],
  );
  await signIn("admin", "/operations?state=UNKNOWN_REQUIRES_RECOVERY&min=91.20");
  const list = page.getByRole("table", { name: "Operations" });
  await list.getByRole("checkbox", { name: "Select all on this page" }).check();
  await page.getByRole("button", { name: /^All .* that match$/ }).click();
  await page.getByRole("button", { name: "Plan a reconcile" }).click();
  await confirmDialog(page, "Freeze and judge", "the provider answers look-ups again");
  await page.waitForURL(/\/plans\/[0-9a-f-]{36}$/);
  const [, id = ""] = /\/plans\/([0-9a-f-]{36})/.exec(page.url()) ?? [];
  await expect(heading(page)).toContainText("A second person must approve.");
  await expect(page.getByRole("list", { name: "Frozen filter" })).toContainText("until");
  await expect(page.getByText(/You asked for it/).first()).toBeVisible();
  await expect(page.getByRole("button", { name: /^Approve and run/ })).toBeDisabled();

  const second = await browser.newContext({ baseURL: stack.baseUrl });
  const noor = await second.newPage();
  await signInOn(noor, "approver", "/approvals");
  await expect(heading(noor)).toContainText("for a second person");
  const box = noor
    .getByRole("region", { name: /^Reconcile operations/ })
    .filter({ has: noor.locator(`a[href="/plans/${id}"]`) });
  await expect(box).toContainText("€10,000.00");
  await box.getByRole("link", { name: /^Approve and run/ }).click();
  await noor
    .getByRole("dialog")
    .getByRole("button", { name: /^Approve and run/ })
    .click();
  await expect(noor.getByRole("dialog").getByRole("status")).toContainText("Started.");
  await second.close();

  // The page of whoever asked follows by itself.
  await expect(heading(page)).toContainText(/became certain/, { timeout: 30_000 });
  const rows = page.getByRole("table", { name: "Rows of this plan" });
  const rowOf = (operationId: string) =>
    rows.getByRole("row").filter({ has: page.locator(`a[href="/operations/${operationId}"]`) });
  await expect(rowOf(dear.operationId)).toContainText("Settled: it succeeded.");
  await expect(rowOf(other.operationId)).toContainText("Succeeded");
  await expect(page.getByText(/frozen = .* settled as succeeded/)).toBeVisible();
  expect((await audited(api, id)).map(({ action }) => action)).toEqual(["plans.create", "plans.decide"]);
  expect((await audited(api, dear.operationId)).map(({ action }) => action)).toEqual(["operations.reconcile"]);
});
