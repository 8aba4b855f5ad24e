import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Queryable } from "@/db/client";
import { startOnceboardTests, type OnceboardTestServer, type TestOnceboard } from "../testing";
import { pgTransactions, type PgClient } from "../transactions/pg";
import { createOnceboard, type Onceboard, type OnceRequest } from "./create-onceboard";
import type { Work } from "./definition";

const SET_UP = `create schema shop; create table shop.orders (operation_id uuid not null);
  grant usage on schema shop to public; grant select, insert on shop.orders to public;`;
const EFFECTS = "select operation_id from shop.orders";
const PLACE = "orders.place";
const kinds = [{ name: PLACE, label: "Order" }];

let server: OnceboardTestServer;
let test: TestOnceboard;
let onceboard: Onceboard<PgClient>;
const ends: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  server = await startOnceboardTests();
  test = await server.create({ setUp: SET_UP });
  onceboard = serviceOf(test.pool);
});
afterAll(async () => {
  for (const end of ends) await end();
  await test.drop();
  await server.stop();
});

function serviceOf(pool: TestOnceboard["pool"]): Onceboard<PgClient> {
  const made = createOnceboard({ ...test.secrets, pool, service: "shop", kinds, logLevel: "silent" });
  ends.unshift(() => made.close());
  return made;
}
function poolOf(max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: test.url, max });
  pool.on("error", () => undefined);
  ends.push(() => pool.end());
  return pool;
}
function request(more: Partial<OnceRequest> = {}): OnceRequest {
  const key = randomBytes(8).toString("hex");
  return { tenant: "acme", operation: PLACE, key, command: { item: "pen" }, principal: "till", ...more };
}
const place: Work<PgClient> = async (tx, { operationId }) => {
  await tx.query("insert into shop.orders (operation_id) values ($1)", [operationId]);
  return { status: 201, body: { orderId: operationId } };
};
function gate(): { readonly open: () => void; readonly opened: Promise<void> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe("once() in a transaction that is open", () => {
  it("runs what is started together one after the other, and takes back only what failed", async () => {
    const [failing, good] = [request(), request()];
    const outcomes = await pgTransactions(test.pool).run((tx) => {
      const wrong: Work<PgClient> = async (inner, claim) => {
        await place(inner, claim);
        throw new Error("out of stock");
      };
      return Promise.allSettled([
        onceboard.once(good, place, { within: tx }),
        onceboard.once(failing, wrong, { within: tx }),
        onceboard.once(request(), place, { within: tx }),
      ]);
    });
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await onceboard.once(failing, place)).toMatchObject({ outcome: "executed" });
    expect(await onceboard.once(good, place)).toMatchObject({ outcome: "replayed" });
    expect(await test.violations(PLACE, EFFECTS)).toEqual([]);
  });

  it("runs within the work of another one, under a savepoint of its own", async () => {
    const [outer, inner, failing] = [request(), request(), request()];
    await pgTransactions(test.pool).run((tx) =>
      onceboard.once(
        outer,
        async (own, claim) => {
          await onceboard.once(inner, place, { within: own });
          await expect(onceboard.once(failing, () => Promise.reject(new Error("no")), { within: own })).rejects.toThrow(
            "no",
          );
          return place(own, claim);
        },
        { within: tx },
      ),
    );
    for (const asked of [outer, inner])
      expect(await onceboard.once(asked, place)).toMatchObject({ outcome: "replayed" });
    expect(await onceboard.once(failing, place)).toMatchObject({ outcome: "executed" });
    expect(await test.violations(PLACE, EFFECTS)).toEqual([]);
  });

  it.each([1, 3])("needs no connection of the pool beside it, also when all %i are taken", async (max) => {
    const pool = poolOf(max);
    const service = serviceOf(pool);
    const together = gate();
    let begun = 0;
    const one = () =>
      pgTransactions(pool).run(async (tx) => {
        begun += 1;
        if (begun === max) together.open();
        await together.opened;
        return service.once(request(), place, { within: tx });
      });
    const results = await Promise.all(Array.from({ length: max }, one));
    expect(results.map(({ outcome }) => outcome)).toEqual(Array.from({ length: max }, () => "executed"));
    expect(await test.violations(PLACE, EFFECTS)).toEqual([]);
  });
});

describe("once() beside another process", () => {
  it("is in progress after 5 s while the other's work does not end, whatever the pool's own limits", async () => {
    const asked = request();
    const [begun, end] = [gate(), gate()];
    const first = onceboard.once(asked, async (tx, claim) => {
      begun.open();
      await end.opened;
      return place(tx, claim);
    });
    await begun.opened;
    const pool = poolOf(1);
    const other = serviceOf(pool);
    const limit = async (on: Queryable) =>
      (await on.query<{ lock_timeout: string }>({ text: "show lock_timeout" })).rows[0]?.lock_timeout;
    expect(await other.once(asked, place)).toMatchObject({ outcome: "in_progress", retryAfterSeconds: 1 });
    end.open();
    expect(await first).toMatchObject({ outcome: "executed" });
    // The wait of the key is bounded, and what the work waits for is the service's own matter.
    let during: string | undefined;
    await other.once(request(), async (tx, claim) => {
      during = await limit(tx);
      return place(tx, claim);
    });
    expect(during).toBe(await limit(pool));
    expect(await test.violations(PLACE, EFFECTS)).toEqual([]);
  });
});
