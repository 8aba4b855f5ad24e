import { afterAll, beforeAll, expect, test } from "vitest";
import { createForeignDatabase, type ForeignDatabase } from "../../testing/foreign-database";
import { testKeys } from "../../testing/key-tests";
import { NODE_IDEMPOTENCY_ROWS, NODE_IDEMPOTENCY_TABLES, insertNodeIdempotencyRows } from "./fixtures";
import { nodeIdempotency } from "./index";

let database: ForeignDatabase;

beforeAll(async () => {
  database = await createForeignDatabase(NODE_IDEMPOTENCY_TABLES);
  await insertNodeIdempotencyRows(database);
  await database.install(nodeIdempotency, { stale_after: "15 minutes" });
});

afterAll(() => database.drop());

testKeys({
  preset: () => nodeIdempotency,
  database: () => database,
  table: "node_idempotency.idempotency",
  rows: NODE_IDEMPOTENCY_ROWS.map(({ key, state }) => ({ id: `key:${key}`, state })),
  done: "key:node-idempotency:POST:/orders/a:b:done",
  stale: "key:node-idempotency:POST:/orders:stale",
  kept: ["key:node-idempotency:POST:/orders:young", "key:no parts", "key:young"],
  held: { id: "key:node-idempotency:POST:/orders:stale", where: "key like '%:stale'" },
  needed: ["data", "expires_at"],
});

test("route, key and fingerprint are found in what is stored", async () => {
  await database.run(
    `insert into node_idempotency.idempotency values
       ('node-idempotency:PUT:/a:b/c:k-1', now(), '{"status":"COMPLETE","response":{"body":"\\"fingerPrint\\":\\"no\\""}}', now() + interval '2 days')`,
  );
  const foreign = await database.open();
  expect(
    await foreign.query(
      `select scope, key, fingerprint, raw_state, has_response from onceboard_attach.keys
        where id like '%young' or id like '%no parts' or id like '%k-1' order by order_1`,
    ),
  ).toEqual([
    { scope: null, key: "no parts", fingerprint: null, raw_state: null, has_response: null },
    { scope: "POST /orders", key: "young", fingerprint: "ab12", raw_state: "IN_PROGRESS", has_response: false },
    { scope: "PUT /a:b/c", key: "k-1", fingerprint: null, raw_state: "COMPLETE", has_response: true },
  ]);
});

test("purging deletes what the library would delete, never more than was asked", async () => {
  await database.run(
    `insert into node_idempotency.idempotency select 'old ' || n, now(), null, now() - interval '1 hour' from generate_series(1, 3) n`,
  );
  const foreign = await database.open();
  expect(await foreign.query("select * from onceboard_attach.purge(now(), 2)")).toHaveLength(2);
  expect(await foreign.query("select * from onceboard_attach.purge('infinity', 500)")).toHaveLength(2);
  expect(await database.run("select 1 from node_idempotency.idempotency where key like '%young'")).toHaveLength(1);
});

test("one bad row breaks no list", async () => {
  await database.run(
    `insert into node_idempotency.idempotency values ('', '-infinity', repeat('{"status":', 1000000), '-infinity'),
       ('::::', 'infinity', null, 'infinity'), ('a:B:c:d', now(), '{"status":"COMPLETE"', '294276-12-31 23:59:59Z')`,
  );
  const foreign = await database.open();
  const rows = await foreign.query<{ id: string }>("select * from onceboard_attach.keys order by order_1, order_2");
  expect([rows[0]?.id, rows.at(-1)?.id]).toEqual(["key:", "key:::::"]);
  expect(await foreign.query("select codec from onceboard_attach.payload('key:::::')")).toEqual([{ codec: "json" }]);
});
