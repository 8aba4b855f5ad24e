import { afterAll, beforeAll, expect, test } from "vitest";
import { attachManifest } from "../../contract/manifest";
import { recognise } from "../../probe/recognise";
import { readTables } from "../../probe/read-tables";
import { createForeignDatabase, type ForeignDatabase } from "../../testing/foreign-database";
import { DEBEZIUM_TABLES, debeziumId, debeziumRows } from "./fixtures";
import { debezium } from "./index";

let database: ForeignDatabase;

beforeAll(async () => {
  database = await createForeignDatabase(DEBEZIUM_TABLES);
  await database.run(debeziumRows());
  await database.install(debezium);
});

afterAll(() => database.drop());

test("a row is shown with all that it says, and its state as unknown", async () => {
  const foreign = await database.open();
  expect(
    await foreign.query(
      "select id, message_id, type, destination, order_key, state, created_at, sent_at, attempts from onceboard_attach.outgoing order by order_1 limit 1",
    ),
  ).toEqual([
    {
      id: `out:${debeziumId(1)}`,
      message_id: debeziumId(1),
      type: "OrderPaid",
      destination: "order",
      order_key: "17",
      state: "unknown",
      created_at: new Date("2026-03-01T12:00:00Z"),
      sent_at: null,
      attempts: null,
    },
  ]);
  const [payload] = await foreign.query<{ codec: string; body: Buffer }>("select * from onceboard_attach.payload($1)", [
    `out:${debeziumId(1)}`,
  ]);
  expect([payload?.codec, payload?.body.toString()]).toEqual(["json", '{"amount": 1}']);
});

test("nothing can be done to it: no function is installed, and each says why", async () => {
  const [row] = await database.run<{ manifest: string }>(
    "select obj_description('onceboard_attach'::regnamespace) as manifest",
  );
  const { actions, views } = attachManifest.parse(JSON.parse(row?.manifest ?? ""));
  expect(Object.values(actions).map(({ offered }) => offered)).toEqual([false, false, false]);
  expect(views.outgoing?.states).toEqual([{ state: "unknown", says: expect.stringContaining("no state") as unknown }]);
  const functions = await database.run<{ name: string }>(
    "select proname as name from pg_proc where pronamespace = 'onceboard_attach'::regnamespace",
  );
  expect(functions).toEqual([{ name: "payload" }]);
});

test.each(["update outbox set type = 'x'", "delete from outbox", "select 1 from outbox"])(
  "%s is refused",
  async (statement) => {
    const foreign = await database.open();
    await expect(foreign.query(statement)).rejects.toMatchObject({ code: "42501" });
  },
);

test("one bad row breaks no list, and what is no id is no row", async () => {
  await database.run(
    `insert into outbox values ('${debeziumId(3)}', '', '', '', to_jsonb(repeat('x', 10000000)), 'infinity'), ('${debeziumId(4)}', '', '', '', 'null', '-infinity')`,
  );
  const foreign = await database.open();
  expect(await foreign.query("select * from onceboard_attach.outgoing order by order_1 desc limit 2")).toHaveLength(2);
  for (const id of ["out:x", "out:17", "in:1", "", `out:${debeziumId(99)}`])
    expect(await foreign.query("select * from onceboard_attach.payload($1)", [id])).toEqual([]);
});

test.each([
  ["timestamp", "bigint", "payload", "bytea", { created_at: new Date("2026-03-01T12:00:00Z"), codec: "binary" }],
  ["timestamp", "text", "payload", "text", { created_at: null, codec: "text" }],
])("where %s is %s and %s is %s", async (_, time, __, payload, expected) => {
  const other = await createForeignDatabase(
    `create table events_outbox (id varchar(50) primary key, aggregatetype text, aggregateid text, type text, payload ${payload}, "timestamp" ${time});
     insert into events_outbox values ('e-1', 'a', 'b', 'c', 'abc', '1772366400000'), ('e-2', 'a', 'b', 'c', null, '9223372036854775807')`,
  );
  try {
    await other.install(debezium);
    const foreign = await other.open();
    const rows = await foreign.query<{ created_at: Date | null }>(
      "select created_at from onceboard_attach.outgoing order by order_1",
    );
    expect(rows.map(({ created_at }) => created_at)).toEqual([expected.created_at, null]);
    const [found] = await foreign.query("select codec, body from onceboard_attach.payload('out:e-1')");
    expect(found).toEqual({ codec: expected.codec, body: Buffer.from("abc") });
  } finally {
    await other.drop();
  }
});

test("a table without aggregateid is not one, and that is said", async () => {
  const foreign = await database.open();
  await database.run("drop schema onceboard_attach cascade; alter table outbox drop column aggregateid");
  const { recognised, nearMisses } = recognise([debezium], await readTables(foreign));
  expect(recognised).toEqual([]);
  expect(nearMisses[0]?.because).toContain("no column aggregateid");
});
