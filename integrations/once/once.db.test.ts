import { randomBytes } from "node:crypto";
import { sql as drizzleSql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { Kysely, PostgresDialect, sql as kyselySql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  crashing,
  startOnceboardTests,
  type OnceCrash,
  type OnceboardTestServer,
  type TestOnceboard,
} from "../testing";
import { drizzleTransactions } from "../transactions/drizzle";
import { kyselyTransactions } from "../transactions/kysely";
import { pgTransactions } from "../transactions/pg";
import { prismaTransactions } from "../transactions/prisma";
import type { Transactions } from "../transactions/transactions";
import { createOnceboard, type OnceRequest } from "./create-onceboard";
import type { Work } from "./definition";

const SET_UP = `
  create schema shop;
  create table shop.orders (id bigint generated always as identity primary key, operation_id uuid not null, item text not null,
    quantity integer not null check (quantity > 0));
  -- Behind a pooler everybody has one login.
  grant usage on schema shop to public; grant select, insert, update, delete on shop.orders to public;`;
const EFFECTS = "select operation_id from shop.orders";
const PLACE = "orders.place";
const CALLERS = 50;

let server: OnceboardTestServer;
let test: TestOnceboard;
let pool: pg.Pool;
const ends: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  server = await startOnceboardTests();
  test = await server.create({ setUp: SET_UP });
  pool = await poolOfService(test);
});
afterAll(async () => {
  for (const end of ends) await end();
  await test.drop();
  await server.stop();
});

/** As a service has it: its own tables, and the functions of the role for services. */
async function poolOfService({ url, pool: owner }: TestOnceboard): Promise<pg.Pool> {
  const login = `shop_${randomBytes(4).toString("hex")}`;
  await owner.query({ text: `create role ${login} login password 'shop' in role onceboard_service` });
  const address = new URL(url);
  address.username = login;
  address.password = "shop";
  const made = new pg.Pool({ connectionString: address.toString(), max: 20 });
  made.on("error", () => undefined);
  // drizzle and Kysely listen to no client that they took: without this a connection that dies would end the process.
  made.on("connect", (client) => client.on("error", () => undefined));
  ends.push(async () => {
    await made.end();
    await owner.query({ text: `drop owned by ${login}` });
    await owner.query({ text: `drop role ${login}` });
  });
  return made;
}

/** One library: its transactions, and an order written with its own transaction object. */
interface Library<Tx> {
  readonly transactions: Transactions<Tx>;
  insert(tx: Tx, operationId: string, item: string, quantity: number): Promise<unknown>;
}
type AnyLibrary = Library<never>;

const INSERT = "insert into shop.orders (operation_id, item, quantity) values ($1, $2, $3)";

const LIBRARIES: Readonly<Record<string, () => AnyLibrary>> = {
  pg: () => {
    const library: Library<pg.PoolClient> = {
      transactions: pgTransactions(pool),
      insert: (tx, ...values) => tx.query(INSERT, values),
    };
    return library as unknown as AnyLibrary;
  },
  drizzle: () => {
    const db = drizzle(pool);
    const transactions = drizzleTransactions(db, drizzleSql);
    const library: Library<Parameters<Parameters<typeof db.transaction>[0]>[0]> = {
      transactions,
      insert: (tx, operationId, item, quantity) =>
        tx.execute(
          drizzleSql`insert into shop.orders (operation_id, item, quantity) values (${operationId}, ${item}, ${quantity})`,
        ),
    };
    return library as unknown as AnyLibrary;
  },
  Kysely: () => {
    interface Tables {
      "shop.orders": { operation_id: string; item: string; quantity: number };
    }
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
    const library: Library<Parameters<Parameters<ReturnType<typeof db.transaction>["execute"]>[0]>[0]> = {
      transactions: kyselyTransactions(db, kyselySql),
      insert: (tx, operation_id, item, quantity) =>
        tx.insertInto("shop.orders").values({ operation_id, item, quantity }).execute(),
    };
    return library as unknown as AnyLibrary;
  },
  Prisma: () => {
    const library: Library<RawTransaction> = {
      transactions: prismaTransactions(prismaLike(pool)),
      insert: (tx, ...values) => tx.$queryRawUnsafe(INSERT, ...values),
    };
    return library as unknown as AnyLibrary;
  },
};

interface RawTransaction {
  $queryRawUnsafe<T>(text: string, ...values: unknown[]): Promise<T>;
}

/** What of Prisma's client is used, with its way of saying a code: the real one generates code and downloads an engine. */
function prismaLike(of: pg.Pool) {
  return {
    $transaction: <T>(work: (tx: RawTransaction) => Promise<T>): Promise<T> =>
      pgTransactions(of).run((client) =>
        work({
          $queryRawUnsafe: async <R>(text: string, ...values: unknown[]) => {
            try {
              return (await client.query(text, values)).rows as R;
            } catch (error) {
              const { code } = error as { code?: string };
              throw Object.assign(new Error("Raw query failed", { cause: error }), { code: "P2010", meta: { code } });
            }
          },
        }),
      ),
  };
}

class OutOfStock extends Error {}

describe.each(Object.keys(LIBRARIES))("once() with %s", (name) => {
  let library: AnyLibrary;
  let onceboard: ReturnType<typeof createOnceboard<never>>;
  let crash: OnceCrash | undefined;
  let number = 0;
  beforeAll(() => {
    library = LIBRARIES[name]?.() ?? expect.fail("no library");
    const transactions = crashing(library.transactions, () => {
      const point = crash;
      crash = undefined;
      return point;
    });
    const { secrets } = test;
    onceboard = createOnceboard({
      ...secrets,
      pool,
      service: "shop",
      transactions,
      kinds: [{ name: PLACE, label: "Order" }],
      logLevel: "silent",
    });
    ends.unshift(() => onceboard.close());
  });
  beforeEach(async () => {
    crash = undefined;
    await test.pool.query({ text: "truncate shop.orders" });
    await test.pool.query({ text: "delete from onceboard.idempotency_requests" });
  });

  const request = (more: Partial<OnceRequest> = {}): OnceRequest => {
    number += 1;
    const key = `${name}-${String(number)}`;
    return { tenant: "acme", operation: PLACE, key, command: { item: "pen", quantity: 2 }, principal: "till", ...more };
  };
  const place: Work<never> = async (tx, { operationId }) => {
    await library.insert(tx, operationId, "pen", 2);
    return {
      status: 201,
      body: { orderId: operationId, item: "pen" },
      headers: { Location: `/orders/${operationId}` },
      resource: { type: "order", id: operationId },
      messages: [
        { topic: "orders", type: "order.placed", aggregate: { type: "order", id: operationId }, data: { item: "pen" } },
      ],
    };
  };
  const count = async (from: string, ...values: unknown[]): Promise<number> => {
    const { rows } = await test.pool.query<{ n: number }>({ text: `select count(*)::int as n from ${from}`, values });
    return rows[0]?.n ?? -1;
  };
  const messages = (operationId: string) => count("onceboard.outbox_messages where operation_id = $1", operationId);
  const records = () => count("onceboard.idempotency_requests where operation = $1", PLACE);

  it("executes one of fifty callers at once, and gives the others its bytes", async () => {
    const asked = request();
    const results = await Promise.all(Array.from({ length: CALLERS }, () => onceboard.once(asked, place)));
    const executed = results.filter(({ outcome }) => outcome === "executed");
    expect(executed).toHaveLength(1);
    const [first] = executed;
    if (first?.outcome !== "executed") return expect.fail("nothing was executed");
    for (const result of results.filter((one) => one !== first)) {
      // Whoever did not get a turn in time is told that the key is in progress, and asks again.
      const answer = result.outcome === "in_progress" ? await onceboard.once(asked, place) : result;
      expect(answer).toMatchObject({ outcome: "replayed", response: { status: 201, headers: first.response.headers } });
      if (answer.outcome === "replayed") expect(answer.response.body.equals(first.response.body)).toBe(true);
    }
    expect(await count("shop.orders")).toBe(1);
    expect(await messages(first.operation.operationId)).toBe(1);
    expect(await test.violations(PLACE, EFFECTS)).toEqual([]);
  });

  it("leaves nothing of work that throws, and throws what it threw", async () => {
    const asked = request();
    const failing: Work<never> = async (tx, { operationId }) => {
      await library.insert(tx, operationId, "pen", 2);
      throw new OutOfStock("none left");
    };
    await expect(onceboard.once(asked, failing)).rejects.toBeInstanceOf(OutOfStock);
    expect([await count("shop.orders"), await records()]).toEqual([0, 0]);
    expect(await onceboard.once(asked, place)).toMatchObject({ outcome: "executed" });
  });

  it("names the fields of a conflict, and shows another principal nothing", async () => {
    const asked = request();
    await onceboard.once(asked, place);
    const other = await onceboard.once({ ...asked, command: { item: "pen", quantity: 3 } }, place);
    expect(other).toMatchObject({ outcome: "conflict", differingFields: ["quantity"] });
    const stranger = await onceboard.once({ ...asked, principal: "stranger" }, place);
    expect(stranger).toEqual({ outcome: "conflict", operation: undefined, differingFields: [] });
    expect(await count("shop.orders")).toBe(1);
  });

  it.each(["after_claim", "before_commit"] as const)("leaves nothing when its connection dies %s", async (point) => {
    const asked = request();
    crash = point;
    await expect(onceboard.once(asked, place)).rejects.toMatchObject({ code: "dependency.unavailable" });
    expect([await count("shop.orders"), await records()]).toEqual([0, 0]);
    expect(await onceboard.once(asked, place)).toMatchObject({ outcome: "executed" });
    expect(await test.violations(PLACE, EFFECTS)).toEqual([]);
  });

  it("replays what was committed when its connection dies after the commit", async () => {
    const asked = request();
    crash = "after_commit";
    const lost = onceboard.once(asked, place);
    await expect(lost).rejects.toMatchObject({ code: "dependency.unavailable", certainty: "indefinite" });
    expect(await onceboard.once(asked, place)).toMatchObject({ outcome: "replayed", response: { status: 201 } });
    expect(await count("shop.orders")).toBe(1);
  });

  it("commits with the caller's own transaction, and goes with it", async () => {
    const asked = request();
    const undone = library.transactions.run(async (tx) => {
      await library.insert(tx, "00000000-0000-7000-8000-000000000000", "paper", 1);
      expect(await onceboard.once(asked, place, { within: tx })).toMatchObject({ outcome: "executed" });
      throw new OutOfStock("the caller changed its mind");
    });
    await expect(undone).rejects.toBeInstanceOf(OutOfStock);
    expect([await count("shop.orders"), await records()]).toEqual([0, 0]);
    const kept = await library.transactions.run((tx) => onceboard.once(asked, place, { within: tx }));
    expect(kept).toMatchObject({ outcome: "executed" });
    expect(await onceboard.once(asked, place)).toMatchObject({ outcome: "replayed" });
    expect(await count("shop.orders")).toBe(1);
  });

  it("takes back what failed in the caller's own transaction, though the caller commits", async () => {
    const asked = request();
    await library.transactions.run(async (tx) => {
      const wrong: Work<never> = async (inner, { operationId }) => {
        await library.insert(inner, operationId, "pen", 1);
        await library.insert(inner, operationId, "pen", 0);
        return {};
      };
      await expect(onceboard.once(asked, wrong, { within: tx })).rejects.toThrow();
      await library.insert(tx, "00000000-0000-7000-8000-000000000000", "paper", 1);
    });
    expect(await count("shop.orders where item = 'paper'")).toBe(1);
    expect([await count("shop.orders where item = 'pen'"), await records()]).toEqual([0, 0]);
  });

  it("keeps a refusal for good, and its rows with it", async () => {
    const asked = request();
    const refuse: Work<never> = () =>
      Promise.resolve({ status: 402, code: "stock.none", body: { reason: "none left" } });
    expect(await onceboard.once(asked, refuse)).toMatchObject({ outcome: "executed", response: { status: 402 } });
    expect(await onceboard.once(asked, place)).toMatchObject({ outcome: "replayed", response: { status: 402 } });
    const { rows } = await test.pool.query<{ state: string; error_code: string }>({
      text: "select state, error_code from onceboard.idempotency_requests where key = $1",
      values: [asked.key],
    });
    expect(rows).toEqual([{ state: "FAILED_REPLAYABLE", error_code: "stock.none" }]);
  });
});
