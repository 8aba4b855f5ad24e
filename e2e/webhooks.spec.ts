import { expect, test } from "./support/fixtures";
import { heading, newIdempotencyKey } from "./support/steps";

test("an admin adds an endpoint, sees its secret once, rotates it, rests it and deletes it; a viewer looks", async ({
  page,
  api,
  signIn,
}) => {
  const url = `https://hooks.shop.example/${newIdempotencyKey("hook")}`;
  const row = page.getByRole("row").filter({ has: page.getByTitle(url) });
  const dialog = page.getByRole("dialog");

  const leave = async (name: "Close" | "Cancel"): Promise<void> => {
    await dialog.getByRole("button", { name }).click();
    await expect(dialog).toBeHidden();
  };

  await signIn("admin", "/settings");
  await page.getByRole("link", { name: "Webhook endpoints" }).click();
  await page.getByRole("link", { name: "Add an endpoint" }).click();
  await dialog.getByLabel("Address, https only").fill("https://169.254.169.254/latest");
  await dialog.getByRole("button", { name: "Add 1 endpoint" }).click();
  await expect(dialog).toContainText("Its address is not on the open internet.");
  await leave("Cancel");

  await page.getByRole("link", { name: "Add an endpoint" }).click();
  await dialog.getByLabel("Address, https only").fill(url);
  await dialog.getByLabel("account.opened").uncheck();
  await dialog.getByRole("button", { name: "Add 1 endpoint" }).dblclick();
  const secret = dialog.getByText(/^whsec_/);
  await expect(secret).toBeVisible();
  const first = await secret.textContent();
  await leave("Close");
  await expect(row).toContainText("payment.succeeded");
  await expect(row).not.toContainText("account.opened");
  expect(await api.rows("select 1 from onceboard.webhook_endpoints where url = $1", url)).toHaveLength(1);
  await page.reload();
  await expect(page.getByText("whsec_")).toHaveCount(0);

  await row.getByRole("link", { name: "Rotate secret" }).click();
  await dialog.getByLabel("Reason, kept in the audit").fill("somebody left");
  await dialog.getByRole("button", { name: "Rotate 1 secret" }).click();
  await expect(secret).toBeVisible();
  expect(await secret.textContent()).not.toBe(first);
  await leave("Close");
  await expect(row).toContainText("2 secrets are valid");

  await row.getByRole("link", { name: "Disable" }).click();
  await dialog.getByLabel("Reason, kept in the audit").fill("they move house");
  await dialog.getByRole("button", { name: "Disable 1 endpoint" }).click();
  await leave("Close");
  await expect(row).toContainText("they move house");
  await expect(heading(page)).toContainText("disabled.");

  await signIn("viewer", "/settings/webhooks");
  await expect(row).toContainText("they move house");
  await expect(page.getByText("You can look, not act. Making a webhook endpoint")).toBeVisible();
  await expect(page.getByRole("link", { name: "Delete" })).toHaveCount(0);

  await signIn("admin", "/settings/webhooks");
  await row.getByRole("link", { name: "Delete" }).click();
  await dialog.getByLabel("Reason, kept in the audit").fill("they closed");
  await dialog.getByRole("button", { name: "Delete 1 endpoint" }).click();
  await expect(dialog).toContainText("It is deleted.");
  await leave("Close");
  await expect(row).toHaveCount(0);
});
