import { expect, test } from "./support/fixtures";
import { heading, newIdempotencyKey, operationOf, unknownPayment } from "./support/steps";

test("the overview says what is in doubt, and charts what was answered", async ({ page, api, signIn }) => {
  const unknown = await unknownPayment(api, "5021.00");
  // The table has the longest waiting only, and other tests leave operations in doubt too.
  await api.rows(
    "update onceboard.idempotency_open set unknown_since = unknown_since - interval '1 hour' where operation_id = $1",
    unknown.operationId,
  );
  const key = newIdempotencyKey("chart");
  const operationId = operationOf(await api.pay(key, "19.00"));
  await api.pay(key, "19.00");
  await api.pay(key, "190.00");
  const answered = () =>
    api.rows("select 1 from onceboard.idempotency_events where operation_id = $1 and outcome is not null", operationId);
  await expect.poll(async () => (await answered()).length).toBe(3);
  // A minute that is over; events that come late make it stale, and the roll-up computes it again.
  await api.rows(
    "update onceboard.idempotency_events set at = at - interval '3 minutes' where operation_id = $1",
    operationId,
  );
  await api.rows(
    `insert into onceboard.metric_buckets (tenant_id, bucket, stale)
select distinct tenant_id, date_trunc('minute', at, 'UTC'), true from onceboard.idempotency_events where operation_id = $1
on conflict (tenant_id, bucket) do update set stale = true`,
    operationId,
  );
  const rolledUp = () =>
    api.rows<{ outcome: string }>(
      `select distinct m.outcome from onceboard.metric_minutes m join onceboard.idempotency_events e
  on e.tenant_id = m.tenant_id and m.bucket = date_trunc('minute', e.at, 'UTC') where e.operation_id = $1 order by 1`,
      operationId,
    );
  await expect
    .poll(async () => (await rolledUp()).map(({ outcome }) => outcome))
    .toEqual(expect.arrayContaining(["conflict", "executed", "replayed"]));

  await signIn("viewer", "/");
  await expect(heading(page)).toContainText(/in doubt|may have moved money/i);
  await expect(page.getByRole("table", { name: "Operations in doubt" })).toContainText("€5,021.00");
  await expect(page.getByRole("link", { name: "Open the queue" })).toBeVisible();

  const ranges = page.getByRole("group", { name: "Range" });
  await ranges.getByRole("link", { name: "1 h" }).click();
  await expect(page).toHaveURL("/?range=1h");
  await expect(page.getByText("Last hour")).toBeVisible();
  await expect(ranges.getByRole("link", { name: "1 h" })).toHaveAttribute("aria-current", "true");
  await expect(page.getByRole("figure", { name: "Answers of the last hour" })).toBeVisible();
  await page.goto("/?range=1h&table=true");
  const table = page.getByRole("region", { name: "Answers of the last hour" }).getByRole("table");
  const column = async (name: RegExp): Promise<number> => {
    const heads = await table.getByRole("columnheader").allInnerTexts();
    const at = heads.findIndex((head) => name.test(head));
    const cells = await table
      .locator("tbody tr")
      .evaluateAll((rows, index) => rows.map((row) => row.children[index]?.textContent ?? ""), at);
    return cells.reduce((sum, cell) => sum + (Number.parseInt(cell, 10) || 0), 0);
  };
  for (const name of [/created/i, /replay/i, /conflict/i])
    await expect.poll(() => column(name), String(name)).toBeGreaterThan(0);
});

test("a list is told of newer rows and shows them when asked; pausing stops that", async ({ page, api, signIn }) => {
  await api.pay(newIdempotencyKey("first"), "22.01");
  await signIn("viewer", "/operations");
  await expect(page.getByText("No newer operations.")).toBeVisible();
  await api.pay(newIdempotencyKey("newer"), "22.02");
  await api.pay(newIdempotencyKey("newer"), "22.03");
  const show = page.getByRole("button", { name: "2 newer operations. Show them." });
  await expect(show).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "€22.03" })).toHaveCount(0);
  await show.click();
  await expect(page.getByRole("row").filter({ hasText: "€22.03" })).toHaveCount(1);
  await expect(page.getByText("No newer operations.")).toBeVisible();

  await page.getByRole("button", { name: /^Live/ }).click();
  await expect(page.getByRole("button", { name: /^Paused/ })).toBeVisible();
  await expect(page.getByText("Not watching for newer rows.")).toBeVisible();
  const pulses: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/admin/pulse")) pulses.push(request.url());
  });
  await api.pay(newIdempotencyKey("paused"), "22.04");
  await page.getByRole("button", { name: /^Paused/ }).click();
  await expect(page.getByRole("button", { name: "1 newer operation. Show it." })).toBeVisible();
  expect(pulses.length).toBeGreaterThan(0);
});

test("UI-1 a page that is followed changes by itself", async ({ page, api, signIn }) => {
  const key = newIdempotencyKey("followed");
  const operationId = operationOf(await api.pay(key, "23.01"));
  await signIn("viewer", `/operations/${operationId}`);
  await expect(heading(page)).toContainText("Answered once.");
  await api.pay(key, "23.01");
  await expect(heading(page)).toContainText("Answered twice, byte-equal.");
});
