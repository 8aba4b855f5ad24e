import { afterAll, beforeAll, expect, test } from "vitest";
import { createForeignDatabase, type ForeignDatabase } from "../../testing/foreign-database";
import { testKeys } from "../../testing/key-tests";
import { IDEMPOT_ROWS, IDEMPOT_TABLES, insertIdempotRows } from "./fixtures";
import { idempotJs } from "./index";

let database: ForeignDatabase;

beforeAll(async () => {
  database = await createForeignDatabase(IDEMPOT_TABLES);
  await insertIdempotRows(database);
  await database.install(idempotJs, { stale_after: "15 minutes" });
});

afterAll(() => database.drop());

testKeys({
  preset: () => idempotJs,
  database: () => database,
  table: "public.idempotency_records",
  rows: IDEMPOT_ROWS.map(({ key, state }) => ({ id: `key:${key}`, state })),
  done: "key:done",
  stale: "key:stale",
  kept: ["key:young"],
  held: { id: "key:stale", where: "key = 'stale'" },
  needed: ["response_status", "response_headers"],
});

test("the start of a request comes from its end, and so does when it counts as stale", async () => {
  const foreign = await database.open();
  expect(
    await foreign.query(
      `select key, tenant_ref, fingerprint, http_status, has_response,
              round(extract(epoch from now() - created_at) / 60)::int as minutes,
              round(extract(epoch from locked_until - created_at) / 60)::int as limit_minutes
         from onceboard_attach.keys where id in ('key:young', 'key:expired') order by key`,
    ),
  ).toEqual([
    {
      key: "expired",
      tenant_ref: null,
      fingerprint: "f-expired",
      http_status: 201,
      has_response: true,
      minutes: 1500,
      limit_minutes: null,
    },
    {
      key: "young",
      tenant_ref: null,
      fingerprint: "f-young",
      http_status: null,
      has_response: false,
      minutes: 1,
      limit_minutes: 15,
    },
  ]);
});

test("the payload is the body as it was sent", async () => {
  const foreign = await database.open();
  const [row] = await foreign.query<{ codec: string; body: Buffer }>(
    "select * from onceboard_attach.payload('key:expired')",
  );
  expect([row?.codec, row?.body.toString("utf8")]).toEqual(["text", "created é"]);
});

test("purging deletes what idempot-js itself would delete, never more than was asked", async () => {
  const foreign = await database.open();
  expect(await foreign.query("select * from onceboard_attach.purge('-infinity', 500)")).toEqual([]);
  expect(await foreign.query("select * from onceboard_attach.purge(now(), 1)")).toHaveLength(1);
  expect(await foreign.query("select id, was from onceboard_attach.purge('infinity', 500)")).toHaveLength(1);
  expect(await database.run("select 1 from idempotency_records where key = 'young'")).toHaveLength(1);
});

test("one bad row breaks no list", async () => {
  await database.run(
    `insert into idempotency_records values ('least', '', 'processing', null, 'no json', repeat('x', 10000000), -9223372036854775808),
       ('most', '', 'complete', 99, '{', null, 9223372036854775807)`,
  );
  const foreign = await database.open();
  const rows = await foreign.query<{ id: string }>("select * from onceboard_attach.keys order by order_1, order_2");
  expect([rows[0]?.id, rows.at(-1)?.id]).toEqual(["key:least", "key:most"]);
  const [large] = await foreign.query("select bytes from onceboard_attach.payload('key:least')");
  expect(large).toEqual({ bytes: "10000000" });
  expect(await foreign.query("select * from onceboard_attach.payload('key:most')")).toHaveLength(1);
});
