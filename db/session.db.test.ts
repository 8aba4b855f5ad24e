import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type Database, type Queryable } from "./client";
import { guardActive } from "./guard";
import { migrate } from "./migrate";
import { isPooled } from "./session";
import { startPooler, type TestPooler } from "./testing/pooler";
import { createTestDatabase, type TestDatabase } from "./testing/test-database";
import { inTransaction } from "./transaction";

const SERVER = process.env["DATABASE_URL_TEST"] ?? "";
/** Fewer sessions of the server than callers: each transaction may get another one. */
const SESSIONS = 2;

let test: TestDatabase;
let pooler: TestPooler;
let db: Database;
const unguarded: string[] = [];
beforeAll(async () => {
  test = await createTestDatabase();
  pooler = await startPooler(SERVER, SESSIONS);
  db = createDatabase({ url: pooler.through(test.ownerUrl), max: 20, onUnguarded: (reason) => unguarded.push(reason) });
});
afterAll(async () => {
  await db.close();
  await pooler.stop();
  await test.drop();
});

describe("RUN-5 behind PgBouncer in transaction mode", () => {
  it("the guard is on, without a role of the session", async () => {
    expect(await guardActive(db.pool)).toBe(true);
    expect(unguarded).toEqual([]);
    const write = db.pool.query({ text: "delete from onceboard.idempotency_requests" });
    await expect(write).rejects.toMatchObject({ code: "42501" });
  });

  it("named statements of twenty callers at once find their session, whichever it is", async () => {
    const found = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        db.pool.query<{ n: number }>({ name: "named_test", text: "select $1::int as n", values: [index] }),
      ),
    );
    expect(found.map(({ rows }) => rows[0]?.n)).toEqual(Array.from({ length: 200 }, (_, index) => index));
  });

  it("a transaction says its own limits, and leaves the login's in the session", async () => {
    const read = "select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock";
    const seen = async (tx: Queryable) => (await tx.query({ text: read })).rows[0];
    expect(await inTransaction(db, seen)).toEqual({ statement: "15s", lock: "5s" });
    const others = { statementTimeoutMs: 7_000, lockTimeoutMs: 2_000 };
    expect(await inTransaction(db, seen, others)).toEqual({ statement: "7s", lock: "2s" });
    expect(await seen(db.pool)).toEqual({ statement: "15s", lock: "5s" });
  });

  it("migrate does not begin there, because its lock is the session's", async () => {
    await expect(migrate(pooler.through(test.ownerUrl))).rejects.toThrow(/leads to a connection pooler/);
  });

  it("is told from a connection to the server itself", async () => {
    const seen = async (url: string) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        return await isPooled(client, 5_000);
      } finally {
        await client.end();
      }
    };
    expect(await seen(pooler.through(test.ownerUrl))).toBe(true);
    expect(await seen(test.ownerUrl)).toBe(false);
  });
});

describe("a connection to the server itself", () => {
  it("has its role and its limits from the session", async () => {
    const direct = createDatabase({ url: test.ownerUrl });
    const read = "select current_user as who, current_setting('statement_timeout') as statement";
    expect((await direct.pool.query({ text: read })).rows).toEqual([{ who: "onceboard_app", statement: "15s" }]);
    await direct.close();
  });
});
