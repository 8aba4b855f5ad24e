import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "./support/fixtures";
import { adminPost, audited, confirmDialog, heading, newIdempotencyKey, operationOf } from "./support/steps";

test("UI-3 the palette goes anywhere by keyboard, finds what is typed and gives the focus back", async ({
  page,
  api,
  signIn,
}) => {
  const key = newIdempotencyKey("palette");
  const operationId = operationOf(await api.pay(key, "23.45"));
  await signIn("operator", "/invariants");
  const field = page.getByRole("combobox", { name: /Page, view, action/ });
  const open = async () => {
    // A key pressed before the page listens is lost.
    await expect(async () => {
      await page.keyboard.press("Control+k");
      await expect(field).toBeFocused({ timeout: 500 });
    }).toPass();
  };
  const commands = page.getByRole("button", { name: "Commands" });
  await commands.focus();
  await open();
  await expect(page.getByRole("option", { name: "Check now" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(commands).toBeFocused();

  await open();
  await field.fill("dead let");
  await expect(page.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/dead-letters");

  await open();
  await field.fill(key);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/operations/${operationId}`);

  await open();
  await field.fill("theme dark");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-scheme", "dark");

  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await expect(page).toHaveURL("/invariants");
});

test("LIST-4 a request id, a provider reference and a ledger entry lead to the operation", async ({
  page,
  api,
  signIn,
}) => {
  const paid = await api.pay(newIdempotencyKey("names"), "12.34");
  const operationId = operationOf(paid);
  const posted = () =>
    api.rows<{ id: string }>("select id from payments.ledger_entries where operation_id = $1", operationId);
  await expect.poll(async () => (await posted()).length).toBe(1);
  const [call] = await api.rows<{ id: string }>(
    "select provider_reference as id from onceboard.provider_requests where operation_id = $1 and provider_reference is not null",
    operationId,
  );
  await signIn("viewer", "/");
  for (const name of [paid.headers.get("request-id"), call?.id, (await posted())[0]?.id]) {
    await page.goto(`/find?q=${name ?? "none"}`);
    await expect(page, name ?? "none").toHaveURL(`/operations/${operationId}`);
  }
});

test("INVARIANT-2 an invariant goes red with its example, and green again", async ({ page, api, signIn }) => {
  const operationId = operationOf(await api.pay(newIdempotencyKey("invariant"), "77.77"));
  const posted = () => api.rows("select 1 from payments.ledger_entries where operation_id = $1", operationId);
  await expect.poll(async () => (await posted()).length).toBe(1);
  await signIn("operator", "/invariants");
  const check = async () => {
    // Within seconds of the worker's own check nothing is checked again.
    await api.rows("update onceboard.invariant_checks set checked_at = checked_at - interval '1 minute'");
    await page.getByRole("button", { name: "Check now" }).click();
  };
  const line = page.getByRole("listitem").filter({ hasText: "The ledger says what happened" });
  const book = (amount: string) =>
    api.rows(
      "update payments.ledger_entries set amount_minor = $2::bigint where operation_id = $1",
      operationId,
      amount,
    );
  await book("7778");
  await check();
  await expect(heading(page)).toContainText("violated");
  await expect(line.getByText("violated", { exact: true })).toBeVisible();
  await expect(line.getByRole("link", { name: /…/ })).toHaveAttribute("href", `/operations/${operationId}`);
  await book("7777");
  await check();
  await expect(line.getByText("holds", { exact: true })).toBeVisible();
});

test("UI-6 a page that does not come leaves bars in its place, and takes it when it comes", async ({
  page,
  signIn,
}) => {
  await signIn("viewer", "/invariants");
  let comes = (): void => undefined;
  const held = new Promise<void>((resolve) => (comes = resolve));
  await page.route(
    (url) => url.pathname === "/operations",
    async (route) => {
      await held;
      await route.continue();
    },
  );
  const main = page.getByRole("main");
  const bars = main.locator('[role="status"][aria-busy="true"]');
  const place = page.locator('nav a[href="/operations"]:visible').first();
  await place.click();
  await expect(place, "the place is shown from the click on").toHaveAttribute("aria-current", "page");
  await expect(bars).toBeVisible();
  await expect(main.getByRole("heading")).toHaveCount(0);
  comes();
  await expect(page).toHaveURL("/operations");
  await expect(main.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(bars).toHaveCount(0);
});

test("CONFLICT-7 a group of conflicts is marked once, with its note", async ({ page, api, signIn }) => {
  const key = newIdempotencyKey("mark");
  const operationId = operationOf(await api.pay(key, "40.00"));
  expect((await api.pay(key, "400.00")).status).toBe(409);
  const conflict = async () =>
    (
      await api.rows<{ id: string }>(
        "select id from onceboard.idempotency_events where operation_id = $1 and type = 'conflict'",
        operationId,
      )
    )[0]?.id;
  await expect.poll(conflict).toBeDefined();
  await signIn("operator", `/conflicts?open=${(await conflict()) ?? "none"}`);
  await page.getByRole("link", { name: /Mark as client fault|Change the mark/ }).click();
  const dialog = await confirmDialog(page, "Mark 1 group", "their retry path, told them today");
  await expect(dialog.getByText("Done.")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("article").getByText("Marked client fault")).toBeVisible();
  await expect(page.getByText("client fault: their retry path, told them today").first()).toBeVisible();
});

test("AUDIT-1 verifying the audit finds an entry that was changed behind its back", async ({
  page,
  api,
  signIn,
  stack,
}) => {
  const operationId = operationOf(await api.pay(newIdempotencyKey("audit"), "5.00"));
  await signIn("operator", "/audit");
  await adminPost(page, stack, `/operations/${operationId}/reveal`, { reason: "a dispute" });
  const [entry] = await audited(api, operationId);
  const forge = (reason: string) =>
    api.rows<{ sequence: string }>(
      "update onceboard.audit_entries set reason = $2 where id = $1 returning sequence",
      entry?.id,
      reason,
    );
  const [{ sequence } = { sequence: "?" }] = await forge("no dispute");
  await page.getByRole("button", { name: "Verify the whole chain" }).click();
  await expect(page.getByText(`Broken at entry #${sequence}`)).toBeVisible();
  await page.getByRole("link", { name: "Look at it." }).click();
  await expect(page.getByText(": Reveal a body")).toBeVisible();
  await forge("a dispute");
  await page.getByRole("button", { name: /Verify/ }).click();
  await expect(page.getByText(/Unchanged, [\d,]+ entr/)).toBeVisible();
});

test("HTTP-9 Next leaves no connection open that asked for another protocol, and gets no method that is none of a page's", async ({
  stack,
}) => {
  const { hostname, port } = new URL(stack.baseUrl);
  const ask = async (line: string, ...headers: readonly string[]) => {
    const socket = connect(Number(port), hostname);
    socket.write(
      [`${line} HTTP/1.1`, `host: ${hostname}`, "connection: close, Upgrade", ...headers, "", ""].join("\r\n"),
    );
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString()));
    await once(socket, "close");
    return text.split("\r\n", 1)[0];
  };
  // The first page that is asked for is where Next begins to listen for them.
  expect(await ask("GET /sign-in")).toBe("HTTP/1.1 200 OK");
  for (const path of ["/sign-in", "/nowhere", "/api/health/live", "/_next/hmr"])
    expect(await ask(`GET ${path}`, "upgrade: websocket"), path).toMatch(/^HTTP\/1\.1 (200|307|404) /);
  expect(await ask("TRACE /sign-in")).toBe("HTTP/1.1 405 Method Not Allowed");
  expect(await ask("OPTIONS *")).toBe("HTTP/1.1 204 No Content");
  expect(await ask("GET http://anywhere.example/sign-in")).toBe("HTTP/1.1 200 OK");
});
