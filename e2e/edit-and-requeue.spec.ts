import type { Page } from "@playwright/test";
import { expect, test } from "./support/fixtures";
import { refusedMessage } from "./support/refused-message";
import { audited, confirmDialog, heading } from "./support/steps";

async function width(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

test("CORRECT-3 a person corrects a refused message, another approves it, and a new message names the old one", async ({
  page,
  api,
  signIn,
}) => {
  const id = await refusedMessage(api);
  await signIn("operator", `/outbox/${id}`);
  await page.getByRole("link", { name: "Edit and requeue…" }).click();
  await expect(heading(page)).toContainText("The only attempt was refused (delivery.http_422).");
  await page.getByLabel("Reason, kept in the audit").fill("the shop wants the amount as a text");
  await page.getByRole("button", { name: "Show and edit the body" }).click();
  const body = page.getByLabel("Corrected body, JSON");
  await expect(body).toHaveValue(/120\.50/);
  const ask = page.getByRole("button", { name: "Ask for approval" });
  await expect(ask).toBeDisabled();
  const first = await body.inputValue();
  await body.fill(first.replace("}", ""));
  await expect(page.getByText(/This is not valid JSON/)).toBeVisible();
  await body.fill(first.replace("120.50", '"120.50"'));
  const difference = page.getByRole("table", { name: "Difference, field by field" });
  await expect(difference.getByRole("row").nth(1)).toContainText(/amount.*Changed.*120\.50.*"120\.50"/);
  // On a phone nothing of it is wider than the screen.
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await width(page)).toBe(0);
  await expect(difference.getByText("Before", { exact: true }).last()).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  await ask.click();
  await page.waitForURL(/\/plans\/[0-9a-f-]{36}$/);
  await expect(heading(page)).toContainText("A second person must approve.");
  await expect(page.getByRole("button", { name: "Approve and queue" })).toBeDisabled();
  const plan = /[0-9a-f-]{36}$/.exec(page.url())?.[0] ?? "";

  await signIn("approver", "/approvals");
  await expect(page.getByRole("main")).toContainText("Edit and requeue, 1 row");
  await page.goto(`/plans/${plan}`);
  await expect(page.getByRole("table", { name: "Changed fields, without values" })).toContainText("amount");
  await expect(page.getByRole("main")).not.toContainText("120.50");
  await page.getByRole("link", { name: "Show values" }).click();
  await confirmDialog(page, "Show values", "to judge the correction");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("row").nth(1)).toContainText(/120\.50.*"120\.50"/);
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.getByRole("link", { name: "Approve and queue" }).click();
  await dialog.getByRole("button", { name: "Approve and queue" }).click();
  await expect(dialog.getByRole("status")).toContainText("A new message took its place.");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(heading(page)).toContainText("The row was corrected.");

  await signIn("operator", `/outbox/${id}`);
  await expect(heading(page)).toHaveText("Corrected by a person. Another message took its place.");
  await expect(page.getByRole("main")).toContainText("It was corrected");
  const [sent] = await api.rows<{ id: string; payload: { amount: string; id: string } }>(
    `select id, payload from onceboard.outbox_messages where headers ->> 'corrects' = $1
     union all select id, payload from onceboard.outbox_history where headers ->> 'corrects' = $1`,
    id,
  );
  expect(sent?.payload).toMatchObject({ amount: "120.50", id: sent?.id });
  await page
    .locator(`a[href="/outbox/${sent?.id ?? ""}"]`)
    .first()
    .click();
  await page.waitForURL(new RegExp(`/outbox/${sent?.id ?? ""}`));
  await expect(page.locator(`a[href="/outbox/${id}"]`).first()).toBeVisible();
  expect((await audited(api, id)).map(({ action }) => action)).toEqual([
    "bodies.reveal",
    "outbox.correct",
    "outbox.correct",
  ]);
});
