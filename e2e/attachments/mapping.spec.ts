import type { Locator, Page } from "@playwright/test";
import { createForeignDatabase, type ForeignDatabase } from "@/attach/testing/foreign-database";
import { expect, test } from "../support/fixtures";
import { confirmDialog, heading } from "../support/steps";
import { looksRight } from "./looks-right";

/** Axe looks at the form twice, and each choice is a look at a database. */
const TIMEOUT_MS = 300_000;

/** Names that no preset and no guess knows: whoever made the table says what is what. */
const OUTBOX = `
  create table public.news (
    no bigint generated always as identity primary key, kind text not null, about text, body jsonb not null, step text not null,
    tries integer not null default 0, why text, told timestamptz, written timestamptz not null default now());
  insert into public.news (kind, about, body, step, tries, why, told, written)
    select 'order.placed', 'order-' || n, '{"secret":"of-a-body"}', case when n % 6 = 0 then 'lost' when n % 6 = 1 then 'again' else 'told' end,
           case when n % 6 = 0 then 5 when n % 6 = 1 then 2 else 1 end, case when n % 6 < 2 then 'the broker said no' end,
           case when n % 6 > 1 then now() end, now() - n * interval '1 minute'
      from generate_series(1, 30) as n;
  create table public.remarks (nr bigint primary key, remark text);`;

const INBOX = `
  create table public.arrivals (
    ref uuid primary key, wording text not null, taker text not null, came timestamp not null, dealt timestamp, goes smallint not null, oops text);
  insert into public.arrivals
    select gen_random_uuid(), 'parcel.scanned', 'stock', now() at time zone 'UTC' - n * interval '1 minute',
           case when n > 3 then now() at time zone 'UTC' end, case when n = 1 then 3 else 1 end, case when n = 1 then 'no such parcel' end
      from generate_series(1, 30) as n;`;

const choose = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, column] of Object.entries(fields))
    await page.getByRole("combobox", { name, exact: true }).selectOption(column);
};

/** What somebody types counts once the field is left. */
const write = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, text] of Object.entries(fields)) {
    const field = page.getByRole("textbox", { name, exact: true });
    await field.fill(text);
    await field.blur();
  }
};

async function look(page: Page, theirs: ForeignDatabase, table: string, kind: "outbox" | "inbox"): Promise<void> {
  await page.goto("/settings/attachments/new");
  await page.getByLabel("Address").fill(theirs.url);
  await page.getByRole("button", { name: /^Look/ }).click();
  await expect(heading(page)).toContainText("No known shape among");
  await page.getByText("Map another table by hand").click();
  await page.getByLabel("Table to map by hand").selectOption(table);
  await page.getByRole("button", { name: "Map it" }).click();
  await expect(heading(page)).toContainText(`Nothing can be made of ${table} yet.`);
  await choose(page, { "This table holds": kind });
  await expect(heading(page)).toContainText(`${table} is mapped by hand.`);
}

/** Runs the steps as a database administrator does, checks again and attaches. */
async function installAndAttach(page: Page, theirs: ForeignDatabase, name: string): Promise<void> {
  const step = (label: string) => page.getByRole("region", { name: label }).textContent();
  await theirs.run((await step("Step 1: look")) ?? "");
  await theirs.run((await step("Step 2: index")) ?? "");
  await theirs.run((await step("Step 3: act")) ?? "");
  await page.getByRole("button", { name: "Check again" }).click();
  await expect(heading(page)).not.toContainText("Not installed yet.");
  await page.getByLabel("Name, in addresses and menus").fill(name);
  const attach = page.getByRole("button", { name: "Attach", exact: true });
  await expect(attach).toBeEnabled();
  await attach.click();
  await page.waitForURL(/\/settings\/attachments$/);
  await expect(page.getByRole("row").filter({ hasText: name })).toContainText("Answers");
}

const fact = (page: Page, list: string, name: string) =>
  page
    .getByRole("table", { name: `What can be shown: ${list}` })
    .getByRole("row")
    .filter({ has: page.getByRole("cell", { name, exact: true }) });

test.afterEach(async ({ api }) => {
  await api.rows("update onceboard.attachments set removed_at = now(), sealed = null where removed_at is null");
});

test("an admin maps an outbox by hand, attaches it, and requeues a dead message", async ({ page, stack, signIn }) => {
  test.setTimeout(TIMEOUT_MS);
  const theirs = await createForeignDatabase(OUTBOX, stack.databaseUrl);
  await theirs.run(`grant select on all tables in schema public to ${theirs.role}`);
  try {
    await signIn("admin", "/settings");
    await look(page, theirs, "public.news", "outbox");
    const preview = page.getByRole("table", { name: "Preview: Outbox" });
    await expect(preview.getByRole("row")).toHaveCount(11);
    await expect(preview).toContainText("State not known");
    await expect(fact(page, "Outbox", "Type")).toContainText("Not stored");

    await choose(page, { Row: "no", Type: "kind", "Ordering key": "about", Payload: "body", Attempts: "tries" });
    await choose(page, {
      "Last error": "why",
      "When it was sent or handled": "told",
      "Created or received": "written",
    });
    await expect(fact(page, "Outbox", "Type")).toContainText("Yes");
    await expect(preview).toContainText("order.placed");
    // Nothing of it lies over what is installed.
    const right = async (it: Locator) => it.evaluate((element) => element.getBoundingClientRect().right);
    expect(await right(preview)).toBeLessThanOrEqual(
      (await right(page.getByRole("region", { name: "Preview: Outbox" }))) + 1,
    );
    await choose(page, { Status: "step" });
    await write(page, { "Sent or handled, values of the status": "told", "Retrying, values of the status": "again" });
    await write(page, { "Waiting, values of the status": "fresh", "Dead, values of the status": "lost, given-up" });
    const requeue = page.getByRole("listitem").filter({ hasText: "Requeue: not offered" });
    await expect(requeue).toContainText("The status of a waiting message was not given letter by letter");
    await write(page, { "Status of a message that is requeued": "fresh" });
    await expect(page.getByText("Requeue: offered")).toBeVisible();
    for (const state of ["Sent", "Retrying", "Dead"]) await expect(preview).toContainText(state);
    await expect(page.getByRole("table", { name: "Preview: Dead letters" }).getByRole("row")).toHaveCount(6);
    expect(await page.content()).not.toContain("of-a-body");
    await looksRight(page, "map-outbox");

    // A column that cannot be it says so, and nothing else is lost.
    await choose(page, { "Next try": "kind" });
    await expect(page.getByText("kind is text, which cannot be the available_at of a message.")).toBeVisible();
    await choose(page, { "Next try": "" });
    await expect(preview.getByRole("row")).toHaveCount(11);

    await installAndAttach(page, theirs, "news-db");
    await page.goto("/sources/news-db/outbox");
    await expect(heading(page)).toContainText(
      "30 messages in all. 5 of them are dead. 5 failed before and are retried.",
    );
    const list = page.getByRole("table", { name: "Outbox of news-db" });
    await expect(list.getByRole("row").filter({ hasText: "out:30" })).toContainText("order.placed");
    await page.goto("/sources/news-db/dead-letters");
    const dead = page.getByRole("table", { name: "Dead letters of news-db" });
    await expect(dead.getByRole("row")).toHaveCount(6);
    await dead.getByRole("row").filter({ hasText: "out:30" }).getByRole("link", { name: "Requeue" }).click();
    const dialog = await confirmDialog(page, "Requeue 1 row", "the broker is back");
    await expect(dialog).toContainText("It is requeued.");
    expect(await theirs.run("select step, tries, told from news where no = 30")).toEqual([
      { step: "fresh", tries: 0, told: null },
    ]);
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(dead.getByRole("row")).toHaveCount(5);
  } finally {
    await theirs.drop();
  }
});

test("an admin maps an inbox by hand, says its zone and most attempts, and discards a dead message", async ({
  page,
  stack,
  signIn,
}) => {
  test.setTimeout(TIMEOUT_MS);
  const theirs = await createForeignDatabase(INBOX, stack.databaseUrl);
  await theirs.run(`grant select on all tables in schema public to ${theirs.role}`);
  try {
    await signIn("admin", "/settings");
    await look(page, theirs, "public.arrivals", "inbox");
    await choose(page, { Row: "ref", "Message id": "ref", Type: "wording", Consumer: "taker", Attempts: "goes" });
    await choose(page, { "Created or received": "came", "When it was sent or handled": "dealt", "Last error": "oops" });
    await write(page, { "or as a number": "3" });
    await expect(page.getByText("Not shown: say time_zone first.").first()).toBeVisible();
    await expect(page.getByRole("region", { name: "Step 1: look" })).toHaveCount(0);
    await page.getByLabel("time_zone").fill("UTC");
    await page.getByRole("button", { name: "Use these" }).click();
    const preview = page.getByRole("table", { name: "Preview: Inbox" });
    await expect(preview.getByRole("row")).toHaveCount(11);
    await expect(preview).toContainText("parcel.scanned");
    await expect(page.getByRole("table", { name: "Preview: Dead letters" }).getByRole("row")).toHaveCount(2);
    await looksRight(page, "map-inbox");

    await installAndAttach(page, theirs, "arrivals-db");
    await page.goto("/sources/arrivals-db/inbox");
    await expect(heading(page)).toContainText(
      "30 messages in all. 1 of them is dead. 2 failed before and are retried.",
    );
    await page.goto("/sources/arrivals-db/dead-letters");
    const dead = page.getByRole("table", { name: "Dead letters of arrivals-db" });
    await expect(dead.getByRole("row")).toHaveCount(2);
    await dead.getByRole("link", { name: "Discard" }).click();
    const dialog = await confirmDialog(page, "Discard 1 row", "no such parcel will ever be");
    await expect(dialog).toContainText("It is discarded.");
    expect(await theirs.run("select from arrivals")).toHaveLength(29);
    expect(await theirs.run("select from arrivals where goes >= 3")).toHaveLength(0);
  } finally {
    await theirs.drop();
  }
});
