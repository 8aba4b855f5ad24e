import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { createLibrary } from "@/auth/sign-in/library";
import { upsertOperator } from "@/auth/operators";
import type { Database } from "@/db/client";
import { expect, test } from "./support/fixtures";
import {
  adminPost,
  audited,
  heading,
  newIdempotencyKey,
  onlyForPeople,
  operationOf,
  unknownPayment,
} from "./support/steps";
import { PASSWORD, type RoleName } from "./support/stack-info";

/** Somebody of this test alone: what they do to their sign-in must not shut others out. */
async function newcomer(db: Database, role: RoleName): Promise<string> {
  const email = `${role}-${randomUUID()}@example.com`;
  const library = createLibrary({ db, secret: randomUUID() + randomUUID(), publicUrl: "http://localhost:3000" });
  await upsertOperator(db, { library }, { email, password: PASSWORD, role, name: `New ${role}` });
  return email;
}

async function fillIn(page: Page, email: string): Promise<void> {
  await page.goto("/sign-in?next=%2Fsettings%2Fsecurity");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("ACCESS-4 a second factor is set up, asked for, and goes off again; its secret stays nowhere", async ({
  page,
  database,
}) => {
  const email = await newcomer(database, "operator");
  await fillIn(page, email);
  await expect(heading(page)).toHaveText("Your password alone signs in.");
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set up a second factor" }).click();
  await expect(page.getByRole("img", { name: "QR code of the secret below" })).toBeVisible();
  const secret = (await page.getByTestId("totp-secret").textContent()) ?? "";
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  await page.getByLabel("Code that it shows now").fill("000000");
  await page.getByRole("button", { name: "Turn it on" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "not the current code" })).toBeVisible();
  // What turns it on signs nobody in: the sign-in takes the code of the next half minute. Neither is too old when one ends meanwhile.
  await page.getByLabel("Code that it shows now").fill(totp.generate());
  await page.getByRole("button", { name: "Turn it on" }).click();
  const items = page.getByRole("list", { name: "Backup codes" }).getByRole("listitem");
  await expect(items).toHaveCount(10);
  const codes = await items.allTextContents();
  expect(new Set(codes).size).toBe(10);
  await page.getByRole("button", { name: "I have kept them" }).click();
  await expect(heading(page)).toHaveText("Signing in with your password needs a code.");
  await page.reload();
  expect(await page.content()).not.toContain(secret);

  await page.context().clearCookies();
  await fillIn(page, email);
  const code = page.getByLabel("Code of your authenticator");
  await expect(code).toBeFocused();
  await code.fill("000000");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: /\S/ })).toContainText("The code is wrong.");
  await code.fill(totp.generate({ timestamp: Date.now() + 30_000 }));
  await page.keyboard.press("Enter");
  await expect(heading(page)).toHaveText("Signing in with your password needs a code.");
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByLabel(/^Code of your/).fill(codes[0] ?? "");
  await page.getByRole("button", { name: "Turn the second factor off" }).click();
  await expect(heading(page)).toHaveText("Your password alone signs in.");
});

test("ACCESS-7 ending a session elsewhere shuts that browser out with its next request", async ({
  page,
  browser,
  database,
  stack,
}) => {
  const email = await newcomer(database, "viewer");
  const other = await (await browser.newContext({ baseURL: stack.baseUrl })).newPage();
  await fillIn(other, email);
  await other.waitForURL("**/settings/security");
  await fillIn(page, email);
  await page.waitForURL("**/settings/security");
  await page.goto("/settings/sessions");
  await expect(heading(page)).toHaveText("You are signed in at 2 places.");
  await page.getByRole("link", { name: "End", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "End 1 session" }).click();
  await expect(page.getByRole("dialog").getByRole("status").filter({ hasText: "Done." })).toBeVisible();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await expect(heading(page)).toHaveText("You are signed in here only.");
  // The next request is the poll: the page says so and leads back to itself.
  await expect(other.getByText("You are signed out.", { exact: true })).toBeVisible({ timeout: 15_000 });
  await expect(other.getByRole("link", { name: "Sign in", exact: true })).toHaveAttribute("href", /next=%2Fsettings/);
  await other.goto("/operations");
  await expect(other).toHaveURL(/\/sign-in/);
  await other.context().close();
});

test("ACCESS-5 a resolve asks again who decides, in its own form, and is done once", async ({
  page,
  api,
  database,
}) => {
  const { operationId } = await unknownPayment(api, "88.40");
  await onlyForPeople(api, operationId);
  const email = await newcomer(database, "operator");
  await fillIn(page, email);
  await page.waitForURL("**/settings/security");
  await api.rows(
    `update onceboard.sessions set confirmed_at = clock_timestamp() - interval '11 minutes'
      where user_id = (select id from onceboard.operators where email = $1)`,
    email,
  );
  await page.goto(`/operations/${operationId}`);
  const box = page.getByRole("region", { name: "Evidence and decision" });
  await box.getByRole("radio", { name: /keep waiting/i }).check();
  await box.getByLabel("Reason, kept in the audit").fill("the provider's desk looks into it");
  await box.getByRole("button", { name: "Keep waiting" }).click();
  await box.getByLabel("Your password").fill("not the password");
  await box.getByRole("button", { name: /^Confirm/ }).click();
  await expect(box.getByRole("alert").filter({ hasText: "The password is wrong." })).toBeVisible();
  expect(await audited(api, operationId)).toEqual([]);
  await box.getByLabel("Your password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(box.getByLabel("Your password")).toHaveCount(0);
  await expect
    .poll(async () => (await audited(api, operationId)).map(({ action, reason }) => [action, reason]))
    .toEqual([["operations.resolve", "the provider's desk looks into it"]]);
});

test("ACCESS-2 an auditor reads and acts on nothing, a viewer is told whose page it is", async ({
  page,
  api,
  stack,
  signIn,
}) => {
  const done = operationOf(await api.pay(newIdempotencyKey("auditor"), "12.10"));
  await signIn("auditor", `/operations/${done}`);
  await expect(page.getByText("You can look, not act. Purge a body needs the role operator.")).toBeVisible();
  const refused = await adminPost(page, stack, `/operations/${done}/purge-body`, { reason: "because I can" });
  expect([refused.status(), await refused.json()]).toMatchObject([403, { code: "auth.forbidden" }]);
  await page.goto("/settings/permissions");
  await expect(heading(page)).toContainText("You are an auditor.");
  await signIn("viewer", "/settings/people");
  await expect(page.getByText("You do not have access to this.")).toBeVisible();
  await expect(page.getByText("Reading people and their sessions needs the role admin on all tenants.")).toBeVisible();
});
