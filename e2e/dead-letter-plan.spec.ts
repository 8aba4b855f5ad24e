import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test, type ApiFixture } from "./support/fixtures";
import { audited, confirmDialog, deadWebhook, heading } from "./support/steps";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * @param title of the page that was gone to. After a click Next takes the old title away some milliseconds before the new one is there, also where
 *   both say the same: axe, which looks once, would meet that moment now and then.
 */
async function flaws(page: Page, title: string): Promise<readonly string[]> {
  const axe = new AxeBuilder({ page }).withTags(RULES).disableRules(["document-title"]);
  const { violations } = await axe.analyze();
  await expect(page).toHaveTitle(`${title} · Onceboard`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
}

/** What another test left dead is nobody's business here, and what it requeued dies again in its own time. @param kept rows of the test itself */
async function settleOthers(api: ApiFixture, ...kept: readonly string[]): Promise<void> {
  await api.rows(
    `update onceboard.dead_letters set settled_at = now(), settled_by = 'an earlier test', settlement = 'requeued'
     where settled_at is null and message_row_id <> all($1::uuid[])`,
    kept,
  );
}

const settlement = async (api: ApiFixture, inboxId: string): Promise<string | null | undefined> =>
  (
    await api.rows<{ settlement: string | null }>(
      "select settlement from onceboard.dead_letters where message_row_id = $1 order by dead_at limit 1",
      inboxId,
    )
  )[0]?.settlement;

test("PLAN-1 a group becomes a plan: frozen, looked at, started, run by the worker, with an outcome per row", async ({
  page,
  api,
  signIn,
}) => {
  await settleOthers(api);
  const first = await deadWebhook(api, "81.10");
  const second = await deadWebhook(api, "81.20");
  const third = await deadWebhook(api, "81.30");
  await signIn("operator", "/dead-letters");
  await expect(heading(page)).toContainText("3 messages are dead. 3 are safe to requeue now.");
  const cause = page.getByRole("table", { name: "Causes" }).getByRole("row", { name: /webhook\.malformed/ });
  await expect(cause).toContainText("3 safe");
  await cause.getByRole("link").first().click();
  await expect(page.getByText("All 3 are safe to requeue now.")).toBeVisible();
  expect(await flaws(page, await heading(page).innerText())).toEqual([]);
  await page.getByRole("link", { name: "Plan a requeue of all 3" }).click();
  await confirmDialog(page, "Freeze 3 messages", "the provider mended its webhooks");
  await page.waitForURL(/\/plans\/[0-9a-f-]{36}$/);
  const frozen =
    "3 frozen. 3 would be requeued under the same ids. They concern €243.60. 3 are likely to die again. Nothing has acted yet.";
  await expect(heading(page)).toHaveText(frozen);
  expect(await flaws(page, frozen)).toEqual([]);
  expect(await settlement(api, first.inboxId)).toBeNull();

  // One of them is settled by somebody else before the plan runs: judged again, it is skipped.
  await api.rows(
    "update onceboard.dead_letters set settled_at = now(), settled_by = 'Dana', settlement = 'requeued' where message_row_id = $1",
    third.inboxId,
  );
  await page.getByRole("link", { name: "Start 3" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("heading")).toHaveText("Let the worker requeue 3 rows?");
  await dialog.getByRole("button", { name: "Start 3" }).dblclick();
  await expect(dialog.getByRole("status")).toContainText(/Started\./);
  await dialog.getByRole("button", { name: "Close" }).click();
  // The page follows by itself; nobody reloads it.
  await expect(heading(page)).toHaveText("2 of 3 were requeued by this plan. 1 was settled before its turn by Dana.", {
    timeout: 30_000,
  });
  const rows = page.getByRole("table", { name: "Rows of this plan" });
  const rowOf = (id: string) => rows.getByRole("row").filter({ has: page.locator(`a[href="/inbox/${id}"]`) });
  await expect(rowOf(first.inboxId)).toContainText("Requeued.");
  await expect(rowOf(second.inboxId)).toContainText("Requeued");
  await expect(rowOf(third.inboxId)).toContainText(/Dana requeued it on/);
  expect(await settlement(api, second.inboxId)).toBe("requeued");
  expect((await audited(api, first.inboxId)).map(({ action, reason }) => [action, reason])).toEqual([
    ["inbox.requeue", "the provider mended its webhooks"],
  ]);
  const [, id = ""] = /\/plans\/([0-9a-f-]{36})/.exec(page.url()) ?? [];
  expect((await audited(api, id)).map(({ action }) => action)).toEqual(["plans.create", "plans.start"]);

  await page.getByRole("link", { name: /^Changed since/ }).click();
  await expect(rows.locator("tr[data-row]")).toHaveCount(1);
  await page.goto(`/find?q=${id}`);
  await expect(page).toHaveURL(new RegExp(`/plans/${id}`));
  await page.goto("/plans");
  await expect(page.getByRole("table", { name: "Plans" }).getByRole("row").nth(1)).toContainText("Done");
  expect(await flaws(page, "Plans")).toEqual([]);
});

test("MESSAGE-4 a message is discarded with a reason, for good; selected ones become a plan that a viewer cannot make", async ({
  page,
  api,
  signIn,
}) => {
  await settleOthers(api);
  const { inboxId } = await deadWebhook(api, "82.10");
  const other = await deadWebhook(api, "82.20");
  await signIn("viewer", "/dead-letters");
  const group = page.getByRole("table", { name: "Dead letters: webhook.malformed at provider-webhook" });
  const row = group.locator(`tr[data-page="/inbox/${inboxId}"]`);
  const off = row.getByRole("button", { name: "Discard" });
  await expect(off).toBeDisabled();
  await expect(off).toHaveAttribute("title", "You can look, not act. Discard needs the role operator.");

  await signIn("operator", "/dead-letters");
  await row.getByRole("link", { name: "Discard", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("It cannot be taken back, and its body cannot be edited: neither is offered.");
  await confirmDialog(page, "Discard 1 message", "a test event of the provider");
  await expect(dialog.getByRole("status")).toContainText("1 done, 0 skipped.");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(row).toHaveCount(0);
  expect(await settlement(api, inboxId)).toBe("discarded");
  expect(await api.rows("select state from onceboard.inbox_messages where id = $1", inboxId)).toEqual([
    { state: "discarded" },
  ]);
  const [entry] = await audited(api, inboxId);
  expect(entry).toMatchObject({ action: "inbox.discard", reason: "a test event of the provider" });
  await page.getByRole("link", { name: "Include settled" }).click();
  await expect(row).toContainText(/discarded .* ago/);

  await settleOthers(api, other.inboxId);
  await page.goto("/dead-letters");
  await group.getByRole("checkbox", { name: "Select all on this page" }).check();
  const bar = page.getByRole("region", { name: "Selection" });
  await bar.getByRole("button", { name: "Plan a discard" }).click();
  await confirmDialog(page, "Freeze 1 message", "the other test event");
  await page.waitForURL(/\/plans\//);
  await expect(heading(page)).toContainText("1 frozen. 1 would be discarded, and kept on record. It concerns €82.20.");
  await page.getByRole("link", { name: "Abandon the plan" }).click();
  await confirmDialog(page, "Stop the plan", "not needed after all");
  await expect(page.getByRole("dialog").getByRole("status")).toContainText("1 row stays untouched.");
});
