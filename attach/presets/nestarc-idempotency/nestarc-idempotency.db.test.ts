import { afterAll, beforeAll, expect, test } from "vitest";
import { createForeignDatabase, type ForeignDatabase } from "../../testing/foreign-database";
import { testKeys } from "../../testing/key-tests";
import { NESTARC_ROWS, NESTARC_TABLES, insertNestarcRows } from "./fixtures";
import { nestarcIdempotency } from "./index";

let database: ForeignDatabase;

beforeAll(async () => {
  database = await createForeignDatabase(NESTARC_TABLES);
  await insertNestarcRows(database);
  await database.install(nestarcIdempotency, { stale_after: "15 minutes" });
});

afterAll(() => database.drop());

testKeys({
  preset: () => nestarcIdempotency,
  database: () => database,
  table: "public.idempotency_records",
  rows: NESTARC_ROWS.map(({ key, state }) => ({ id: `key:${key}`, state })),
  done: "key:plain",
  stale: "key:POST /orders::stale",
  kept: ["key:POST /orders::young", "key:young"],
  held: { id: "key:POST /orders::stale", where: "key like '%::stale'" },
  needed: ["token", "response_code"],
});

test("scope and key are parts of what is stored, and a hash is said to be one", async () => {
  const foreign = await database.open();
  expect(
    await foreign.query(
      `select scope, key, key_is_hashed, http_status,
              round(extract(epoch from locked_until - created_at) / 60)::int as limit_minutes
         from onceboard_attach.keys where id like '%young' or id like '%:v1:%' or id like '%abandoned' order by order_1`,
    ),
  ).toEqual([
    // What another request may take over is not waited for any longer.
    { scope: "POST /orders", key: "abandoned", key_is_hashed: false, http_status: null, limit_minutes: 1 },
    { scope: "POST /orders", key: "young", key_is_hashed: false, http_status: null, limit_minutes: 15 },
    {
      scope: null,
      key: "@nestarc/idempotency:key:v1:0f1e",
      key_is_hashed: true,
      http_status: 200,
      limit_minutes: null,
    },
  ]);
});

test("purging deletes what the sweep of the library would delete, never more than was asked", async () => {
  const foreign = await database.open();
  expect(await foreign.query("select * from onceboard_attach.purge(now() - interval '1 year', 500)")).toEqual([]);
  expect(await foreign.query("select * from onceboard_attach.purge(now(), 1)")).toHaveLength(1);
  expect(await foreign.query("select * from onceboard_attach.purge('infinity', 500)")).toHaveLength(1);
  expect(await database.run("select 1 from idempotency_records")).toHaveLength(2);
});

test("one bad row breaks no list", async () => {
  await database.run(
    `insert into idempotency_records values ('least', gen_random_uuid(), null, 'PROCESSING', null, 'no { json', null, '-infinity', '-infinity'),
       ('most', gen_random_uuid(), '', 'COMPLETED', 7, repeat('x', 10000000), '[]', 'infinity', 'infinity'),
       ('year', gen_random_uuid(), '', 'PROCESSING', 7, '', '[]', '294276-12-31 23:59:59Z', '294276-12-31 23:59:59Z')`,
  );
  const foreign = await database.open();
  const rows = await foreign.query<{ id: string }>("select * from onceboard_attach.keys order by order_1, order_2");
  expect([rows[0]?.id, rows.at(-1)?.id]).toEqual(["key:least", "key:most"]);
  expect(await foreign.query("select bytes from onceboard_attach.payload('key:most')")).toEqual([
    { bytes: "10000000" },
  ]);
});
