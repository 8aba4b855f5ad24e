import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createForeignDatabase, type ForeignDatabase } from "../../testing/foreign-database";
import { testKeys } from "../../testing/key-tests";
import { BRANDUR_ROWS, BRANDUR_TABLES, insertBrandurRows } from "./fixtures";
import { brandur } from "./index";

let database: ForeignDatabase;

beforeAll(async () => {
  database = await createForeignDatabase(BRANDUR_TABLES);
  await insertBrandurRows(database);
  await database.install(brandur);
});

afterAll(() => database.drop());

describe("freeing a lock", () => {
  test("of two at once one frees it, and nothing but the lock changes", async () => {
    const [one, other] = await Promise.all([database.open(), database.open()]);
    const [before] = await database.run("select * from idempotency_keys where id = 3");
    const both = await Promise.all(
      [one, other].map((foreign) => foreign.query("select * from onceboard_attach.requeue('key:3')")),
    );
    expect(both.flat()).toEqual([{ id: "key:3", was: "in_progress", is_now: "failed" }]);
    expect(await database.run("select * from idempotency_keys where id = 3")).toEqual([{ ...before, locked_at: null }]);
    expect(await one.query("select state, locked_until from onceboard_attach.keys where id = 'key:3'")).toEqual([
      { state: "failed", locked_until: null },
    ]);
    await database.run("update idempotency_keys set locked_at = now() - interval '91 seconds' where id = 3");
  });

  test.each(["key:1", "key:2", "key:5", "key:999", "key:x", "key:3; drop table rides"])(
    "%s is finished, free, young or no row, and nothing changes",
    async (id) => {
      const foreign = await database.open();
      const before = await database.run("select * from idempotency_keys order by id");
      expect(await foreign.query("select * from onceboard_attach.requeue($1)", [id])).toEqual([]);
      expect(await database.run("select * from idempotency_keys order by id")).toEqual(before);
    },
  );

  test("a row that a request holds is not waited for", async () => {
    const foreign = await database.open();
    const release = await database.hold("update idempotency_keys set last_run_at = now() where id = 3");
    expect(await foreign.query("select * from onceboard_attach.requeue('key:3')")).toEqual([]);
    await release();
  });
});

testKeys({
  preset: () => brandur,
  database: () => database,
  table: "public.idempotency_keys",
  rows: BRANDUR_ROWS.map(({ state }, index) => ({ id: `key:${String(index + 1)}`, state })),
  done: "key:4",
  kept: ["key:2", "key:3", "key:5", "key:99999999999999999999"],
  held: { id: "key:1", where: "id = 1" },
  needed: ["recovery_point", "locked_at"],
});

test("a ride outlives its key", async () => {
  expect(await database.run("select idempotency_key_id from rides order by id")).toEqual([
    { idempotency_key_id: "1" },
    { idempotency_key_id: null },
  ]);
});

test("user, route, response and lock are shown", async () => {
  const foreign = await database.open();
  expect(
    await foreign.query(
      `select tenant_ref, scope, raw_state, http_status, has_response, expires_at = created_at + interval '3 days' as kept,
              locked_until is null as free
         from onceboard_attach.keys where id in ('key:1', 'key:5') order by order_1`,
    ),
  ).toEqual([
    {
      tenant_ref: "1",
      scope: "POST /rides",
      raw_state: "finished",
      http_status: 201,
      has_response: true,
      kept: true,
      free: true,
    },
    {
      tenant_ref: "1",
      scope: "POST /rides",
      raw_state: "started",
      http_status: null,
      has_response: false,
      kept: true,
      free: false,
    },
  ]);
  const [row] = await foreign.query<{ body: Buffer }>("select body from onceboard_attach.payload('key:1')");
  expect(JSON.parse(row?.body.toString("utf8") ?? "")).toEqual({ message: "é" });
});

test("purging deletes finished keys whose time is over, and no unfinished one", async () => {
  const foreign = await database.open();
  expect(await foreign.query("select * from onceboard_attach.purge(now() - interval '90 hours', 500)")).toEqual([]);
  expect(await foreign.query("select * from onceboard_attach.purge('infinity', 500)")).toEqual([
    { id: "key:1", was: "done", is_now: "gone" },
  ]);
  expect(await database.run("select id from idempotency_keys order by id")).toHaveLength(3);
});

test("one bad row breaks no list", async () => {
  await database.run(
    `insert into idempotency_keys (idempotency_key, created_at, last_run_at, locked_at, request_method, request_params, request_path, response_body, recovery_point, user_id)
     values ('', 'infinity', '-infinity', 'infinity', '', '[]', '', to_jsonb(repeat('x', 10000000)), '', 1),
       ('late', '294276-12-31 23:59:59Z', now(), '294276-12-31 23:59:59Z', '', '[]', '', null, 'finished', 1)`,
  );
  const foreign = await database.open();
  const rows = await foreign.query<{ id: string }>("select * from onceboard_attach.keys order by order_1 desc limit 2");
  expect(rows.map(({ id }) => id)).toEqual(["key:7", "key:6"]);
  expect(await foreign.query("select bytes from onceboard_attach.payload('key:6')")).toEqual([{ bytes: "10000002" }]);
});
