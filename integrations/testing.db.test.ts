import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createOnceboard, type Onceboard } from "./once/create-onceboard";
import type { Work } from "./once/definition";
import { startOnceboardTests, type OnceboardTestServer, type TestOnceboard } from "./testing";
import type { PgClient } from "./transactions/pg";

const SET_UP = "create schema shop; create table shop.orders (operation_id uuid not null)";
const EFFECTS = "select operation_id from shop.orders";
const PLACE = "orders.place";
const LEASE_SECONDS = 30;

let server: OnceboardTestServer;
let test: TestOnceboard;
let onceboard: Onceboard<PgClient>;
beforeAll(async () => {
  server = await startOnceboardTests();
  test = await server.create({ setUp: SET_UP });
  const kinds = [{ name: PLACE, label: "Order" }];
  onceboard = createOnceboard({ ...test.secrets, pool: test.pool, service: "shop", kinds, logLevel: "silent" });
});
afterAll(async () => {
  await onceboard.close();
  await test.drop();
  await server.stop();
});
beforeEach(async () => {
  await test.pool.query({ text: "truncate shop.orders" });
  await test.pool.query({ text: "delete from onceboard.idempotency_requests" });
});

const insert = "insert into shop.orders (operation_id) values ($1)";
/** @param times that it writes its row @returns the operation */
async function place(times: number, status = 201): Promise<string> {
  let id = "";
  const work: Work<PgClient> = async (tx, { operationId }) => {
    id = operationId;
    for (let time = 0; time < times; time += 1) await tx.query(insert, [operationId]);
    return { status };
  };
  const key = randomBytes(8).toString("hex");
  await onceboard.once({ tenant: "acme", operation: PLACE, key, command: {}, principal: "till" }, work);
  return id;
}

describe("the oracle of a service's tests", () => {
  it("finds nothing where each operation has its effect once", async () => {
    await place(1);
    await place(0, 409);
    expect(await test.violations(PLACE, EFFECTS)).toEqual([]);
  });

  it.each([
    ["an operation with two effects", async () => `${await place(2)}: COMPLETED, 2 effects`],
    ["an operation without its effect", async () => `${await place(0)}: COMPLETED, 0 effects`],
    ["an effect of a refusal", async () => `${await place(1, 409)}: FAILED_REPLAYABLE, 1 effects`],
    [
      "an effect of no operation",
      async () => {
        const id = randomUUID();
        await test.pool.query({ text: insert, values: [id] });
        return `${id}: no operation, 1 effects`;
      },
    ],
  ])("finds %s", async (_what, plant) => {
    await place(1);
    const sentence = await plant();
    expect(await test.violations(PLACE, EFFECTS)).toEqual([sentence]);
  });
});

describe("the clock of a service's tests", () => {
  it("lets a lease end at its second and no earlier", async () => {
    const id = await place(1);
    await test.pool.query({
      text: `insert into onceboard.idempotency_open (tenant_id, operation_id, operation, key, owner, fence, locked_until, opened_at, stage)
             select tenant_id, operation_id, operation, key, 'other', fence, clock_timestamp() + make_interval(secs => $2), created_at, 'RECEIVED'
             from onceboard.idempotency_requests where operation_id = $1`,
      values: [id, LEASE_SECONDS],
    });
    const isOver = async () => {
      const { rows } = await test.pool.query<{ over: boolean }>({
        text: "select locked_until <= clock_timestamp() as over from onceboard.idempotency_open where operation_id = $1",
        values: [id],
      });
      return rows[0]?.over;
    };
    // Seconds of this test's own running are in it, so not the last one before the end.
    await test.passTime(LEASE_SECONDS / 2);
    expect(await isOver()).toBe(false);
    await test.passTime(LEASE_SECONDS / 2);
    expect(await isOver()).toBe(true);
  });
});
