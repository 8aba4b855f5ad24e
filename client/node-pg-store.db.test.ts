import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { CREATE_PENDING_TABLE, createPgStore } from "./node-pg-store";
import { startRawServer, type RawServer } from "./testing/raw-server";
import { pendingAction, STORE_CONTRACT } from "./testing/store-contract";

let database: TestDatabase;
let server: RawServer;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.pool.query(CREATE_PENDING_TABLE);
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.db.pool.query("delete from onceboard_pending");
  server = await startRawServer();
});
afterEach(() => server.close());

const open = (namespace = "till") => createPgStore(database.db.pool, { namespace });

describe("CLIENT-1 a key in the PostgreSQL store", () => {
  it.each(STORE_CONTRACT)("$title", ({ check }) => check({ server, openStore: () => open() }));
});

it("accounts of one table are apart", async () => {
  await open("till").open(pendingAction({ name: "checkout" }));
  const other = await open("web").open(pendingAction({ name: "checkout", key: "key-2" }));
  expect(other.key).toBe("key-2");
  expect((await open("till").list()).map(({ key }) => key)).toEqual(["key-1"]);
  await open("web").remove(other);
  expect(await open("till").list()).toHaveLength(1);
});

it("CLIENT-1 a second caller waits until it is sure who names the action", async () => {
  const client = await database.db.pool.connect();
  try {
    await client.query("begin");
    await createPgStore(client, { namespace: "till" }).open(pendingAction({ name: "checkout" }));
    let settled = false;
    const second = open()
      .open(pendingAction({ name: "checkout", key: "key-2" }))
      .finally(() => (settled = true));
    // It waits for the row of the other one, and takes its place when that one is rolled back.
    await expect
      .poll(async () => {
        const { rows } = await database.db.pool.query(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return rows.length;
      })
      .toBe(1);
    expect(settled).toBe(false);
    await client.query("rollback");
    expect((await second).key).toBe("key-2");
  } finally {
    client.release();
  }
});

it("a row that is no action is never gone over", async () => {
  const store = open();
  await store.open(pendingAction({ name: "checkout" }));
  await database.db.pool.query("update onceboard_pending set action = '{ half'");
  await expect(store.open(pendingAction({ name: "checkout", key: "key-2" }))).rejects.toThrow("is no pending action");
  await expect(store.list()).rejects.toThrow("is no pending action");
});

it("the table of the README is the one that the store needs", () => {
  expect(readFileSync(join(import.meta.dirname, "README.md"), "utf8")).toContain(CREATE_PENDING_TABLE);
});

it("creating the table a second time changes nothing", async () => {
  await open().open(pendingAction());
  await database.db.pool.query(CREATE_PENDING_TABLE);
  expect(await open().list()).toHaveLength(1);
});
