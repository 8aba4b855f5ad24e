import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recognise } from "../../probe/recognise";
import { readTables } from "../../probe/read-tables";
import { createForeignDatabase, type ForeignDatabase } from "../../testing/foreign-database";
import { DJANGO_OUTBOX_ROWS, DJANGO_OUTBOX_TABLES, djangoOutboxId as idOf, insertDjangoOutboxRows } from "./fixtures";
import { djangoOutboxPattern } from "./index";

let database: ForeignDatabase;

beforeAll(async () => {
  database = await createForeignDatabase(DJANGO_OUTBOX_TABLES);
  await insertDjangoOutboxRows(database);
  await database.install(djangoOutboxPattern);
});

afterAll(() => database.drop());

const everything = () => database.run("select * from published order by id");

describe("each state is shown as it is", () => {
  test("published: what waits past its time is expired", async () => {
    const foreign = await database.open();
    const rows = await foreign.query<{ state: string; raw_state: string; expires_at: Date | null }>(
      "select state, raw_state, expires_at from onceboard_attach.outgoing order by order_1, order_2",
    );
    expect(rows.map(({ state }) => state)).toEqual(DJANGO_OUTBOX_ROWS.map(({ state }) => state));
    expect(rows.map(({ raw_state }) => raw_state)).toEqual(DJANGO_OUTBOX_ROWS.map(({ status }) => String(status)));
    expect(rows.map(({ expires_at }) => expires_at !== null)).toEqual(
      DJANGO_OUTBOX_ROWS.map(({ status }) => status === 1),
    );
  });

  test("received", async () => {
    const foreign = await database.open();
    const rows = await foreign.query<{ state: string; message_id: string }>(
      "select state, message_id from onceboard_attach.incoming order by order_1, order_2",
    );
    expect(rows.map(({ state }) => state)).toEqual(["waiting", "waiting", "dead", "done", "unknown"]);
    expect(rows[0]?.message_id).toBe("m-0");
  });

  test("dead, and when it was given up", async () => {
    const foreign = await database.open();
    const [row, ...more] = await foreign.query(
      "select id, attempts, error_message, state, dead_at < now() - interval '59 hours' and dead_at > now() - interval '61 hours' as then from onceboard_attach.dead",
    );
    expect(row).toEqual({ id: `out:${idOf(3)}`, attempts: 50, error_message: null, state: "dead", then: true });
    expect(more).toEqual([]);
  });
});

describe("acting", () => {
  test("a row that the publisher holds is not waited for", async () => {
    const foreign = await database.open();
    const before = await everything();
    const release = await database.hold("select 1 from published for update");
    expect(await foreign.query("select * from onceboard_attach.requeue($1)", [`out:${idOf(3)}`])).toEqual([]);
    await release();
    expect(await everything()).toEqual(before);
  });

  test.each([
    ["dead", 3],
    ["expired", 2],
  ])("a message that is %s is requeued once, as the publisher would take it", async (was, number) => {
    const foreign = await database.open();
    const before = await everything();
    const id = idOf(number);
    const both = await Promise.all(
      [1, 2].map(() => foreign.query("select * from onceboard_attach.requeue($1)", [`out:${id}`])),
    );
    expect(both.flat()).toEqual([{ id: `out:${id}`, was, is_now: "waiting" }]);
    const changed = { status: 1, retry: 0, expires_at: expect.any(Date) as unknown };
    expect(await everything()).toEqual(before.map((row) => (row["id"] === id ? { ...row, ...changed } : row)));
    expect(
      await database.run(
        "select 1 from published where id = $1 and status = 1 and expires_at > now() + interval '23 hours'",
        [id],
      ),
    ).toHaveLength(1);
  });

  test.each([
    `out:${idOf(1)}`,
    `out:${idOf(4)}`,
    `out:${idOf(5)}`,
    `out:${idOf(99)}`,
    `in:${idOf(3)}`,
    "out:x",
    "'",
    "",
  ])("%s can not be requeued, or is no row, and nothing changes", async (id) => {
    const foreign = await database.open();
    const before = await everything();
    expect(await foreign.query("select * from onceboard_attach.requeue($1)", [id])).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  test("purging deletes what was sent and is old", async () => {
    const foreign = await database.open();
    expect(await foreign.query("select * from onceboard_attach.purge('2026-03-01 11:00Z', 10)")).toEqual([]);
    expect(await foreign.query("select * from onceboard_attach.purge(now() + interval '9 years', 10)")).toEqual([
      { id: `out:${idOf(4)}`, was: "sent", is_now: "gone" },
    ]);
    expect(await everything()).toHaveLength(DJANGO_OUTBOX_ROWS.length - 1);
  });
});

test.each(["update published set status = 1", "delete from received", "select 1 from published"])(
  "%s is refused",
  async (statement) => {
    const foreign = await database.open();
    await expect(foreign.query(statement)).rejects.toMatchObject({ code: "42501" });
  },
);

test("one bad row breaks no list", async () => {
  await database.run(
    `insert into published values ('${idOf(20)}', null, '', to_jsonb(repeat('x', 10000000)), 'infinity', '-infinity', 0, -1, 'null'),
       ('${idOf(21)}', null, '', 'null', 'infinity', 'infinity', 0, 1, to_jsonb(repeat('x', 10000000)))`,
  );
  const foreign = await database.open();
  const rows = await foreign.query<{ state: string; headers: string }>(
    "select * from onceboard_attach.outgoing order by order_1 desc, order_2 desc limit 2",
  );
  expect(rows.map(({ state, headers }) => [state, headers.length])).toEqual([
    ["waiting", 16_384],
    ["dead", 4],
  ]);
  expect(await foreign.query("select * from onceboard_attach.dead")).toHaveLength(1);
});

test("with a status in words it is named as a shape that is not known", async () => {
  const foreign = await database.open();
  await database.run("drop schema onceboard_attach cascade; alter table published alter status type text");
  const { recognised, nearMisses } = recognise([djangoOutboxPattern], await readTables(foreign));
  expect(recognised).toEqual([]);
  expect(nearMisses[0]?.because).toContain("status as text");
});
