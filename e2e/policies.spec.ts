import AxeBuilder from "@axe-core/playwright";
import { expect, test, type ApiFixture } from "./support/fixtures";
import { adminPost, heading, newIdempotencyKey } from "./support/steps";

const OPERATION = "payments.create";
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Other tests of this stack run under the deployment's policies. */
async function asDeployed(api: ApiFixture): Promise<void> {
  await api.rows(
    "update onceboard.operation_policies set overrides = '{}', version = version + 1 where tenant_id = 'acme' and overrides <> '{}'",
  );
}

interface PolicyRow {
  readonly version: number;
  readonly overrides: Record<string, unknown>;
}

const kept = async (api: ApiFixture): Promise<PolicyRow | undefined> =>
  (
    await api.rows<PolicyRow>(
      "select version, overrides from onceboard.operation_policies where tenant_id = 'acme' and operation = $1",
      OPERATION,
    )
  )[0];

test.afterEach(async ({ api }) => {
  await asDeployed(api);
});

test("CONFLICT-3 an admin changes the status of a conflict; a conflicting retry gets it within the cache's time, the first answer stays", async ({
  page,
  api,
  signIn,
}) => {
  const key = newIdempotencyKey("policy");
  const body = { accountId: "acc_northgate_04", currency: "EUR", merchantReference: `ref-${key}` };
  const pay = (amount: string) => api.post("/payments", key, { ...body, amount });
  const first = await pay("91.00");
  expect(first.status).toBe(201);
  expect((await pay("910.00")).status).toBe(409);
  const before = (await kept(api))?.version ?? 0;

  await signIn("admin", "/policies");
  await page.getByRole("link", { name: `Change ${OPERATION}` }).click();
  await expect(heading(page)).toHaveText("Policy of Payment");
  await page.getByLabel("Same key, other command").selectOption("422");
  const box = page.getByRole("region", { name: "Change this policy" });
  await expect(box).toContainText("1 setting of payment would change.");
  await expect(box).toContainText("refused with 409 → refused with 422");
  await expect(page.getByText("Another command under a used key gets 422 and nothing runs.")).toBeVisible();
  await box.getByLabel("Reason, kept in the audit").fill("the partner follows the draft");
  await box.getByRole("button", { name: "Change 1 setting" }).dblclick();
  await expect(page.getByText("Done:", { exact: true })).toBeVisible();
  await expect(box.getByRole("button", { name: "Nothing to change" })).toBeDisabled();

  await expect.poll(async () => (await pay("910.00")).status).toBe(422);
  const replay = await pay("91.00");
  expect([replay.status, replay.text]).toEqual([201, first.text]);
  expect(await kept(api)).toEqual({ version: before + 1, overrides: { mismatchStatus: 422 } });
  const entries = await api.rows(
    "select reason from onceboard.audit_entries where action = 'policies.write' and after ->> 'version' = $1",
    String(before + 1),
  );
  expect(entries).toEqual([{ reason: "the partner follows the draft" }]);

  await page.goto("/policies");
  await expect(heading(page)).toContainText("1 setting set by this tenant.");
  await expect(page.getByRole("table", { name: "Settings that differ" })).toContainText("this tenant, Ines Duarte");
  const policies = page.getByRole("table", { name: "Policies of the operations" });
  await policies.getByRole("link", { name: `version ${String(before + 1)}` }).click();
  await expect(page.getByRole("table", { name: "Audit entries" })).toContainText("the partner follows the draft");
});

test("what cannot be is refused at its field; a risky choice is said before it is made", async ({
  page,
  api,
  signIn,
}) => {
  const before = await kept(api);
  await signIn("admin", `/policies/${OPERATION}`);
  const box = page.getByRole("region", { name: "Change this policy" });
  const lease = page.getByLabel("Lease");
  await lease.fill("1");
  await page.getByLabel("Retry after the window").selectOption("execute");
  await expect(box).toContainText("A late retry moves money again");
  await expect(box).toContainText("It also applies to keys whose window is over.");
  await box.getByLabel("Reason, kept in the audit").fill("to see it refused");
  await box.getByRole("button", { name: "Change 2 settings" }).click();
  await expect(box.getByRole("status")).toContainText("Not done.");
  await expect(lease).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByText("“Lease” must be longer than the provider timeout").first()).toBeVisible();
  expect(await kept(api)).toEqual(before);
  await lease.fill("lots");
  await box.getByRole("button", { name: "Change 2 settings" }).click();
  await expect(page.getByText("must be a whole number from 1 to 3600").first()).toBeVisible();
  expect(await kept(api)).toEqual(before);
});

test("who was second sees that somebody was first, and loses nothing that was written", async ({
  page,
  api,
  stack,
  signIn,
}) => {
  await signIn("admin", `/policies/${OPERATION}`);
  await page.getByLabel("Most runs of one key").fill("9");
  const box = page.getByRole("region", { name: "Change this policy" });
  await box.getByLabel("Reason, kept in the audit").fill("mine");
  const version = (await kept(api))?.version ?? 0;
  const other = await adminPost(page, stack, `/policies/${OPERATION}`, {
    overrides: { maxAttempts: 7 },
    expectedVersion: version,
    reason: "first",
  });
  expect(other.status()).toBe(200);
  await box.getByRole("button", { name: "Change 1 setting" }).click();
  await expect(box.getByRole("status")).toContainText("Not done.");
  await expect(box.getByText(`Somebody made version ${String(version + 1)} meanwhile.`)).toBeVisible();
  await expect(page.getByLabel("Most runs of one key")).toHaveValue("9");
  await box.getByRole("button", { name: "Show theirs" }).click();
  await expect(page.getByLabel("Most runs of one key")).toHaveValue("7");
  expect((await kept(api))?.overrides).toEqual({ maxAttempts: 7 });
});

test("a viewer reads every policy, sees why not to change one, and the API refuses it", async ({
  page,
  api,
  stack,
  signIn,
}) => {
  const before = await kept(api);
  await signIn("viewer", "/policies");
  await expect(
    page.getByText("Not offered: You can look, not act. Changing a policy needs the role admin."),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: `Change ${OPERATION}` })).toBeDisabled();
  await page.goto(`/policies/${OPERATION}`);
  const box = page.getByRole("region", { name: "Change this policy" });
  await expect(page.getByLabel("Retry after the window")).toBeDisabled();
  await expect(box.getByRole("button", { name: "Nothing to change" })).toBeDisabled();
  await expect(box).toContainText("You can look, not act. Changing a policy needs the role admin.");
  const answer = await adminPost(page, stack, `/policies/${OPERATION}`, {
    overrides: {},
    expectedVersion: before?.version ?? 0,
    reason: "because I can",
  });
  expect(answer.status()).toBe(403);
  expect(await kept(api)).toEqual(before);
  await page.goto("/policies/admin.policies.write");
  await expect(heading(page)).not.toHaveText(/Policy of/);
});

test("the checklist is judged by what is there: a policy turns its line red, and taking it back turns it true", async ({
  page,
  api,
  stack,
  signIn,
}) => {
  const key = newIdempotencyKey("checklist");
  await api.pay(key, "92.00");
  await api.pay(key, "92.00");
  await signIn("admin", "/checklist");
  const line = (text: string) => page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: text }) });
  const same = line("A replay has the status and body of the first answer, and is marked");
  const verdictOf = async (word: string): Promise<void> => {
    await expect(async () => {
      await page.reload();
      await expect(same.getByText(word, { exact: true })).toBeVisible({ timeout: 1_000 });
    }).toPass();
  };
  await verdictOf("passes");
  await expect(
    line("Races are decided by unique constraints of the database").getByText("passes", { exact: true }),
  ).toBeVisible();
  const decide = async (overrides: Record<string, unknown>) =>
    adminPost(page, stack, "/policies/refunds.create", {
      overrides,
      expectedVersion:
        (
          await api.rows<{ version: number }>(
            "select version from onceboard.operation_policies where operation = 'refunds.create' and tenant_id = 'acme'",
          )
        )[0]?.version ?? 0,
      reason: "to see the checklist",
    });
  expect((await decide({ replay: "reference" })).status()).toBe(200);
  await verdictOf("fails");
  await expect(same).toContainText("Refund: a replay shows the resource as it is now, as its policy says.");
  expect((await decide({})).status()).toBe(200);
  await verdictOf("passes");
});

for (const scheme of ["light", "dark"] as const) {
  test.describe(scheme, () => {
    test.use({ colorScheme: scheme });
    test(`a changed and refused policy has no finding of axe, ${scheme}`, async ({ page, signIn }) => {
      await signIn("admin", `/policies/${OPERATION}`);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await page.getByLabel("Lease").fill("1");
        await page.getByLabel("Second request while in progress").selectOption("accepted");
        await page.getByLabel("Reason, kept in the audit").fill("a look at it");
        await page.getByRole("button", { name: "Change 2 settings" }).click();
        await expect(page.getByText("Not done.")).toBeVisible();
        const over = () =>
          page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        await expect.poll(over).toBeLessThanOrEqual(0);
        const { violations, passes } = await new AxeBuilder({ page }).withTags(RULES).setLegacyMode(true).analyze();
        expect(passes.length).toBeGreaterThan(0);
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.join(" "))])).toEqual([]);
      }
    });
  });
}
