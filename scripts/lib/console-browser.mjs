/** A browser for scripts that look at a running console. */
import { chromium } from "@playwright/test";
import { findBrowser } from "../find-browser.mjs";

export async function launchBrowser() {
  const args = ["--no-sandbox", "--disable-background-networking"];
  return chromium.launch({ executablePath: await findBrowser(), args });
}

/** @param {string} page address that follows the sign-in @returns the state of the session, for contexts of its own */
export async function signIn(browser, baseURL, { email, password }, page = "/") {
  const context = await browser.newContext({ baseURL });
  const form = await context.newPage();
  await form.goto(`/sign-in?next=${encodeURIComponent(page)}`);
  await form.getByLabel("E-mail").fill(email);
  await form.getByLabel("Password").fill(password);
  await form.getByRole("button", { name: "Sign in", exact: true }).click();
  await form.waitForURL((url) => url.pathname !== "/sign-in");
  const state = await context.storageState();
  await context.close();
  return state;
}
