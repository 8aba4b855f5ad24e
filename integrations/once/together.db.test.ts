import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startOnceboardTests, type OnceboardTestServer, type TestOnceboard } from "../testing";
import type { PgClient } from "../transactions/pg";
import { createOnceboard, type Onceboard, type OnceRequest } from "./create-onceboard";
import type { Work } from "./definition";
import type { OnceResult } from "./once-result";

const PLACE = "orders.place";
const TEXT_OF_EVERYTHING = { getTypeParser: () => (value: string | Buffer) => String(value) };

let server: OnceboardTestServer;
let test: TestOnceboard;
let pool: pg.Pool;
let onceboard: Onceboard<PgClient>;
beforeAll(async () => {
  server = await startOnceboardTests();
  test = await server.create({
    setUp:
      "create table orders (operation_id uuid primary key, item text not null check (item <> 'none'), transaction xid8 not null)",
  });
  // A service may read every type its own way.
  pool = new pg.Pool({ connectionString: test.url, max: 10, types: TEXT_OF_EVERYTHING });
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  const kinds = [{ name: PLACE, label: "Order", sharesTransaction: true }];
  onceboard = createOnceboard({ ...test.secrets, pool, service: "shop", kinds, logLevel: "silent" });
  await onceboard.register();
});
afterAll(async () => {
  await onceboard.close();
  await pool.end();
  await test.drop();
  await server.stop();
});
beforeEach(async () => {
  await test.pool.query({ text: "truncate orders" });
  await test.pool.query({ text: "delete from onceboard.idempotency_requests" });
});

let number = 0;
const request = (more: Partial<OnceRequest> = {}): OnceRequest => {
  number += 1;
  const key = `together-${String(number)}`;
  return { tenant: "acme", operation: PLACE, key, command: { item: "pen", number }, principal: "till", ...more };
};
const INSERT = "insert into orders (operation_id, item, transaction) values ($1, $2, pg_current_xact_id())";
const place =
  (item = "pen"): Work<PgClient> =>
  async (tx, { operationId }) => {
    await tx.query(INSERT, [operationId, item]);
    const { rows } = await tx.query<{ item: string }>({
      text: "select item from orders where operation_id = $1",
      values: [operationId],
    });
    return { status: 201, body: { operationId, item: rows[0]?.item ?? "missing" } };
  };
const together = (works: readonly Work<PgClient>[]): Promise<PromiseSettledResult<OnceResult>[]> =>
  Promise.allSettled(works.map((work) => onceboard.once(request(), work)));
const orders = async (): Promise<{ orders: number; transactions: number }> => {
  const { rows } = await test.pool.query<{ orders: number; transactions: number }>({
    text: "select count(*)::int as orders, count(distinct transaction::text)::int as transactions from orders",
  });
  return rows[0] ?? { orders: -1, transactions: -1 };
};

describe("once() of requests that are here together", () => {
  it("shares transactions, and answers each with its own", async () => {
    const warned: string[] = [];
    const warn = ({ message }: Error): void => void warned.push(message);
    process.on("warning", warn);
    const items = Array.from({ length: 40 }, (_, n) => `item-${String(n)}`);
    const results = await together(items.map(place));
    const bodies = results.map((result) =>
      result.status === "fulfilled" && result.value.outcome === "executed"
        ? (JSON.parse(result.value.response.body.toString()) as { operationId: string; item: string })
        : expect.fail(JSON.stringify(result)),
    );
    expect(bodies.map(({ item }) => item)).toEqual(items);
    const { rows } = await test.pool.query<{ item: string; operation_id: string }>({ text: "select * from orders" });
    expect(new Map(rows.map((row) => [row.item, row.operation_id]))).toEqual(
      new Map(bodies.map(({ item, operationId }) => [item, operationId])),
    );
    const made = await orders();
    expect(made.orders).toBe(items.length);
    expect(made.transactions).toBeLessThanOrEqual(items.length / 4);
    expect(await test.violations(PLACE, "select operation_id from orders")).toEqual([]);
    // `pg` warns whoever sends a query while another is under way on the connection.
    process.off("warning", warn);
    expect(warned).toEqual([]);
  });

  it("gives one key to one of many, in one turn too", async () => {
    const asked = request();
    const results = await Promise.all(Array.from({ length: 20 }, () => onceboard.once(asked, place())));
    const bodies = new Set(
      results.map((result) => ("response" in result ? result.response.body.toString() : result.outcome)),
    );
    expect(bodies.size).toBe(1);
    expect(results.filter(({ outcome }) => outcome === "executed")).toHaveLength(1);
    expect((await orders()).orders).toBe(1);
  });

  it.each([
    ["throws", () => Promise.reject(new RangeError("no more"))],
    ["breaks a statement", place("none")],
    [
      "swallows what broke",
      async (tx: PgClient) => {
        await tx.query("select 1 / 0").catch(() => undefined);
        return { status: 201 };
      },
    ],
  ] as const)("leaves nothing of one that %s, and all of the others, once", async (_, bad) => {
    const results = await together([place(), place(), bad, place(), place()]);
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    expect((await orders()).orders).toBe(4);
    expect(await test.violations(PLACE, "select operation_id from orders")).toEqual([]);
  });

  it("knows of nobody whether it was done where the connection dies, and every key finds out", async () => {
    const asked = Array.from({ length: 8 }, () => request());
    let killed = false;
    const kill: Work<PgClient> = async (tx, claim) => {
      const answer = await place()(tx, claim);
      if (!killed) {
        killed = true;
        const { rows } = await tx.query<{ pid: string }>("select pg_backend_pid() as pid");
        await test.pool.query({ text: "select pg_terminate_backend($1)", values: [rows[0]?.pid] });
      }
      return answer;
    };
    await Promise.allSettled(asked.map((one) => onceboard.once(one, kill)));
    const again = await Promise.all(asked.map((one) => onceboard.once(one, place())));
    expect(again.every(({ outcome }) => outcome === "executed" || outcome === "replayed")).toBe(true);
    expect((await orders()).orders).toBe(asked.length);
    expect(await test.violations(PLACE, "select operation_id from orders")).toEqual([]);
  });

  it("leaves those alone that join a transaction of their caller", async () => {
    const client = await pool.connect();
    await client.query("begin");
    const inside = onceboard.once(request(), place("inside"), { within: client });
    await Promise.all([inside, ...Array.from({ length: 5 }, () => onceboard.once(request(), place()))]);
    await client.query("rollback");
    client.release();
    const { rows } = await test.pool.query<{ item: string }>({ text: "select distinct item from orders" });
    expect(rows).toEqual([{ item: "pen" }]);
    expect((await orders()).orders).toBe(5);
  });
});
