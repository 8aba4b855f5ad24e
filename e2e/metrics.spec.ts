import { expect, test } from "./support/fixtures";
import { heading, rollUpMinute } from "./support/steps";

test("CHART-3 CHART-4 metrics: range, zoom by keys and by dragging, groups, table, and from a point to its list", async ({
  page,
  api,
  signIn,
}) => {
  await rollUpMinute(api);
  await signIn("viewer", "/metrics?range=1h");
  await expect(heading(page)).toContainText("created");
  const chart = page.locator("#executed");
  const plot = chart.getByRole("slider", { name: "Created" });
  await expect(chart.locator(".recharts-wrapper")).toBeVisible();

  // Keys read a bucket; Shift marks a stretch; Enter zooms into it, and Back leaves it.
  await plot.focus();
  await page.keyboard.press("Home");
  await expect(plot).toHaveAttribute("aria-valuenow", "0");
  for (let step = 0; step < 29; step += 1) await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/from=.*&to=/);
  await expect(plot).toHaveAttribute("aria-valuemax", "29");
  await page.goBack();
  await expect(page).toHaveURL(/\/metrics\?range=1h$/);
  await expect(plot).toHaveAttribute("aria-valuemax", "59");

  // The same by dragging.
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  if (box === null) throw new Error("the plot has no place");
  await page.mouse.move(box.x + box.width * 0.2, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 40, { steps: 5 });
  await page.mouse.up();
  await expect(page).toHaveURL(/from=/);
  await page.getByRole("group", { name: "Range" }).getByRole("link", { name: "1 h" }).click();
  await expect(page).not.toHaveURL(/from=/);

  await page.getByRole("group", { name: "Group by" }).getByRole("link", { name: "client" }).click();
  await expect(page).toHaveURL(/group=client/);
  await expect(chart.getByRole("list")).toContainText("chart-web");
  await chart.getByRole("link", { name: "as a table" }).click();
  const table = page.getByRole("region", { name: "Created as a table" }).getByRole("table");
  await expect(table.getByRole("columnheader", { name: "chart-cron" })).toBeVisible();
  await expect(table.getByRole("cell", { name: "30", exact: true }).first()).toBeVisible();
  // A number of a group leads to the operations of its minute and its client.
  await expect(table.getByRole("link", { name: "30", exact: true }).first()).toHaveAttribute(
    "href",
    /^\/operations\?answered=executed&client=chart-(web|cron)&from=.*&to=/,
  );

  // From a point to the operations of its minute.
  await page.goto("/metrics?range=1h");
  await plot.focus();
  await page.keyboard.press("Home");
  for (let step = 0; step < 19; step += 1) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/operations\?answered=executed&from=.*&to=/);
  const { searchParams } = new URL(page.url());
  expect(Date.parse(searchParams.get("to") ?? "") - Date.parse(searchParams.get("from") ?? "")).toBe(60_000);
});
