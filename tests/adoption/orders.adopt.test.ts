import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ended, openPackaged, packageHash, type PackagedDeployment } from "./deployment";
import { startWarehouse } from "./warehouse";

const FILES = "tests/adoption/orders";
const PATIENCE = { timeout: 30_000, interval: 200 };
/** Without blank ones. */
const MAX_LINES = 60;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

let warehouse: Awaited<ReturnType<typeof startWarehouse>>;
let deployment: PackagedDeployment;
let key: string;
let packed: string;
beforeAll(async () => {
  packed = packageHash(inject("installed"));
  warehouse = await startWarehouse();
  deployment = await openPackaged(inject("installed"), FILES, {
    WAREHOUSE_URL: warehouse.url,
    // The owner that is killed keeps its lease no longer than this.
    LEASE_SECONDS: "2",
    PROVIDER_TIMEOUT_MS: "1000",
  });
});
afterAll(async () => {
  await deployment.close();
  await warehouse.close();
});

async function call(method: string, path: string, body?: unknown, idempotencyKey?: string): Promise<Answer> {
  const answer = await fetch(`${deployment.url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.text();
  const json = text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: answer.status, headers: answer.headers, text, json };
}

const ordered = () =>
  deployment.rows<{ id: string; status: string }>("select id, status from orders.orders order by placed_at");

describe("a module of somebody's own, on the packed package", () => {
  it("is short", () => {
    const lines = readFileSync(`${FILES}/onceboard.config.mjs`, "utf8").split("\n");
    expect(lines.filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(MAX_LINES);
  });

  it("has its tables after onceboard migrate, and a key after onceboard api-key", () => {
    expect(deployment.command("migrate")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("orders/0001_orders") as string,
    });
    const made = deployment.command("api-key", "--tenant", "acme", "--name", "shop", "--scopes", "orders,admin");
    expect(made).toMatchObject({ status: 0, stderr: "" });
    key = made.stdout.trim();
  });

  it("a POST that is sent twice is one row, and the same bytes", async () => {
    const serve = await deployment.start("serve");
    const [once, twice] = [randomUUID(), randomUUID()];
    const first = await call("POST", "/orders", { item: "lamp", quantity: 2 }, once);
    const second = await call("POST", "/orders", { item: "lamp", quantity: 2 }, once);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    const other = await call("POST", "/orders", { item: "lamp", quantity: 3 }, once);
    expect(other.status).toBe(409);
    expect((await call("POST", "/orders", { item: "lamp", quantity: 0 }, twice)).status).toBe(422);
    expect(await ordered()).toEqual([{ id: first.json["id"], status: "succeeded" }]);
    expect(warehouse.total()).toBe(1);
    await ended(serve, "SIGTERM");
  });

  it("kill -9 after the warehouse took the order: the console asks and settles it, once", async () => {
    const serve = await deployment.start("serve");
    warehouse.hold();
    const again = randomUUID();
    const cut = call("POST", "/orders", { item: "chair", quantity: 1 }, again).catch(() => "cut");
    await expect.poll(() => warehouse.total(), PATIENCE).toBe(2);
    await ended(serve, "SIGKILL");
    expect(await cut).toBe("cut");
    warehouse.release();
    await deployment.start("serve");
    const id = (await ordered())[1]?.id ?? "";
    expect((await ordered())[1]?.status).toBe("pending");
    const reconciled = () =>
      call("POST", `/admin/operations/${id}/reconcile`, { reason: "the process was killed" }, randomUUID());
    await expect.poll(async () => (await reconciled()).status, PATIENCE).toBe(200);
    expect(await ordered()).toMatchObject([{ status: "succeeded" }, { id, status: "succeeded" }]);
    const retried = await call("POST", "/orders", { item: "chair", quantity: 1 }, again);
    expect([retried.status, retried.json["id"], retried.headers.get("idempotent-replayed")]).toEqual([201, id, "true"]);
    expect(warehouse.reservations(id)).toBe(1);
  });

  it("after the worker handled the events, the proof of each order is green", async () => {
    await deployment.start("worker");
    const ids = (await ordered()).map(({ id }) => id);
    const shipped = () => deployment.rows<{ id: string }>("select id from orders.shipments order by id");
    await expect.poll(shipped, PATIENCE).toEqual(ids.sort().map((id) => ({ id })));
    for (const id of ids) {
      const verdict = async () => (await call("GET", `/admin/operations/${id}/proof`)).json["verdict"];
      await expect.poll(verdict, PATIENCE).toBe("proven");
    }
  });

  it("shows its pages from the package", async () => {
    const page = await fetch(`${deployment.url}/sign-in`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("Onceboard");
    expect((await fetch(`${deployment.url}/operations`, { redirect: "manual" })).status).toBe(307);
  });

  it("left the package as it was", () => {
    expect(packageHash(inject("installed"))).toBe(packed);
  });
});
