import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recognise } from "../../probe/recognise";
import { readTables } from "../../probe/read-tables";
import { createForeignDatabase, type ForeignDatabase } from "../../testing/foreign-database";
import { OAGUDO_OUTBOX_ROWS, OAGUDO_OUTBOX_TABLES, insertOagudoOutboxRows, oagudoOutboxId as idOf } from "./fixtures";
import { oagudoOutbox } from "./index";

let database: ForeignDatabase;

beforeAll(async () => {
  database = await createForeignDatabase(OAGUDO_OUTBOX_TABLES);
  await insertOagudoOutboxRows(database);
  await database.install(oagudoOutbox);
});

afterAll(() => database.drop());

const everything = () => database.run("select * from outbox order by id");

test("each state, and the rest of a row", async () => {
  const foreign = await database.open();
  const rows = await foreign.query<{ state: string }>(
    "select state from onceboard_attach.outgoing order by order_1, order_2",
  );
  expect(rows.map(({ state }) => state)).toEqual(OAGUDO_OUTBOX_ROWS.map(({ state }) => state));
  expect(
    await foreign.query(
      "select message_id, attempts, max_attempts, headers, sent_at, payload_codec from onceboard_attach.outgoing where id = $1",
      [`out:${idOf(3)}`],
    ),
  ).toEqual([
    {
      message_id: idOf(3),
      attempts: 4,
      max_attempts: null,
      headers: '{"a": "\\303\\251"}',
      sent_at: null,
      payload_codec: "binary",
    },
  ]);
  expect(await foreign.query("select * from onceboard_attach.payload($1)", [`out:${idOf(3)}`])).toEqual([
    { codec: "binary", body: Buffer.from([0, 255]), bytes: "2" },
  ]);
});

describe("acting", () => {
  test("a message that was tried is due at once, only once, and nothing else of it changes", async () => {
    const foreign = await database.open();
    const before = await everything();
    const id = `out:${idOf(3)}`;
    const both = await Promise.all([1, 2].map(() => foreign.query("select * from onceboard_attach.requeue($1)", [id])));
    expect(both.flat()).toEqual([{ id, was: "retrying", is_now: "waiting" }]);
    const changed = { scheduled_at: expect.any(Date) as unknown };
    expect(await everything()).toEqual(before.map((row) => (row["id"] === idOf(3) ? { ...row, ...changed } : row)));
    const due = await database.run<{ id: string }>(
      "select id from outbox where scheduled_at <= now() order by created_at",
    );
    expect(due.map((row) => row.id)).toEqual([idOf(1), idOf(3), idOf(4)]);
  });

  test("a transaction that began before another one's requeue does not requeue again", async () => {
    const foreign = await database.open();
    const id = `out:${idOf(3)}`;
    await database.run("update outbox set scheduled_at = now() + interval '1 hour' where id = $1", [idOf(3)]);
    const earlier = await foreign.begin();
    await earlier.query("select now()");
    expect(await foreign.query("select * from onceboard_attach.requeue($1)", [id])).toHaveLength(1);
    const after = await everything();
    expect(await earlier.query("select * from onceboard_attach.requeue($1)", [id])).toEqual([]);
    await earlier.commit();
    expect(await everything()).toEqual(after);
  });

  test.each([
    `out:${idOf(1)}`,
    `out:${idOf(2)}`,
    `out:${idOf(4)}`,
    `out:${idOf(99)}`,
    "out:x",
    `in:${idOf(3)}`,
    "",
    "'",
  ])("%s was not delayed after a try, or is no row, and nothing changes", async (id) => {
    const foreign = await database.open();
    const before = await everything();
    expect(await foreign.query("select * from onceboard_attach.requeue($1)", [id])).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  test("nothing is discarded or purged: there are no such functions", async () => {
    const functions = await database.run<{ name: string }>(
      "select proname as name from pg_proc where pronamespace = 'onceboard_attach'::regnamespace order by 1",
    );
    expect(functions.map(({ name }) => name)).toEqual(["payload", "requeue"]);
  });
});

test.each(["update outbox set times_attempted = 0", "delete from outbox", "select 1 from outbox"])(
  "%s is refused",
  async (statement) => {
    const foreign = await database.open();
    await expect(foreign.query(statement)).rejects.toMatchObject({ code: "42501" });
  },
);

test("one bad row breaks no list", async () => {
  await database.run(
    `insert into outbox values ('${idOf(20)}', 'infinity', '-infinity', convert_to(repeat(chr(233), 1000000), 'LATIN1'), '', -1),
       ('${idOf(21)}', 'infinity', 'infinity', null, convert_to(repeat('x', 10000000), 'UTF8'), 2147483647)`,
  );
  const foreign = await database.open();
  const rows = await foreign.query<{ state: string; headers: string | null }>(
    "select * from onceboard_attach.outgoing order by order_1 desc, order_2 desc limit 2",
  );
  expect(rows.map(({ state, headers }) => [state, headers?.length])).toEqual([
    ["retrying", undefined],
    ["waiting", 16_384],
  ]);
});

test("with a payload of JSON it is named as a shape that is not known", async () => {
  const foreign = await database.open();
  await database.run(
    "drop schema onceboard_attach cascade; alter table outbox alter payload type text using '', drop column times_attempted",
  );
  const { recognised, nearMisses } = recognise([oagudoOutbox], await readTables(foreign));
  expect(recognised).toEqual([]);
  expect(nearMisses[0]?.because).toContain("payload as text, no column times_attempted");
});
