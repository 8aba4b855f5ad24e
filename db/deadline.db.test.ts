import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDatabase, type Database } from "./client";
import { beforeDeadline, OutOfTimeError, timeLeftMs, withDeadline, withoutDeadline } from "./deadline";
import { mapDatabaseError } from "./errors";
import { startRelay, type Relay } from "./testing/relay";
import { createTestDatabase, type TestDatabase } from "./testing/test-database";
import { inStatement, inTransaction } from "./transaction";

const BUDGET_MS = 300;
/** What a busy machine may add to a wait of that. */
const MARGIN_MS = 1_000;
const WITHIN_MS = 10_000;

let test: TestDatabase;
let relay: Relay;
let db: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  await test.db.pool.query({ text: "create table counter (id int primary key, value int not null)" });
  await test.db.pool.query({ text: "insert into counter values (1, 0)" });
  const url = new URL(test.ownerUrl);
  relay = await startRelay(url.hostname, Number(url.port));
  url.host = `127.0.0.1:${String(relay.port)}`;
  db = createDatabase({ url: url.href, max: 2, role: "owner" });
});
afterAll(async () => {
  relay.thaw();
  await db.close();
  await relay.cut();
  await test.drop();
});

const COUNT = { text: "update counter set value = value + 1 where id = 1" };
const value = async () =>
  (await test.db.pool.query<{ value: number }>({ text: "select value from counter" })).rows[0]?.value;
beforeEach(async () => {
  relay.thaw();
  await test.db.pool.query({ text: "update counter set value = 0" });
  await db.pool.query({ text: "select 1" });
});

/** @returns what it threw, within its budget */
async function late(work: () => Promise<unknown>): Promise<unknown> {
  const began = performance.now();
  const error = await withDeadline(began + BUDGET_MS, work).then(
    () => undefined,
    (thrown: unknown) => mapDatabaseError(thrown),
  );
  expect(performance.now() - began).toBeLessThan(BUDGET_MS + MARGIN_MS);
  return error;
}
const unavailable = (certainty: string) => ({ code: "dependency.unavailable", status: 503, certainty });

describe("a database that stands still", () => {
  it("ends a statement under way, indefinitely: it may run when the database goes on", async () => {
    relay.freeze();
    expect(await late(() => inStatement(db, (tx) => tx.query(COUNT)))).toMatchObject(unavailable("indefinite"));
    relay.thaw();
    await expect.poll(value, { timeout: WITHIN_MS }).toBe(1);
  });

  it("ends a transaction definitely: what was sent is taken back when the database goes on", async () => {
    relay.freezeAt("counter", "before");
    const error = await late(() => inTransaction(db, (tx) => tx.query(COUNT)));
    expect(error).toMatchObject(unavailable("definite"));
    relay.thaw();
    // The lock of what may have run is gone.
    await inTransaction(test.db, (tx) => tx.query(COUNT));
    expect(await value()).toBe(1);
  });

  it("is indefinite at the commit", async () => {
    relay.freezeAt("commit\0", "before");
    expect(await late(() => inTransaction(db, (tx) => tx.query(COUNT)))).toMatchObject(unavailable("indefinite"));
    relay.thaw();
    await expect.poll(value, { timeout: WITHIN_MS }).toBe(1);
  });

  it("keeps nobody waiting for a connection, and gives none to who is gone", async () => {
    relay.freeze();
    const held = [1, 2].map(() => late(() => db.pool.query({ text: "select 1" })));
    const waiting = late(() => inStatement(db, (tx) => tx.query(COUNT)));
    expect(await waiting).toMatchObject(unavailable("definite"));
    await Promise.all(held);
    relay.thaw();
    expect((await db.pool.query({ text: "select 1 as one" })).rows).toEqual([{ one: 1 }]);
    expect(await value()).toBe(0);
  });

  it("frees the places of connections that it held, so that the pool works again", async () => {
    relay.freeze();
    await Promise.all([1, 2, 3, 4].map(() => late(() => db.pool.query({ text: "select 1" }))));
    relay.thaw();
    const rows = await Promise.all([1, 2, 3, 4].map(() => db.pool.query({ text: "select 1 as one" })));
    expect(rows.map(({ rows: [row] }) => row as unknown)).toEqual([1, 2, 3, 4].map(() => ({ one: 1 })));
  });

  it("holds nobody for ever who has no deadline, such as a loop of the worker", async () => {
    const url = new URL(test.ownerUrl);
    url.host = `127.0.0.1:${String(relay.port)}`;
    const bounded = createDatabase({ url: url.href, max: 1, role: "owner", statementTimeoutMs: 1, answerGraceMs: 200 });
    await bounded.pool.query({ text: "select 1" }).catch(() => undefined);
    relay.freeze();
    await expect(bounded.pool.query({ text: "select 1" })).rejects.toBeInstanceOf(OutOfTimeError);
    relay.thaw();
    await bounded.close();
  });
});

describe("a deadline", () => {
  it("lets nothing begin once it is over, and the connection stays good", async () => {
    const error = await late(() =>
      inTransaction(db, async (tx) => {
        await tx.query(COUNT);
        await new Promise((resolve) => setTimeout(resolve, timeLeftMs()));
        await tx.query(COUNT);
      }),
    );
    expect(error).toMatchObject(unavailable("definite"));
    expect(await value()).toBe(0);
  });

  it("is the one of who asks, whoever gave the connection back", async () => {
    const busy = [1, 2].map(() =>
      withDeadline(performance.now() + 30_000, () => db.pool.query({ text: "select pg_sleep(0.1)" })),
    );
    const brief = withDeadline(performance.now() + 20, () => db.pool.query(COUNT)).catch(mapDatabaseError);
    const patient = db.pool.query({ text: "select 1 as one" });
    expect(await brief).toMatchObject(unavailable("definite"));
    expect((await patient).rows).toEqual([{ one: 1 }]);
    await Promise.all(busy);
    expect(await value()).toBe(0);
  });

  it("is lifted from what outlives its work, and does not hold what is run without it", async () => {
    let after: () => number = () => 0;
    await withDeadline(performance.now() + 50, async () => {
      expect(timeLeftMs()).toBeLessThanOrEqual(50);
      expect(withoutDeadline(timeLeftMs)).toBe(Infinity);
      after = await new Promise((resolve) => setImmediate(() => resolve(() => timeLeftMs())));
    });
    expect(after()).toBe(Infinity);
  });

  it("ends a wait for the work of others", async () => {
    const never = new Promise<never>(() => undefined);
    await expect(withDeadline(performance.now() + 20, () => beforeDeadline(never))).rejects.toBeInstanceOf(
      OutOfTimeError,
    );
    expect(await withDeadline(performance.now() + 20, () => beforeDeadline(Promise.resolve(7)))).toBe(7);
  });
});
