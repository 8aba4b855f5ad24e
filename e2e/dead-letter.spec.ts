import { expect, test } from "./support/fixtures";
import { audited, confirmDialog, deadWebhook, heading } from "./support/steps";

test("dead messages are grouped by cause, and requeued with a verdict and a reason", async ({ page, api, signIn }) => {
  const { inboxId, operationId } = await deadWebhook(api, "71.10");
  await deadWebhook(api, "71.20");
  await signIn("operator", "/dead-letters");
  await expect(heading(page)).toContainText(/\d+ messages? (?:is|are) dead\./);
  await expect(heading(page)).toContainText("Dead messages are kept until someone requeues them.");
  await expect(
    page.getByRole("heading", { level: 2 }).filter({ hasText: /[2-9]\d* × webhook\.malformed/ }),
  ).toHaveCount(1);
  const group = page.getByRole("table", { name: "Dead letters: webhook.malformed at provider-webhook" });
  const row = group.locator(`tr[data-page="/inbox/${inboxId}"]`);
  await expect(row).toContainText("charge.succeeded");
  await row.getByRole("link", { name: "Requeue", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading")).toHaveText("Requeue 1 message, and let provider-webhook handle it again?");
  await expect(dialog).toContainText("Safe. The handler adds only what is missing.");
  await confirmDialog(page, "Requeue 1 message", "the provider mended its webhooks");
  await expect(dialog.getByRole("status")).toContainText("Done.");
  await expect(dialog.getByRole("status")).toContainText("1 done, 0 skipped.");

  const [entry, ...others] = await audited(api, inboxId);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    action: "inbox.requeue",
    reason: "the provider mended its webhooks",
    before: { state: "dead", errorCode: "webhook.malformed" },
    after: { state: "recorded", affected: 1 },
  });
  expect(
    await api.rows(
      "select settled_by as requeued_by from onceboard.dead_letters where message_row_id = $1 and settled_at is not null",
      inboxId,
    ),
  ).toHaveLength(1);
  await page.goto(`/audit?subjectId=${inboxId}`);
  await page.getByRole("link", { name: /^Requeue in the inbox by/ }).click();
  await expect(page.getByText(": Requeue in the inbox")).toBeVisible();
  await page.goto(`/inbox/${inboxId}`);
  await expect(page.getByText("webhook.malformed").first()).toBeVisible();
  // The payment that it was about never depended on it.
  await page.goto(`/operations/${operationId}`);
  await expect(heading(page)).toContainText("Executed once.");
});
