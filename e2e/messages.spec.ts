import { readFile } from "node:fs/promises";
import { expect, test, type ApiFixture } from "./support/fixtures";
import { adminPost, audited, confirmDialog, heading, newIdempotencyKey, operationOf } from "./support/steps";

/** A topic that rests would hold up every other test. */
test.afterEach(async ({ api }) => {
  await api.rows("delete from onceboard.topics where tenant_id = 'acme'");
});

const messageOf = async (api: ApiFixture, operationId: string): Promise<string> => {
  const found = () =>
    api.rows<{ id: string }>(
      `select id from onceboard.outbox_messages where operation_id = $1 and topic = 'payments'
       union all select id from onceboard.outbox_history where operation_id = $1 and topic = 'payments'`,
      operationId,
    );
  await expect.poll(async () => (await found()).length).toBe(1);
  return (await found())[0]?.id ?? "none";
};
const published = (api: ApiFixture, id: string) => api.rows("select 1 from onceboard.outbox_history where id = $1", id);

test("OUTBOX-6 a paused topic waits and says so; resumed, its message goes down to the ledger", async ({
  page,
  api,
  signIn,
}) => {
  const first = await messageOf(api, operationOf(await api.pay(newIdempotencyKey("before"), "31.10")));
  await expect.poll(async () => (await published(api, first)).length).toBe(1);
  await signIn("operator", "/topics/payments");
  await page.getByRole("link", { name: "Pause", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Nothing is lost, waiting counts no attempt");
  await confirmDialog(page, "Pause 1 topic", "the ledger is being moved");
  await expect(dialog.getByRole("status")).toContainText("It is paused.");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(heading(page)).toContainText("Topic payments paused");

  const operationId = operationOf(await api.pay(newIdempotencyKey("paused"), "31.20"));
  const id = await messageOf(api, operationId);
  // Relays go on with other topics: an account that is opened now leaves, the payment stays.
  const opened = await api.post("/accounts", newIdempotencyKey("account"), {
    accountId: newIdempotencyKey("acc"),
    currency: "EUR",
  });
  expect(opened.status).toBe(201);
  await expect
    .poll(() => api.rows("select 1 from onceboard.outbox_history where operation_id = $1", operationOf(opened)))
    .toHaveLength(1);
  expect(await api.rows("select attempts_started, state from onceboard.outbox_messages where id = $1", id)).toEqual([
    { attempts_started: 0, state: "pending" },
  ]);
  await page.goto("/outbox");
  await expect(heading(page)).toContainText("Topic payments paused");
  const row = page.locator(`tr[data-page="/outbox/${id}"]`);
  await expect(row).toContainText("when resumed");
  await page.goto(`/outbox/${id}`);
  await expect(heading(page)).toHaveText("Waits: its topic is paused. Nothing is lost.");
  await expect(page.getByRole("list", { name: "Cause and effects" })).toContainText("its topic is paused");

  await page.goto("/topics/payments");
  await page.getByRole("link", { name: "Resume", exact: true }).click();
  await confirmDialog(page, "Resume 1 topic", "the ledger is back");
  await expect(dialog.getByRole("status")).toContainText("Resumed, in order.");
  await expect.poll(async () => (await published(api, id)).length).toBe(1);
  await expect
    .poll(() => api.rows("select 1 from payments.ledger_entries where operation_id = $1", operationId))
    .toHaveLength(1);
  await page.goto(`/outbox/${id}`);
  await expect(heading(page)).toContainText("at the first attempt.");
  const chain = page.getByRole("list", { name: "Chain of this message" });
  await expect(chain.getByRole("listitem")).toHaveCount(4);
  await expect(chain).toContainText("1 entry in the ledger");
  const causes = page.getByRole("list", { name: "Cause and effects" });
  await expect(causes.locator("[aria-current]")).toContainText("payment.succeeded");
  await expect(causes).toContainText("Ledger entry €31.20");
  await causes.getByRole("link", { name: "ledger", exact: true }).click();
  await expect(heading(page)).toContainText("Handled,");
  await page.getByRole("link", { name: "Payment €31.20" }).click();
  await expect(heading(page)).toContainText("Executed once.");

  expect((await audited(api, "payments")).slice(-2)).toMatchObject([
    { action: "topics.pause", reason: "the ledger is being moved", after: { paused: true } },
    { action: "topics.resume", reason: "the ledger is back", before: { paused: true }, after: { paused: false } },
  ]);
});

/** A verb that was turned off meanwhile is not waited for. */
const REFUSED_WITHIN_MS = 3_000;

test("OUTBOX-6 how a topic travels is for admins, and nobody decides over somebody who was first", async ({
  page,
  api,
  stack,
  signIn,
}) => {
  await messageOf(api, operationOf(await api.pay(newIdempotencyKey("route"))));
  await signIn("viewer", "/topics/payments");
  await expect(page.getByRole("button", { name: "Pause" })).toBeDisabled();
  await signIn("operator", "/topics/payments");
  await expect(page.getByRole("button", { name: "Change route" })).toBeDisabled();
  await expect(page.getByText("Changing the route of a topic needs the role admin.").first()).toBeVisible();

  await signIn("admin", "/topics/payments");
  await page.getByRole("link", { name: "Change route" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("option", { name: "NATS JetStream, not configured here" })).toBeDisabled();
  await dialog.getByLabel("Destination; empty: the inbox here").fill("ftp://files.example");
  await confirmDialog(page, "Change 1 topic", "the receiver moves");
  await expect(dialog).toContainText("A destination for HTTP is a whole URL");
  const other = await adminPost(page, stack, "/topics/payments/pause", { expectedVersion: 0, reason: "first" });
  expect(other.status()).toBe(200);
  await page.goto("/topics/payments?dialog=route");
  await dialog.getByLabel("Reason, kept in the audit").fill("the receiver moves");
  const verb = dialog.getByRole("button", { name: "Change 1 topic" });
  await expect(verb).toBeEnabled();
  // Right before the click: with the next poll the page knows it too, and turns the verb off.
  await adminPost(page, stack, "/topics/payments/resume", { expectedVersion: 1, reason: "first again" });
  await verb.click({ timeout: REFUSED_WITHIN_MS }).catch(() => undefined);
  await expect(dialog).toContainText(/Nothing (was )?changed\.|Close it and look again\./);
});

test("CHART-4 topics and consumers show their hour, as a chart and as a table, and the consumer's arrivals as CSV", async ({
  page,
  api,
  stack,
  signIn,
}) => {
  await messageOf(api, operationOf(await api.pay(newIdempotencyKey("chart"))));
  // A topic is listed once somebody changed it, also before its first minute is rolled up.
  await signIn("admin", "/settings");
  for (const [expectedVersion, verb] of ["pause", "resume"].entries())
    expect(
      (await adminPost(page, stack, `/topics/payments/${verb}`, { expectedVersion, reason: "it is listed" })).status(),
    ).toBe(200);
  await signIn("viewer", "/topics");
  await page.getByRole("link", { name: "payments", exact: true }).click();
  await expect(page.getByRole("figure", { name: "payments, last hour" })).toBeVisible();
  await page.getByRole("link", { name: "6 h", exact: true }).click();
  await expect(page).toHaveURL("/topics/payments?range=6h");
  await page.goto("/topics/payments?range=6h&table=true");
  await expect(page.getByRole("region", { name: "payments, last six hours" })).toContainText("Published");
  await expect
    .poll(
      async () => (await api.rows("select 1 from onceboard.inbox_messages where consumer = 'ledger' limit 1")).length,
    )
    .toBe(1);
  await page.goto("/consumers/ledger");
  await expect(page.getByRole("table", { name: "Arrivals of this consumer" })).toContainText("payment.succeeded");
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV of arrivals" }).click();
  const download = await downloading;
  const text = await readFile(await download.path(), "utf8");
  expect(text.split("\r\n")[0]).toBe("event_id,source,first_seen,processed,result");
});
