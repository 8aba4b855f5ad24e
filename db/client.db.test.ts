import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase } from "./client";
import { mapDatabaseError } from "./errors";
import { auditHeads } from "./schema/audit-entries";
import { createTestDatabase, type TestDatabase } from "./testing/test-database";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase({ statementTimeoutMs: 5_000 });
});
afterAll(() => test.drop());

describe("values out of the database", () => {
  it("gives int8 as bigint, a date as text, numeric as text and timestamptz as a Date", async () => {
    const { rows } = await test.db.pool.query({
      text: `select 9007199254740993::int8 as big, array[1, null]::int8[] as bigs, date '2026-03-01' as day,
                    1.10::numeric as amount, timestamptz '2026-03-01 12:00:00.123456Z' as at, 7 as small, '\\x00ff'::bytea as raw`,
    });
    expect(rows).toEqual([
      {
        big: 9007199254740993n,
        bigs: [1n, null],
        day: "2026-03-01",
        amount: "1.10",
        at: new Date("2026-03-01T12:00:00.123Z"),
        small: 7,
        raw: Buffer.from([0, 255]),
      },
    ]);
  });

  it("gives drizzle's tables their own types with the same parsers", async () => {
    const row = { tenantId: "acme", sequence: 9007199254740993n, hash: Buffer.from([1, 2]) };
    await test.db.orm.insert(auditHeads).values(row);
    expect(await test.db.orm.select().from(auditHeads)).toEqual([row]);
  });
});

describe("limits of a connection", () => {
  it("bounds statements, lock waits and forgotten transactions", async () => {
    const { rows } = await test.db.pool.query({
      text: `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
                    current_setting('idle_in_transaction_session_timeout') as idle`,
    });
    expect(rows).toEqual([{ statement: "5s", lock: "5s", idle: "30s" }]);
  });

  it("may be closed twice", async () => {
    const db = createDatabase({ url: test.url });
    await db.pool.query({ text: "select 1" });
    await Promise.all([db.close(), db.close()]);
  });
});

describe("CERTAINTY-9 a database that is away", () => {
  it("is a retryable, definite 503 when it cannot be reached", async () => {
    const db = createDatabase({ url: "postgres://onceboard@127.0.0.1:1/none" });
    const error: unknown = await db.pool.query({ text: "select 1" }).catch(mapDatabaseError);
    expect(error).toMatchObject({
      code: "dependency.unavailable",
      status: 503,
      retryable: true,
      retryAfter: 1,
      certainty: "definite",
    });
    await db.close();
  });

  it("is an indefinite 503 when the connection breaks under a statement, and the pool recovers", async () => {
    const db = createDatabase({ url: test.url, max: 1, role: "owner" });
    const error: unknown = await db.pool
      .query({ text: "select pg_terminate_backend(pg_backend_pid())" })
      .catch(mapDatabaseError);
    expect(error).toMatchObject({ code: "dependency.unavailable", certainty: "indefinite" });
    expect((await db.pool.query({ text: "select 1 as one" })).rows).toEqual([{ one: 1 }]);
    await db.close();
  });

  it("tells an idle connection's end to the listener instead of ending the process", async () => {
    let hear: (error: Error) => void = () => undefined;
    const heard = new Promise<Error>((resolve) => (hear = resolve));
    const db = createDatabase({ url: test.ownerUrl, max: 1, onError: (error) => hear(error) });
    const { rows } = await db.pool.query<{ pid: number }>({ text: "select pg_backend_pid() as pid" });
    await test.db.pool.query({ text: "select pg_terminate_backend($1)", values: [rows[0]?.pid] });
    expect(mapDatabaseError(await heard)).toMatchObject({ code: "dependency.unavailable" });
    await db.close();
  });

  it("survives an error of a connection that is handed out while its taker does not listen yet", async () => {
    const db = createDatabase({ url: test.url, max: 1 });
    const client = await db.pool.connect();
    // As when the server's farewell is in the same packet as the end of the statement before: nobody else listens now.
    expect(() => client.emit("error", new Error("terminating connection"))).not.toThrow();
    client.release(true);
    expect((await db.pool.query({ text: "select 1 as one" })).rows).toEqual([{ one: 1 }]);
    await db.close();
  });

  it("is a 504 when a statement runs too long, and an unknown error stays as it is", async () => {
    const db = createDatabase({ url: test.ownerUrl, statementTimeoutMs: 20 });
    expect(await db.pool.query({ text: "select pg_sleep(5)" }).catch(mapDatabaseError)).toMatchObject({
      code: "dependency.timeout",
      status: 504,
    });
    expect(await db.pool.query({ text: "select 1/0" }).catch(mapDatabaseError)).toMatchObject({ code: "22012" });
    await db.close();
  });
});
