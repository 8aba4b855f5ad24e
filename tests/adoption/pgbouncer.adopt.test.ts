import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startPooler, type TestPooler } from "@/db/testing/pooler";
import { openPackaged, type PackagedDeployment } from "./deployment";
import { startWarehouse } from "./warehouse";

/** The module of tests/adoption/orders, whose processes reach the database through PgBouncer in transaction mode. */

const FILES = "tests/adoption/orders";
const PATIENCE = { timeout: 60_000, interval: 200 };
/** Fewer than there are callers, so that transactions change sessions. */
const SERVER_CONNECTIONS = 4;
const CALLERS = 20;

describe("the packed package behind PgBouncer", () => {
  let warehouse: Awaited<ReturnType<typeof startWarehouse>>;
  let deployment: PackagedDeployment;
  let pooler: TestPooler | undefined;
  let key: string;
  beforeAll(async () => {
    warehouse = await startWarehouse();
    deployment = await openPackaged(inject("installed"), FILES, { WAREHOUSE_URL: warehouse.url });
    expect(deployment.command("migrate")).toMatchObject({ status: 0 });
    key = deployment.command("api-key", "--tenant", "acme", "--name", "shop", "--scopes", "orders").stdout.trim();
    const direct = deployment.env["DATABASE_URL"] ?? "";
    pooler = await startPooler(direct, SERVER_CONNECTIONS).catch((error: unknown) => {
      process.stderr.write(`The package is not tested behind PgBouncer: ${String(error)}\n`);
      return undefined;
    });
    if (pooler !== undefined) deployment.env["DATABASE_URL"] = pooler.through(direct);
  });
  afterAll(async () => {
    await pooler?.stop();
    await deployment.close();
    await warehouse.close();
  });

  const place = async (idempotencyKey: string) => {
    const answer = await fetch(`${deployment.url}/api/v1/orders`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": idempotencyKey,
      },
      body: JSON.stringify({ item: "lamp", quantity: 2 }),
    });
    const replayed = answer.headers.get("idempotent-replayed") === "true";
    return { status: answer.status, replayed, text: await answer.text() };
  };

  it("refuses to migrate through it, and serves and works through it", async (context) => {
    context.skip(pooler === undefined);
    const migrated = deployment.command("migrate");
    expect(migrated.status).toBeGreaterThan(0);
    await deployment.start("serve");
    await deployment.start("worker");
    const once = randomUUID();
    const first = await place(once);
    const again = await place(once);
    expect([first.status, first.replayed, again.status, again.replayed]).toEqual([201, false, 201, true]);
    expect(again.text).toBe(first.text);
    const others = await Promise.all(Array.from({ length: CALLERS }, () => place(randomUUID())));
    expect(others.map(({ status }) => status)).toEqual(Array.from({ length: CALLERS }, () => 201));
    expect(warehouse.total()).toBe(1 + CALLERS);
    // The worker relays the event of each order, and its consumer ships it once.
    const shipments = () => deployment.rows("select id from orders.shipments");
    await expect.poll(async () => (await shipments()).length, PATIENCE).toBe(1 + CALLERS);
    const sessions = await deployment.rows<{ n: number }>(
      "select count(*)::int as n from pg_stat_activity where usename = 'onceboard_process'",
    );
    expect(sessions[0]?.n).toBeLessThanOrEqual(SERVER_CONNECTIONS);
    expect(sessions[0]?.n).toBeGreaterThan(0);
  });
});
