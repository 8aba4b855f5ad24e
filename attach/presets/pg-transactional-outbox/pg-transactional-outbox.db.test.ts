import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recognise } from "../../probe/recognise";
import { readTables } from "../../probe/read-tables";
import { createForeignDatabase, type ForeignDatabase } from "../../testing/foreign-database";
import {
  PG_TRANSACTIONAL_INBOX_ONLY,
  PG_TRANSACTIONAL_OUTBOX_ROWS,
  PG_TRANSACTIONAL_OUTBOX_TABLES,
  pgTransactionalOutboxId as idOf,
  pgTransactionalOutboxRows as rowsOf,
} from "./fixtures";
import { pgTransactionalOutbox } from "./index";

let database: ForeignDatabase;

const DEAD = idOf(4);

beforeAll(async () => {
  database = await createForeignDatabase(PG_TRANSACTIONAL_OUTBOX_TABLES);
  await database.run(`${rowsOf("outbox")};${rowsOf("inbox")}`);
  await database.install(pgTransactionalOutbox, { polling: "true" });
});

afterAll(() => database.drop());

const everything = () => database.run("select * from outbox union all select * from inbox order by created_at, id");

describe("each state is shown as it is", () => {
  test.each([
    ["outgoing", "sent"],
    ["incoming", "done"],
  ])("%s", async (view, done) => {
    const foreign = await database.open();
    const rows = await foreign.query<{ state: string }>(
      `select state from onceboard_attach.${view} order by order_1, order_2`,
    );
    expect(rows.map(({ state }) => state)).toEqual(
      PG_TRANSACTIONAL_OUTBOX_ROWS.map(({ state }) => (state === "sent" ? done : state)),
    );
  });

  test("dead letters of both tables, and a lock that is free as no lock", async () => {
    const foreign = await database.open();
    expect(
      await foreign.query("select id, origin, order_key, attempts, error_message, state from onceboard_attach.dead"),
    ).toEqual(
      ["out", "in"].map((prefix) => ({
        id: `${prefix}:${DEAD}`,
        origin: prefix === "out" ? "outgoing" : "incoming",
        order_key: "s1",
        attempts: 5,
        error_message: null,
        state: "dead",
      })),
    );
    expect(
      await foreign.query("select locked_until, headers from onceboard_attach.outgoing where id = $1", [
        `out:${idOf(1)}`,
      ]),
    ).toEqual([{ locked_until: null, headers: '{"trace": "x"}' }]);
  });
});

describe("acting", () => {
  test("a row that a listener has locked is not waited for", async () => {
    const foreign = await database.open();
    const before = await everything();
    const release = await database.hold(`select 1 from outbox where id = '${DEAD}' for no key update`);
    for (const action of ["requeue", "discard"])
      expect(await foreign.query(`select * from onceboard_attach.${action}('out:${DEAD}')`)).toEqual([]);
    await release();
    expect(await everything()).toEqual(before);
  });

  test("a dead message is requeued once, as a listener that polls would take it", async () => {
    const foreign = await database.open();
    const before = await database.run("select * from outbox order by id");
    const both = await Promise.all(
      [1, 2].map(() => foreign.query(`select * from onceboard_attach.requeue('out:${DEAD}')`)),
    );
    expect(both.flat()).toEqual([{ id: `out:${DEAD}`, was: "dead", is_now: "waiting" }]);
    const changed = { abandoned_at: null, started_attempts: 0, finished_attempts: 0 };
    expect(await database.run("select * from outbox order by id")).toEqual(
      before.map((row) => (row["id"] === DEAD ? { ...row, ...changed } : row)),
    );
    const open = await database.run<{ id: string }>(
      "select id from outbox where processed_at is null and abandoned_at is null and not locked_until > now() and started_attempts = 0 order by created_at",
    );
    expect(open.map(({ id }) => id)).toEqual([idOf(1), DEAD]);
  });

  test("what is not dead, or no row, stays as it is", async () => {
    const foreign = await database.open();
    const before = await everything();
    for (const id of [
      `out:${idOf(2)}`,
      `out:${idOf(5)}`,
      `out:${idOf(99)}`,
      "out:x",
      "in:'; drop table inbox; --",
      DEAD,
      "",
    ])
      for (const action of ["requeue", "discard"])
        expect(await foreign.query(`select * from onceboard_attach.${action}($1)`, [id])).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  test("discarding deletes the dead one of its table, purging what was processed and is old", async () => {
    const foreign = await database.open();
    expect(await foreign.query(`select * from onceboard_attach.discard('in:${DEAD}')`)).toHaveLength(1);
    expect(await foreign.query("select * from onceboard_attach.purge(now() - interval '20 days', 10)")).toEqual([]);
    expect(await foreign.query("select * from onceboard_attach.purge(now() + interval '9 years', 10)")).toEqual([
      { id: `out:${idOf(5)}`, was: "sent", is_now: "gone" },
      { id: `in:${idOf(5)}`, was: "done", is_now: "gone" },
    ]);
    expect(await everything()).toHaveLength(PG_TRANSACTIONAL_OUTBOX_ROWS.length * 2 - 3);
  });
});

test.each(["update outbox set started_attempts = 0", "delete from inbox", "select 1 from outbox"])(
  "%s is refused",
  async (statement) => {
    const foreign = await database.open();
    await expect(foreign.query(statement)).rejects.toMatchObject({ code: "42501" });
  },
);

test("one bad row breaks no list", async () => {
  await database.run(
    `insert into outbox values ('${idOf(20)}', '', '', '', null, 'parallel', to_jsonb(repeat('x', 10000000)), to_jsonb(repeat('x', 10000000)), 'infinity', 'infinity', null, 'infinity', 32767, -32768)`,
  );
  const foreign = await database.open();
  const rows = await foreign.query<{ id: string; headers: string }>(
    "select * from onceboard_attach.outgoing order by order_1 desc, order_2 desc limit 1",
  );
  expect(rows.map(({ id, headers }) => [id, headers.length])).toEqual([[`out:${idOf(20)}`, 16_384]]);
  const [payload] = await foreign.query("select codec, bytes from onceboard_attach.payload($1)", [`out:${idOf(20)}`]);
  expect(payload).toEqual({ codec: "json", bytes: "10000002" });
});

describe("other shapes", () => {
  test("whether listeners poll has to be said, and requeuing is for those that do", async () => {
    const other = await createForeignDatabase(PG_TRANSACTIONAL_INBOX_ONLY);
    try {
      await expect(other.install(pgTransactionalOutbox)).rejects.toThrow("polling is not given");
      await other.run(rowsOf("inbox"));
      await other.install(pgTransactionalOutbox, { polling: "false" });
      const foreign = await other.open();
      const views = await other.run<{ name: string }>(
        "select viewname as name from pg_views where schemaname = 'onceboard_attach' order by 1",
      );
      expect(views.map(({ name }) => name)).toEqual(["dead", "incoming"]);
      await expect(foreign.query(`select * from onceboard_attach.requeue('in:${DEAD}')`)).rejects.toMatchObject({
        code: "42883",
      });
      expect(await foreign.query(`select * from onceboard_attach.discard('in:${DEAD}')`)).toHaveLength(1);
    } finally {
      await other.drop();
    }
  });

  test("without abandoned_at it is named as a shape that is not known", async () => {
    const other = await createForeignDatabase(
      `${PG_TRANSACTIONAL_OUTBOX_TABLES} alter table outbox drop column abandoned_at; alter table inbox alter started_attempts type text;`,
    );
    try {
      const { recognised, nearMisses } = recognise([pgTransactionalOutbox], await readTables(await other.open()));
      expect(recognised).toEqual([]);
      expect(nearMisses[0]?.because).toContain("no column abandoned_at; public.inbox has started_attempts as text");
    } finally {
      await other.drop();
    }
  });
});
