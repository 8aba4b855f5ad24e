import { readFile } from "node:fs/promises";
import { expect, test } from "./support/fixtures";
import { newIdempotencyKey, openTool, operationOf, E2E_TENANT } from "./support/steps";

/** Wide enough for the pane beside the list. */
test.use({ viewport: { width: 1440, height: 900 } });

test("LIST-1 a list is its address: filters, order, columns, open row and density stay over a reload", async ({
  page,
  api,
  signIn,
}) => {
  const key = newIdempotencyKey("table");
  const paid = operationOf(await api.pay(key, "8131.40"));
  const other = operationOf(await api.pay(newIdempotencyKey("table"), "8162.80"));
  // No other test pays amounts of this range, so that each row is one of these two whichever is current.
  await signIn("operator", "/operations?min=8131.00&max=8163.00&currency=EUR&sort=amount&direction=asc");
  const table = page.getByRole("table", { name: "Operations" });
  await expect(table.getByRole("columnheader", { name: "Amount" })).toHaveAttribute("aria-sort", "ascending");

  await openTool(page, "Columns");
  const columns = page.getByRole("group", { name: "Columns", exact: true });
  await columns.getByLabel("Client").check();
  await columns.getByLabel("Answers").uncheck();
  await expect(page).toHaveURL(/columns=client%2Camount%2Cchain/);
  await expect(table.getByRole("columnheader", { name: "Client" })).toBeVisible();
  await expect(table.getByRole("columnheader", { name: "Answers" })).toHaveCount(0);
  await columns.getByLabel("Compact, 30 px").check();
  await page.keyboard.press("Escape");
  await expect(columns).toHaveCount(0);

  // j and k walk, and the pane follows.
  await expect(async () => {
    await page.keyboard.press("j");
    await expect(page).toHaveURL(/open=/, { timeout: 5_000 });
  }).toPass();
  const pane = page.getByRole("complementary", { name: "Current operation" });
  await expect(pane.getByRole("heading", { level: 2 })).toContainText("Executed once.");
  const address = page.url();
  await page.reload();
  expect(page.url()).toBe(address);
  await expect(pane.getByRole("heading", { level: 2 })).toContainText("Executed once.");
  await expect(table.getByRole("columnheader", { name: "Client" })).toBeVisible();
  const row = table.locator(`tr[data-row="${paid}"]`);
  expect((await row.boundingBox())?.height).toBeLessThan(34);

  await expect(table.locator(`tr[data-row="${other}"]`)).toBeVisible();
  await openTool(page, "Columns");
  await columns.getByRole("button", { name: "As standard" }).click();
  await expect(page).not.toHaveURL(/columns=/);
  await columns.getByLabel("Standard, 36 px").check();
});

test("UI-4 an id of a row stands on one line", async ({ page, api, signIn }) => {
  const paid = operationOf(await api.pay(newIdempotencyKey("line"), "17.30"));
  await signIn("operator", "/inbox");
  const id = page.locator(`tr[data-row] a[href="/operations/${paid}"]`).first();
  await expect(async () => {
    await page.reload();
    await expect(id).toBeVisible({ timeout: 1_000 });
  }).toPass();
  expect((await id.boundingBox())?.height).toBeLessThan(24);
});

test("LIST-5 a view that one operator saves is there for the other, who may not delete it", async ({
  page,
  signIn,
}) => {
  const name = `Stale here ${newIdempotencyKey("view").slice(-8)}`;
  await signIn("operator", "/operations?state=STALE&columns=client");
  await openTool(page, "Views");
  await page.getByRole("link", { name: "Save as a new view" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Save 1 view" }).click();
  await expect(page).toHaveURL(/view=/);
  await expect(page.getByRole("navigation", { name: "By state" }).getByRole("link", { name })).toHaveAttribute(
    "aria-current",
    "page",
  );
  const id = new URL(page.url()).searchParams.get("view") ?? "none";

  await signIn("viewer", `/views/${id}`);
  await expect(page).toHaveURL(/\/operations\?state=STALE&columns=client&view=/);
  await openTool(page, "Views");
  await expect(page.getByRole("button", { name: "Delete", exact: true })).toBeDisabled();

  await signIn("operator", `/views/${id}`);
  await openTool(page, "Views");
  await page.getByRole("link", { name: "Delete", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete 1 view" }).click();
  await expect(page.getByRole("dialog").getByRole("status")).toContainText("It is deleted.");
});

test("EXPORT-3 a list is taken along with its filters, and says that it is whole", async ({ page, api, signIn }) => {
  const key = newIdempotencyKey("taken");
  const operationId = operationOf(await api.pay(key, "17.35"));
  await signIn("viewer", `/operations?key=${key}`);
  await openTool(page, "Export");
  const panel = page.getByRole("group", { name: "Export", exact: true });
  for (const [columns, format, holds] of [
    ["The columns shown", "CSV", `${operationId},COMPLETED,payments.create,${key},17.35,EUR,`],
    ["All columns", "JSON", `"operation_id":"${operationId}","key":"${key}","operation":"payments.create"`],
  ] as const) {
    await panel.getByRole("radio", { name: columns }).check();
    const downloading = page.waitForEvent("download");
    await panel.getByRole("link", { name: format, exact: true }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(
      new RegExp(`^operations-${E2E_TENANT}-\\d{8}T\\d{6}Z\\.${format.toLowerCase()}$`),
    );
    expect(await readFile(await download.path(), "utf8")).toContain(holds);
    await expect(panel.getByRole("status")).toContainText(`${format.toLowerCase()}: 1 row, whole`);
  }
  const entries = await api.rows<{ action: string }>(
    "select action from onceboard.audit_entries where action = 'exports.operations' and evidence -> 'filters' ->> 'key' = $1",
    key,
  );
  expect(entries).toHaveLength(2);
});

test("UI-1 newer rows wait behind a line, one poll keeps the page live and mostly hears that nothing changed", async ({
  page,
  api,
  signIn,
}) => {
  const seen: number[] = [];
  page.on("response", (response) => {
    if (response.url().includes("/api/v1/admin/pulse")) seen.push(response.status());
  });
  await signIn("viewer", "/operations");
  const table = page.getByRole("table", { name: "Operations" });
  await expect.poll(() => seen.filter((status) => status === 304).length, { timeout: 20_000 }).toBeGreaterThan(1);
  const first = await table.locator("tr[data-row]").first().getAttribute("data-row");
  const operationId = operationOf(await api.pay(newIdempotencyKey("newer"), "11.11"));
  const line = table.getByRole("button", { name: /newer operation.* Show/ });
  await expect(line).toBeVisible({ timeout: 15_000 });
  expect(await table.locator("tr[data-row]").first().getAttribute("data-row")).toBe(first);
  await line.click();
  await expect(table.locator(`tr[data-row="${operationId}"]`)).toBeVisible();
  await expect(table.getByText("No newer operations.")).toBeVisible();
});
