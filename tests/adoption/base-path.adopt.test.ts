import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { addressesIn } from "@/tests/base-path/page-addresses";
import { launchBrowser } from "@/tests/support/browser";
import { openPackaged, packageHash, type PackagedDeployment } from "./deployment";
import { startWarehouse } from "./warehouse";

const BASE = "/ops/onceboard";
const PERSON = { email: "ada@example.com", password: "correct-horse-battery" } as const;

let warehouse: Awaited<ReturnType<typeof startWarehouse>>;
let deployment: PackagedDeployment;
let packed: string;
beforeAll(async () => {
  packed = packageHash(inject("installed"));
  warehouse = await startWarehouse();
  deployment = await openPackaged(inject("installed"), "tests/adoption/orders", {
    BASE_PATH: BASE,
    WAREHOUSE_URL: warehouse.url,
  });
});
afterAll(async () => {
  await deployment.close();
  await warehouse.close();
});

describe("PATH-1 the packed package below a path of a shared host", () => {
  it("serves the API there, and nothing at the root", async () => {
    expect(deployment.command("migrate").status).toBe(0);
    await deployment.start("serve");
    const key = deployment.command("api-key", "--tenant", "acme", "--name", "shop", "--scopes", "orders").stdout.trim();
    const body = JSON.stringify({ item: "book", quantity: 1 });
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
    };
    const place = () => fetch(`${deployment.url}${BASE}/api/v1/orders`, { method: "POST", headers, body });
    const [first, again] = [await place(), await place()];
    expect([first.status, again.status, again.headers.get("idempotent-replayed")]).toEqual([201, 201, "true"]);
    expect(await again.text()).toBe(await first.text());
    for (const path of ["/", "/api/health/live", "/sign-in"])
      expect([path, (await fetch(deployment.url + path, { redirect: "manual" })).status]).toEqual([path, 404]);
  });

  it("serves the console there: pages, scripts and links, and the package is as it was", async () => {
    const { email, password } = PERSON;
    expect(deployment.command("operator", "--email", email, "--password", password, "--role", "operator").status).toBe(
      0,
    );
    const html = await (await fetch(`${deployment.url}${BASE}/sign-in`)).text();
    const addresses = addressesIn(html);
    expect(addresses.length).toBeGreaterThan(3);
    expect(addresses.filter((address) => !`${address}/`.startsWith(`${BASE}/`))).toEqual([]);

    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      const strayed: string[] = [];
      page.on("request", (request) => {
        if (!new URL(request.url()).pathname.startsWith(BASE)) strayed.push(request.url());
      });
      await page.goto(`${deployment.url}${BASE}/operations`);
      await page.getByLabel("E-mail").fill(email);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.locator("tr[data-row] a[data-row-link]").first().click();
      // Led there by the router, which takes the base path away and adds it.
      await page.waitForURL(new RegExp(`${BASE}/operations/[0-9a-f-]{36}$`));
      await page.getByRole("heading", { level: 1 }).filter({ hasText: "Executed once." }).waitFor();
      expect(strayed).toEqual([]);
    } finally {
      await browser.close();
    }
    expect(packageHash(inject("installed"))).toBe(packed);
    expect(readdirSync(join(deployment.folder, ".onceboard/console"))).toHaveLength(1);
  });
});
