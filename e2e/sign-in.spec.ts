import { expect, signInAs, test } from "./support/fixtures";
import { heading } from "./support/steps";
import { PASSWORD, PEOPLE } from "./support/stack-info";

const [viewer] = PEOPLE;

test("a wrong password is one clear sentence, and the cursor is where it is needed", async ({ page }) => {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(viewer.email);
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: /\S/ })).toHaveText("E-mail or password is wrong.");
  await expect(page.getByLabel("Password")).toBeFocused();
  await expect(page.getByLabel("Password")).toHaveValue("");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/");
});

test("without a session a page leads to sign-in, and sign-in leads back", async ({ page }) => {
  await page.goto("/operations?state=COMPLETED");
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  await expect(heading(page)).toHaveText("Sign in to see what every retry did.");
  await page.getByLabel("E-mail").fill(viewer.email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL("/operations?state=COMPLETED");
  await expect(heading(page)).toContainText("Operations");
});

test("a foreign address is never the way back", async ({ page, stack }) => {
  await page.goto("/sign-in?next=https%3A%2F%2Fevil.example%2F");
  await page.getByLabel("E-mail").fill(viewer.email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${stack.baseUrl}/`);
});

test("signing out ends the session for good", async ({ page, context }) => {
  await signInAs(page, "viewer");
  const kept = await context.cookies();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.goto("/audit");
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  // Somebody who kept the cookie has nothing.
  await context.addCookies(kept);
  await page.goto("/audit");
  await expect(page).toHaveURL(/\/sign-in\?next=/);
});

test("a session is only good with its own cookie", async ({ page, context, stack }) => {
  await context.addCookies([{ name: "better-auth.session_token", value: "forged.value", url: stack.baseUrl }]);
  await page.goto("/operations");
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  const liveStatus = await page.request.get("/api/v1/admin/pulse?tenant=acme&page=operations");
  expect(liveStatus.status()).toBe(401);
});
