import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { brandur } from "@/attach/presets/brandur";
import { BRANDUR_TABLES, insertBrandurRows } from "@/attach/presets/brandur/fixtures";
import { cap } from "@/attach/presets/cap";
import { CAP_TABLES, insertCapRows } from "@/attach/presets/cap/fixtures";
import { createForeignDatabase, type ForeignDatabase } from "@/attach/testing/foreign-database";
import { constantsOf } from "@/attach/testing/libraries";
import { attachDatabase } from "@/console/testing/attached";
import type { Database } from "@/db/client";
import { createBodyKeyring } from "@/engine/bodies/body-keyring";
import { expect, test, type ApiFixture } from "../support/fixtures";
import { flaws } from "../support/flaws";
import { E2E_TENANT, heading, openTool } from "../support/steps";
import type { StackInfo } from "../support/stack-info";

/** More than a page has. */
const SENT = 60;
const WIDE = 1_440;
const MIDDLE = 1_024;
const PHONE = 390;
const HEIGHT = 900;

const databases: ForeignDatabase[] = [];

async function attached(database: Database, stack: StackInfo, name: string, foreign: ForeignDatabase): Promise<void> {
  databases.push(foreign);
  const keyring = createBodyKeyring({ db: database, encryptionKeys: stack.encryptionKeys, secret: "of a test" });
  await attachDatabase({ db: database, keyring, tenantId: E2E_TENANT }, name, foreign.url);
}

async function removed(api: ApiFixture): Promise<void> {
  await api.rows("update onceboard.attachments set removed_at = now(), sealed = null where removed_at is null");
  await Promise.all(databases.splice(0).map((each) => each.drop()));
}

async function withSources(database: Database, stack: StackInfo): Promise<ForeignDatabase> {
  const orders = await createForeignDatabase(CAP_TABLES);
  await insertCapRows(orders, "UTC");
  await orders.run(
    `insert into cap.published select 1000 + n, 'v1', 'orders.shipped', '{}', 0, now() at time zone 'UTC', null, 'Succeeded' from generate_series(1, ${String(SENT)}) n`,
  );
  await orders.install(cap, { time_zone: "UTC" });
  await attached(database, stack, "orders-db", orders);
  const keys = await createForeignDatabase(BRANDUR_TABLES);
  await insertBrandurRows(keys);
  await keys.install(brandur, constantsOf(brandur));
  await attached(database, stack, "keys-db", keys);
  return orders;
}

/** Pictures for who looks, where SHOTS names a folder. */
async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env["SHOTS"];
  if (folder === undefined) return;
  for (const width of [WIDE, MIDDLE, PHONE])
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: HEIGHT });
      await page.screenshot({ path: `${folder}/${name}-${String(width)}-${colorScheme}.png`, fullPage: true });
    }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: WIDE, height: HEIGHT });
}

test("an attached database is a source with pages of its own", async ({ page, api, stack, database, signIn }) => {
  // A whole story, whose counts wait for a turn of the worker.
  test.setTimeout(480_000);
  await page.setViewportSize({ width: WIDE, height: HEIGHT });
  const orders = await withSources(database, stack);
  try {
    await signIn("admin", "/outbox");
    const banner = page.getByRole("banner");
    await banner.getByRole("button", { name: "Tenant acme" }).click();
    await shot(page, "switch");
    await page.getByRole("link", { name: "acme · orders-db" }).click();
    await expect(page).toHaveURL("/sources/orders-db");
    await expect(banner).toContainText("acme · orders-db");
    const tabs = page.getByRole("navigation", { name: "Pages of orders-db" });
    await expect(tabs.getByRole("link")).toHaveText(["Overview", "Outbox", "Inbox", "Dead letters", "Retention"]);
    // The worker counts it within half a minute or so.
    await expect(async () => {
      await page.reload();
      await expect(heading(page)).toHaveText("2 rows are dead, when last counted.", { timeout: 1_000 });
    }).toPass({ timeout: 120_000 });
    await expect(page.getByRole("figure")).toHaveCount(3);
    await shot(page, "overview");

    await tabs.getByRole("link", { name: "Outbox" }).click();
    await expect(heading(page)).toHaveText("The newest 50 messages.");
    const list = page.getByRole("table", { name: "Outbox of orders-db" });
    await expect(list.getByRole("row")).toHaveCount(51);
    await expect(list.getByRole("columnheader", { name: "Sent at" })).toHaveCount(0);
    const columns = page.getByRole("table", { name: "Columns of this list" });
    await expect(columns.getByRole("row").filter({ hasText: "Sent at" })).toContainText(
      "CAP does not write when a message was sent.",
    );
    await shot(page, "outbox");
    await page.getByRole("link", { name: "Older" }).click();
    await expect(heading(page)).toContainText("17 messages from further down the list. 1 of them is dead.");
    await page.getByRole("link", { name: "Newer" }).click();
    await expect(heading(page)).toHaveText("The newest 50 messages.");
    await page.getByRole("navigation", { name: "State" }).getByRole("link", { name: "Retrying" }).click();
    await expect(heading(page)).toContainText("1 message in all, of the state “retrying”.");

    await page.goto("/find?q=out:104");
    const found = page.getByRole("table", { name: "Found in attached databases" });
    await expect(found.getByRole("row").filter({ hasText: "Outbox" })).toContainText("orders.paid, out:104");

    await page.goto("/sources/orders-db");
    await tabs.getByRole("link", { name: "Dead letters" }).click();
    await expect(page.getByRole("table", { name: "Errors" })).toContainText("JsonException");
    await list
      .or(page.getByRole("table", { name: "Dead letters of orders-db" }))
      .getByRole("link", { name: "orders.paid" })
      .first()
      .click();
    await expect(page.getByRole("heading", { name: /^(out|in):104$/ })).toBeVisible();
    await expect(page.getByText("not stored: CAP promises no order, and keeps no key of one.")).toBeVisible();
    await shot(page, "dead-letters");
    await page.getByRole("link", { name: "Requeue" }).first().click();
    await expect(page.getByRole("dialog")).toContainText("Requeue 1 row of orders-db?");
    await shot(page, "requeue");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason, kept in the audit").fill("the consumer is back");
    await dialog.getByRole("button", { name: "Requeue 1 row" }).click();
    await expect(dialog).toContainText("It is requeued.");
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(page.getByRole("table", { name: "Dead letters of orders-db" }).getByRole("row")).toHaveCount(2);
    expect(
      await orders.run(`select 1 from cap.published where "Retries" = 0 and "StatusName" = 'Failed'`),
    ).toHaveLength(1);

    await page.getByRole("link", { name: "Plan to requeue the dead rows" }).click();
    await expect(dialog.getByLabel("Type, of those on this page")).toBeVisible();
    await dialog.getByLabel("Reason, kept in the audit").fill("the consumer is back");
    await dialog.getByRole("button", { name: "Freeze and judge" }).click();
    await expect(page).toHaveURL(/\/plans\//);
    await expect(page.getByRole("table", { name: "Verdicts of the dry run" })).toContainText("Dead in its database");
    await expect(page.getByText("Requeue in an attached database: the newest dead rows.")).toBeVisible();
    await page.getByRole("link", { name: "Start 1", exact: true }).click();
    await dialog.getByRole("button", { name: /^Start/ }).click();
    await expect(page.getByText("Requeued: dead, now retrying.")).toBeVisible();
    await shot(page, "plan");

    await page.goto("/sources/keys-db/operations");
    await expect(page.getByText("These tables do not keep refused commands or replays")).toBeVisible();
    await expect(page.getByRole("table", { name: "Operations of keys-db" }).getByRole("row")).toHaveCount(6);
    await shot(page, "operations");
    await page.goto("/sources/orders-db/retention");
    await expect(heading(page)).toHaveText(/of 3 lists/);
    await shot(page, "retention");
    await orders.run(
      `insert into cap.published values (990001, 'v1', 'old', '{}', 0, '2020-01-01', '2020-01-16', 'Succeeded')`,
    );
    await page.getByRole("link", { name: "Purge finished rows" }).click();
    await expect(dialog).toContainText("Plan to purge finished rows of orders-db, and look at each verdict first?");
    await dialog.getByLabel("Older than, UTC").fill("2021-01-01T00:00:00Z");
    await dialog.getByLabel("Reason, kept in the audit").fill("the table is long");
    await shot(page, "purge");
    await dialog.getByRole("button", { name: "Freeze and judge" }).click();
    await expect(page).toHaveURL(/\/plans\//);
    await expect(page.getByText("Deleted by the function of its owner, no more rows than were counted")).toBeVisible();
    await expect(
      page.getByText("Not counted again for this page: the function decides when a batch runs."),
    ).toBeVisible();
    await page.getByRole("link", { name: "Start 1", exact: true }).click();
    await dialog.getByRole("button", { name: /^Start/ }).click();
    await expect(page.getByText("The function deleted 1 row.")).toBeVisible();
    await shot(page, "purged");
    expect(await orders.run(`select 1 from cap.published where "Id" = 990001`)).toHaveLength(0);

    await page.goto("/sources/keys-db/outbox");
    await expect(heading(page)).toContainText("Not found");
    await page.goto("/sources/orders-db/outbox?cursor=none");
    await expect(page.getByText(/names no place in this list/)).toBeVisible();

    databases.splice(databases.indexOf(orders), 1);
    await orders.drop();
    await page.goto("/sources/orders-db/outbox");
    await expect(page.getByText("The attached database cannot be reached.")).toBeVisible();
    await shot(page, "away");
  } finally {
    await removed(api);
  }
});

test("a list of an attached database is followed, saved as a view and taken along, and says what is in flight", async ({
  page,
  api,
  stack,
  database,
  signIn,
}) => {
  test.setTimeout(480_000);
  await page.setViewportSize({ width: WIDE, height: HEIGHT });
  const orders = await withSources(database, stack);
  try {
    await signIn("operator", "/sources/orders-db/outbox");
    const list = page.getByRole("table", { name: "Outbox of orders-db" });
    await expect(list.getByRole("row")).toHaveCount(51);
    await expect(page.getByText("No newer message above these when its database was last asked.")).toBeVisible({
      timeout: 60_000,
    });
    await orders.run(
      `insert into cap.published select 9000 + n, 'v1', 'orders.late', '{}', 0, now() at time zone 'UTC', null, 'Succeeded' from generate_series(1, 3) n`,
    );
    const newer = page.getByRole("button", { name: "3 newer messages. Show" });
    await expect(newer).toBeVisible({ timeout: 60_000 });
    // They wait: nothing moved under the pointer.
    const late = list.getByRole("link", { name: "orders.late" });
    await expect(late).toHaveCount(0);
    await shot(page, "newer");
    await newer.click();
    await expect(late).toHaveCount(3);
    await expect(newer).toHaveCount(0);

    await page.getByRole("navigation", { name: "State" }).getByRole("link", { name: "Dead" }).click();
    await expect(page.getByText("Newer rows are watched for on the first page of all states.")).toBeVisible();
    await openTool(page, "Views");
    await page.getByRole("link", { name: "Save as a new view" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Dead here");
    await dialog.getByRole("button", { name: "Save 1 view" }).click();
    await expect(page).toHaveURL(/\/sources\/orders-db\/outbox\?state=dead&view=/);
    await openTool(page, "Views");
    await expect(page.getByRole("link", { name: "Dead here" })).toHaveAttribute("aria-current", "true");
    await shot(page, "views");
    await page.keyboard.press("Escape");

    await openTool(page, "Export");
    const panel = page.getByRole("group", { name: "Export", exact: true });
    const downloading = page.waitForEvent("download");
    await panel.getByRole("link", { name: "CSV", exact: true }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/^orders-db-outbox-acme-\d{8}T\d{6}Z\.csv$/);
    const text = await readFile(await download.path(), "utf8");
    expect(text).toContain("sent_at (not stored: CAP does not write when a message was sent.)");
    expect(text).toContain("out:104,dead,");
    await expect(panel.getByRole("status")).toContainText("csv: 1 row, whole");
    await shot(page, "export");

    // The lock that is held would run out while all of this was looked at.
    await databases.at(-1)?.run("update idempotency_keys set locked_at = now() where id = 5");
    await page.goto("/sources/keys-db");
    const tabs = page.getByRole("navigation", { name: "Pages of keys-db" });
    await expect(tabs.getByRole("link")).toHaveText(["Overview", "Operations", "In flight", "Retention"]);
    await tabs.getByRole("link", { name: "In flight" }).click();
    await expect(heading(page)).toHaveText("2 rows are in flight. 1 lock is stale.");
    const flying = page.getByRole("table", { name: "Operations: in flight" });
    await expect(flying.getByRole("row").nth(1)).toContainText("Stale lock");
    await expect(flying.getByRole("row").nth(2)).toContainText("Locked");
    await expect(page.getByRole("table", { name: "Operations: how that is known" })).toContainText("– Not stored");
    await shot(page, "in-flight");
    await page.goto("/sources/orders-db/in-flight");
    await expect(heading(page)).toContainText("Not found");
  } finally {
    await removed(api);
  }
});

test("pages of an attached database, light and dark, wide and on the phone", async ({
  page,
  api,
  stack,
  database,
  signIn,
}) => {
  test.setTimeout(600_000);
  await withSources(database, stack);
  try {
    await signIn("viewer", "/sources/orders-db");
    const found: string[] = [];
    const paths = ["", "/outbox", "/inbox", "/dead-letters", "/retention"].map((each) => `/sources/orders-db${each}`);
    for (const [index, path] of [
      ...paths,
      "/sources/keys-db",
      "/sources/keys-db/operations",
      "/sources/keys-db/in-flight",
    ].entries())
      found.push(
        ...(await flaws(page, path, index % 2 === 0 ? [PHONE, MIDDLE, WIDE] : [WIDE, MIDDLE, PHONE], [
          Math.floor(index / 2) % 2 === 0 ? "light" : "dark",
        ])),
      );
    expect(found).toEqual([]);
  } finally {
    await removed(api);
  }
});
