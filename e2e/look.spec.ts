import type { Page } from "@playwright/test";
import { expect, test, type ApiFixture } from "./support/fixtures";
import { flaws, COLOUR_SCHEMES, type ColourScheme } from "./support/flaws";
import {
  audited,
  adminPost,
  deadWebhook,
  newIdempotencyKey,
  operationOf,
  E2E_TENANT,
  unknownPayment,
} from "./support/steps";
import type { StackInfo } from "./support/stack-info";

const EMPTY = "zz-empty";
/** Every width is looked at for what sticks out, the last one by axe too. */
const LOOKS = { wide: [390, 1024, 1440], phone: [1440, 1024, 390] } as const;
/** Of one test: a page takes some seconds. */
const CHUNK = 16;
const CHUNKS = 3;
const HEIGHT = 900;
const LISTS = [
  "/",
  "/operations",
  "/conflicts",
  "/attention",
  "/approvals",
  "/flow",
  "/outbox",
  "/inbox",
  "/topics",
  "/consumers",
  "/dead-letters",
  "/policies",
  "/policies/payments.create",
  "/checklist",
  "/metrics",
  "/invariants",
  "/retention",
  "/clients",
  "/audit",
  "/settings",
  "/settings/webhooks",
  "/settings/people",
  "/settings/sessions",
  "/settings/security",
  "/settings/permissions",
  "/find",
];

let pages: readonly string[] | undefined;

/** One of everything, made once: each page has something to show. */
async function withData(api: ApiFixture, page: Page, stack: StackInfo): Promise<readonly string[]> {
  if (pages !== undefined) return pages;
  const key = newIdempotencyKey("look");
  const done = operationOf(await api.pay(key, "481.24"));
  await api.pay(key, "4812.40");
  const { operationId: unknown } = await unknownPayment(api, "12480.00");
  const { inboxId } = await deadWebhook(api, "77.10");
  await adminPost(page, stack, `/operations/${done}/reveal`, { reason: "a dispute of the customer" });
  const entry = (await audited(api, done))[0]?.id ?? "none";
  const conflict = async () =>
    (
      await api.rows<{ id: string }>(
        "select id from onceboard.idempotency_events where operation_id = $1 and type = 'conflict'",
        done,
      )
    )[0]?.id;
  await expect.poll(conflict).toBeDefined();
  const sent = async () =>
    (await api.rows<{ id: string }>("select id from onceboard.outbox_history where operation_id = $1 limit 1", done))[0]
      ?.id;
  await expect.poll(sent).toBeDefined();
  pages = [
    ...LISTS,
    "/?range=1h&table=true",
    "/metrics?range=1h&group=client",
    "/metrics?range=7d&table=true",
    `/operations?open=${done}`,
    `/operations/${done}?open=events`,
    `/operations/${done}?open=raw`,
    `/operations/${unknown}`,
    `/operations/${unknown}?dialog=reconcile`,
    `/conflicts?open=${(await conflict()) ?? ""}`,
    `/outbox/${(await sent()) ?? ""}`,
    `/inbox/${inboxId}`,
    "/topics/payments?range=6h",
    "/topics/payments?range=1h&table=true",
    "/topics/payments?dialog=pause",
    "/consumers/provider-webhook",
    `/audit?open=${entry}&verify=true`,
    "/audit?chain=access",
    "/clients/till-web?range=7d",
    "/clients?dialog=create",
    "/retention?dialog=purge",
    "/find?q=nothing-has-this-name",
    "/operations/0198aaaa-0000-7000-8000-000000000000",
  ];
  return pages;
}

/** One look at a page: its widths, of which axe sees the last, and its schemes. */
interface Look {
  readonly widths: readonly number[];
  readonly schemes: readonly ColourScheme[];
}

/**
 * A list is looked at twice, with data and without: once wide and once on the phone, once light and once dark. Other pages are looked
 * at once, in both schemes. `LOOK_AT=all` looks at each page in every way.
 */
function looksOf(path: string, index: number, hasData: boolean): readonly Look[] {
  if (process.env["LOOK_AT"] === "all")
    return [LOOKS.wide, LOOKS.phone].map((widths) => ({ widths, schemes: COLOUR_SCHEMES }));
  const turn = hasData ? 0 : 1;
  const widths = (index + turn) % 2 === 0 ? LOOKS.wide : LOOKS.phone;
  const scheme = (Math.floor(index / 2) + turn) % 2 === 0 ? "light" : "dark";
  return [{ widths, schemes: LISTS.includes(path) ? [scheme] : COLOUR_SCHEMES }];
}

async function look(page: Page, path: string, index: number, hasData: boolean): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { widths, schemes } of looksOf(path, index, hasData))
    found.push(...(await flaws(page, path, widths, schemes)));
  return found;
}

for (const chunk of Array.from({ length: CHUNKS }).keys())
  test(`UI-4 every page with data, light and dark, part ${String(chunk + 1)}`, async ({ page, api, stack, signIn }) => {
    test.setTimeout(600_000);
    await signIn("admin", "/settings");
    const all = await withData(api, page, stack);
    const end = chunk === CHUNKS - 1 ? all.length : (chunk + 1) * CHUNK;
    const found: string[] = [];
    for (let index = chunk * CHUNK; index < end; index += 1)
      found.push(...(await look(page, all[index] ?? "", index, true)));
    expect(found).toEqual([]);
  });

test("signing in, light and dark", async ({ page }) => {
  const found: string[] = [];
  for (const path of ["/sign-in", "/join"])
    for (const widths of [LOOKS.wide, LOOKS.phone]) found.push(...(await flaws(page, path, widths)));
  expect(found).toEqual([]);
});

test("every page of a tenant without data, light and dark", async ({ page, api, signIn }) => {
  test.setTimeout(600_000);
  await api.rows("insert into onceboard.tenants (id, name) values ($1, $1) on conflict do nothing", EMPTY);
  await signIn("viewer", `/?tenant=${EMPTY}`);
  await expect(page.getByRole("banner")).toContainText(EMPTY);
  const found: string[] = [];
  for (const [index, path] of LISTS.entries()) found.push(...(await look(page, path, index, false)));
  expect(found).toEqual([]);
});

test("the keyboard finds, walks and opens", async ({ page, api, signIn }) => {
  const operationIds = [
    operationOf(await api.pay(newIdempotencyKey("walk"), "33.01")),
    operationOf(await api.pay(newIdempotencyKey("walk"), "33.02")),
  ];
  await page.setViewportSize({ width: 1280, height: HEIGHT });
  await signIn("viewer", "/operations?tenant=acme");
  await expect(page.getByText("No newer operations.")).toBeVisible();
  await expect(async () => {
    await page.keyboard.press("/");
    await expect(page.getByRole("banner").getByRole("textbox")).toBeFocused({ timeout: 250 });
  }).toPass();
  await page.keyboard.type("jk");
  await expect(page.getByRole("banner").getByRole("textbox")).toHaveValue("jk");
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { level: 1 }).click();
  const link = (amount: string) => page.getByRole("link", { name: `Payment €${amount}, ` });
  await page.keyboard.press("j");
  await expect(link("33.02")).toBeFocused();
  await page.keyboard.press("j");
  await expect(link("33.01")).toBeFocused();
  await page.keyboard.press("k");
  await expect(link("33.02")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/operations/${operationIds[1] ?? ""}`);
});

test("a page that breaks its policy would be seen here", async ({ page, signIn }) => {
  const response = page.waitForResponse((answer) => new URL(answer.url()).pathname === "/settings");
  await signIn("viewer", "/settings");
  const policy = (await response).headers()["content-security-policy"] ?? "";
  expect(policy).toContain("script-src 'self' 'nonce-");
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  expect(policy).toContain("frame-ancestors 'none'");
  await expect(page.getByRole("banner")).toContainText(E2E_TENANT);
});
