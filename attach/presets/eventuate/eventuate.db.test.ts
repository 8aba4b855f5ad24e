import { expect, test } from "vitest";
import { readTables } from "../../probe/read-tables";
import { recognise } from "../../probe/recognise";
import { createForeignDatabase } from "../../testing/foreign-database";
import { presetDatabase } from "../../testing/preset-database";
import { EVENTUATE_INSERTS, EVENTUATE_ROWS, EVENTUATE_TABLES } from "./fixtures";
import { eventuate } from "./index";

const { database } = presetDatabase({
  preset: eventuate,
  tables: EVENTUATE_TABLES,
  rows: EVENTUATE_INSERTS,
  constants: { polling: "true" },
});

const statesOf = async (of: Pick<typeof database, "open">) =>
  (
    await (await of.open()).query<{ state: string }>("select state from onceboard_attach.outgoing order by order_1")
  ).map(({ state }) => state);

test("each state where messages are polled, and the rest of a row", async () => {
  expect(await statesOf(database)).toEqual(EVENTUATE_ROWS.map(({ state }) => state));
  const foreign = await database.open();
  expect(
    await foreign.query(
      "select message_id, type, destination, order_key, raw_state, created_at from onceboard_attach.outgoing where id = 'out:0000017-1'",
    ),
  ).toEqual([
    {
      ...{ message_id: "0000017-1", type: "com.example.OrderPaid", destination: "com.example.Order" },
      ...{ order_key: "17", raw_state: "1", created_at: new Date(1_772_366_400_000) },
    },
  ]);
  const [row] = await foreign.query<{ codec: string; body: Buffer }>(
    "select * from onceboard_attach.payload('out:0000017-1')",
  );
  expect([row?.codec, row?.body.toString()]).toEqual(["json", '{"amount":12}']);
});

test("what was handled, by each consumer", async () => {
  const foreign = await database.open();
  expect(
    await foreign.query(
      "select id, consumer, message_id, state, handled_at from onceboard_attach.incoming order by order_1, order_2",
    ),
  ).toEqual([
    {
      ...{ id: "in:7:billing0000017-1", consumer: "billing", message_id: "0000017-1", state: "done" },
      handled_at: new Date(1_772_366_401_000),
    },
    {
      ...{ id: "in:8:shipping0000017-1", consumer: "shipping", message_id: "0000017-1", state: "done" },
      handled_at: new Date(1_772_366_402_000),
    },
  ]);
});

test("where the write-ahead log is read, what has no mark is not said to wait; headers and payload may be JSON", async () => {
  const other = await createForeignDatabase(
    `${EVENTUATE_TABLES}${EVENTUATE_INSERTS} alter table eventuate.message alter headers type json using headers::json, alter payload type json using payload::json`,
  );
  try {
    await other.install(eventuate, { polling: "false" });
    expect(await statesOf(other)).toEqual(["sent", "unknown", "unknown"]);
    const foreign = await other.open();
    expect(await foreign.query("select order_key from onceboard_attach.outgoing limit 1")).toEqual([
      { order_key: "17" },
    ]);
  } finally {
    await other.drop();
  }
});

test("where the database counts messages, the number names a row", async () => {
  const other = await createForeignDatabase(
    `${EVENTUATE_TABLES} alter table eventuate.message drop constraint message_pkey, add dbid bigserial primary key;
     insert into eventuate.message (id, destination, headers, payload, published, creation_time) values ('', 'd', '{}', '1', 1, 0), ('', 'd', '{}', '2', 0, 0)`,
  );
  try {
    await other.install(eventuate, { polling: "true" });
    const foreign = await other.open();
    expect(await foreign.query("select id, message_id, state from onceboard_attach.outgoing order by order_1")).toEqual(
      [
        { id: "out:1", message_id: null, state: "sent" },
        { id: "out:2", message_id: null, state: "waiting" },
      ],
    );
    const [row] = await foreign.query<{ body: Buffer }>("select * from onceboard_attach.payload('out:2')");
    expect(row?.body.toString()).toBe("2");
    expect(await foreign.query("select id from onceboard_attach.purge('infinity', 5)")).toEqual([{ id: "out:1" }]);
  } finally {
    await other.drop();
  }
});

test("purging deletes what is marked and old, never more than was asked; nothing else can be done", async () => {
  const foreign = await database.open();
  expect(await foreign.query("select * from onceboard_attach.purge('-infinity', 5)")).toEqual([]);
  expect(await foreign.query("select * from onceboard_attach.purge('2026-03-01 12:00Z', 5)")).toEqual([]);
  expect(await foreign.query("select * from onceboard_attach.purge('infinity', 0)")).toEqual([]);
  const both = await Promise.all(
    [1, 2].map(() => foreign.query("select * from onceboard_attach.purge('infinity', 5)")),
  );
  expect(both.flat()).toEqual([{ id: "out:0000017-1", was: "sent", is_now: "gone" }]);
  const functions = await database.run<{ name: string }>(
    "select proname as name from pg_proc where pronamespace = 'onceboard_attach'::regnamespace order by 1",
  );
  expect(functions.map(({ name }) => name)).toEqual(["payload", "purge"]);
});

test.each([
  "update eventuate.message set published = 0",
  "delete from eventuate.received_messages",
  "select 1 from eventuate.message",
])("%s is refused", async (statement) => {
  const foreign = await database.open();
  await expect(foreign.query(statement)).rejects.toMatchObject({ code: "42501" });
});

test("bad rows break no list", async () => {
  await database.run(
    `insert into eventuate.message (id, destination, headers, payload, published, creation_time) values
     ('y', '', 'no json', repeat('x', 10000000), null, 9223372036854775807), ('z', '', repeat('"', 1000000), '', 32767, -1);
     insert into eventuate.received_messages values ('', '', -9223372036854775808, null)`,
  );
  expect((await statesOf(database)).slice(-2)).toEqual(["unknown", "unknown"]);
  const foreign = await database.open();
  expect(await foreign.query("select id from onceboard_attach.incoming order by order_1 limit 1")).toEqual([
    { id: "in:0:" },
  ]);
});

test("a table without its mark is no such shape, and is named", async () => {
  const tables = await readTables(await database.open());
  const other = tables.map((table) => ({
    ...table,
    columns: table.columns.filter(({ name }) => name !== "published"),
  }));
  const { recognised, nearMisses } = recognise([eventuate], other);
  expect(recognised).toEqual([]);
  expect(nearMisses[0]?.because).toContain("eventuate.message has no column published");
});
