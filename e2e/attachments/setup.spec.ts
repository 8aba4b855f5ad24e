import { createForeignDatabase } from "@/attach/testing/foreign-database";
import { expect, test } from "../support/fixtures";
import { heading } from "../support/steps";
import { looksRight } from "./looks-right";

/** Of each login that the foreign database has. */
const PASSWORD = "only-of-this-test";
/** Axe looks at four pages, twice each. */
const TIMEOUT_MS = 480_000;
const THEIR_TABLES = `
  create table public.request_keys (
    idempotency_key text primary key, request_hash text not null, response_status int, response_body jsonb,
    created_at timestamptz not null default now(), completed_at timestamptz);
  insert into public.request_keys
    select 'order-' || n, 'hash', case when n % 5 > 0 then 201 end, case when n % 5 > 0 then '{"secret":"of-a-response"}'::jsonb end,
           now() - n * interval '1 minute', case when n % 5 > 0 then now() end
      from generate_series(1, 40) as n;
  create table public.notes (id bigint primary key, body text);`;

test("an admin attaches a hand-made table of keys from its address to the list, and removes it", async ({
  page,
  api,
  stack,
  signIn,
}) => {
  test.setTimeout(TIMEOUT_MS);
  const theirs = await createForeignDatabase(THEIR_TABLES, stack.databaseUrl);
  await theirs.run(`grant select on all tables in schema public to ${theirs.role}`);
  try {
    await signIn("admin", "/settings");
    await page.getByRole("link", { name: "Attachments" }).click();
    await expect(heading(page)).toHaveText("No database is attached.");
    await looksRight(page, "empty");
    await page.getByRole("link", { name: "Attach a database" }).click();
    await expect(heading(page)).toHaveText("Attach a database.");

    const address = page.getByLabel("Address");
    await address.fill("postgres://somebody:hidden@127.0.0.1:1/none");
    await address.press("Enter");
    await expect(page.getByText("The database cannot be reached")).toBeVisible();
    await address.fill(theirs.url);
    await page.getByRole("button", { name: /^Look/ }).click();
    await expect(heading(page)).toContainText("public.request_keys is mapped by hand.");
    await expect(heading(page)).toContainText("Not installed yet.");
    await expect(
      page.getByText("Nothing was changed there, and nothing is kept here until it is attached."),
    ).toBeVisible();
    const attach = page.getByRole("button", { name: "Attach", exact: true });
    await expect(attach).toBeDisabled();

    await page.getByLabel("stale_after").fill("15 minutes");
    await page.getByRole("button", { name: "Use these" }).click();
    const preview = page.getByRole("table", { name: "Preview: Operations" });
    await expect(preview.getByRole("row")).toHaveCount(11);
    await expect(preview).toContainText("In progress");
    await page.getByLabel("Fingerprint of the request").selectOption("");
    await expect(page.getByRole("row").filter({ hasText: "Fingerprint of the request" })).toContainText("Not stored");
    await page.getByLabel("Fingerprint of the request").selectOption("request_hash");
    await expect(page.getByRole("row").filter({ hasText: "Fingerprint of the request" })).toContainText("Yes");
    await looksRight(page, "look");

    const look = await page.getByRole("region", { name: "Step 1: look" }).textContent();
    const act = await page.getByRole("region", { name: "Step 3: act" }).textContent();
    await theirs.run(look ?? "");
    await theirs.run(act ?? "");
    await page.getByRole("button", { name: "Check again" }).click();
    await expect(heading(page)).toContainText("can be shown.");
    await expect(heading(page)).not.toContainText("Not installed yet.");
    await looksRight(page, "installed");
    await page.getByLabel("Name, in addresses and menus").fill("orders-keys");
    await expect(attach).toBeEnabled();
    await attach.click();
    await page.waitForURL(/\/settings\/attachments$/);
    await expect(heading(page)).toHaveText("1 database is attached.");
    const row = page.getByRole("row").filter({ hasText: "orders-keys" });
    await expect(row).toContainText("Answers");
    await expect(row.getByRole("link", { name: "orders-keys" })).toHaveAttribute("href", /\/sources\/orders-keys$/);
    await looksRight(page, "list");
    for (const secret of [PASSWORD, "of-a-response"]) expect(await page.content()).not.toContain(secret);
    const audit = await api.rows("select to_jsonb(a)::text as entry from onceboard.audit_entries as a");
    expect(JSON.stringify(audit)).not.toContain(PASSWORD);

    await signIn("viewer", "/settings/attachments");
    await expect(row).toContainText("Answers");
    await expect(page.getByText("You can look, not act.")).toBeVisible();
    await signIn("admin", "/settings/attachments");
    await row.getByRole("link", { name: "Remove" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText(
      "Nothing changes in that database. Its owner takes the schema back by: drop schema ",
    );
    await dialog.getByLabel("Reason, kept in the audit").fill("it moved");
    await dialog.getByRole("button", { name: "Remove 1 attachment" }).click();
    await expect(dialog).toContainText("It is removed.");
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(heading(page)).toHaveText("No database is attached.");
  } finally {
    await theirs.drop();
  }
});
