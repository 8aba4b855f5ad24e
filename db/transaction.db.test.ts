import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { boundedRead } from "./bounded-read";
import { createDatabase, type Queryable } from "./client";
import { createTestDatabase, type TestDatabase } from "./testing/test-database";
import { inTransaction } from "./transaction";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
  await test.db.pool.query({ text: "create table counter (id int primary key, value int not null)" });
});
beforeEach(async () => {
  await test.db.pool.query({ text: "truncate counter" });
  await test.db.pool.query({ text: "insert into counter values (1, 0), (2, 0)" });
});
afterAll(() => test.drop());

const bump = (tx: Queryable, id: number) =>
  tx.query({ text: "update counter set value = value + 1 where id = $1", values: [id] });
const values = async () =>
  (await test.db.pool.query<{ value: number }>({ text: "select value from counter order by id" })).rows.map(
    (r) => r.value,
  );

describe("a transaction", () => {
  it("commits what the work did and returns its answer", async () => {
    expect(await inTransaction(test.db, async (tx) => (await bump(tx, 1)).rowCount)).toBe(1);
    expect(await values()).toEqual([1, 0]);
  });

  it("undoes everything when the work fails", async () => {
    const failing = inTransaction(test.db, async (tx) => {
      await bump(tx, 1);
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await values()).toEqual([0, 0]);
  });

  it("joins the open one when called again inside", async () => {
    const failing = inTransaction(test.db, async (tx) => {
      await bump(tx, 1);
      await inTransaction(test.db, (inner) => bump(inner, 2));
      throw new Error("the outer one");
    });
    await expect(failing).rejects.toThrow("the outer one");
    expect(await values()).toEqual([0, 0]);
  });

  it("does not take a swallowed error for a commit", async () => {
    const swallowed = inTransaction(test.db, async (tx) => {
      await bump(tx, 1);
      await tx.query({ text: "select 1/0" }).catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow(/was undone/);
    expect(await values()).toEqual([0, 0]);
  });
});

describe("TRUTH-2 a bounded read inside another", () => {
  const valueOf = async (tx: Queryable): Promise<number | undefined> =>
    (await tx.query<{ value: number }>({ text: "select value from counter where id = 1" })).rows[0]?.value;

  it("is of the same moment", async () => {
    const seen = await boundedRead(test.db, "list", async (tx) => {
      const first = await valueOf(tx);
      await bump(test.db.pool, 1);
      return [first, await boundedRead(test.db, "list", valueOf)];
    });
    expect(seen).toEqual({ kind: "done", value: [0, { kind: "done", value: 0 }] });
  });

  it("that fails, whatever was read in it before, leaves the rest of it whole", async () => {
    const seen = await boundedRead(test.db, "list", async (tx) => {
      const part = boundedRead(test.db, "list", async () => {
        await boundedRead(test.db, "list", (inner) => inner.query({ text: "select 1/0" })).catch(() => undefined);
        return (await tx.query({ text: "select nothing" })).rows;
      });
      await expect(part).rejects.toThrow(/nothing/);
      return valueOf(tx);
    });
    expect(seen).toEqual({ kind: "done", value: 0 });
  });
});

it("TRUTH-2 a repeatable read sees what was committed when it began, whenever its first statement runs", async () => {
  const seen = await inTransaction(
    test.db,
    async (tx) => {
      await test.db.pool.query({ text: "insert into counter values (3, 7)" });
      return (await tx.query({ text: "select id from counter order by id" })).rows;
    },
    { isolation: "repeatable read", readOnly: true },
  );
  expect(seen).toEqual([{ id: 1 }, { id: 2 }]);
});

describe("contention", () => {
  it("runs two deadlocked transactions to their end", async () => {
    let waiting = 0;
    let meet: () => void = () => undefined;
    const both = new Promise<void>((resolve) => (meet = resolve));
    const crosswise = (first: number, second: number) =>
      inTransaction(test.db, async (tx) => {
        await bump(tx, first);
        waiting += 1;
        if (waiting === 2) meet();
        await both;
        await bump(tx, second);
      });
    await Promise.all([crosswise(1, 2), crosswise(2, 1)]);
    expect(await values()).toEqual([2, 2]);
    expect(waiting).toBe(3);
  });

  it("retries a serialization failure, at most as often as asked", async () => {
    let tries = 0;
    const failing = inTransaction(
      test.db,
      async (tx) => {
        tries += 1;
        await tx.query({ text: "do $$ begin raise exception 'again' using errcode = '40001'; end $$" });
      },
      { retries: 2 },
    );
    await expect(failing).rejects.toMatchObject({ code: "transient.contention", status: 503, certainty: "definite" });
    expect(tries).toBe(3);
  });

  it("does not retry what would fail again", async () => {
    let tries = 0;
    const failing = inTransaction(test.db, (tx) => {
      tries += 1;
      return tx.query({ text: "insert into counter values (1, 0)" });
    });
    await expect(failing).rejects.toMatchObject({ code: "23505" });
    expect(tries).toBe(1);
  });

  it("gives up on a lock in time", async () => {
    await inTransaction(test.db, async (tx) => {
      await bump(tx, 1);
      const other = createDatabase({ url: test.ownerUrl, role: "owner" });
      const late = inTransaction(other, (theirs) => bump(theirs, 1), { lockTimeoutMs: 20 });
      await expect(late).rejects.toMatchObject({ code: "transient.contention" });
      await other.close();
    });
  });
});

describe("CERTAINTY-9 a broken connection", () => {
  it("is a definite 503 before the commit, and does not end the process", async () => {
    const failing = inTransaction(test.db, async (tx) => {
      await bump(tx, 1);
      await tx.query({ text: "select pg_terminate_backend(pg_backend_pid())" });
    });
    await expect(failing).rejects.toMatchObject({
      code: "dependency.unavailable",
      retryAfter: 1,
      certainty: "definite",
    });
    expect(await values()).toEqual([0, 0]);
  });

  it("is indefinite when it breaks in the commit", async () => {
    await test.db.pool.query({
      text: `create function cut() returns trigger language plpgsql as
             $$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$`,
    });
    await test.db.pool.query({
      text: `create constraint trigger cut after update on counter deferrable initially deferred
             for each row execute function cut()`,
    });
    const failing = inTransaction(test.db, (tx) => bump(tx, 1));
    await expect(failing).rejects.toMatchObject({ code: "dependency.unavailable", certainty: "indefinite" });
    await test.db.pool.query({ text: "drop trigger cut on counter" });
  });
});
