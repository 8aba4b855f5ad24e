import { describe, expect, test } from "vitest";
import { readTables } from "../../probe/read-tables";
import { recognise } from "../../probe/recognise";
import { presetDatabase } from "../../testing/preset-database";
import { RIVER_INSERTS, RIVER_ROWS, RIVER_TABLES } from "./fixtures";
import { river } from "./index";

const { database, act } = presetDatabase({
  preset: river,
  tables: RIVER_TABLES,
  rows: RIVER_INSERTS,
  constants: { keep_discarded: "3 days" },
});

const allJobs = () => database.run("select * from river_job order by id");

describe("each state is shown as it is", () => {
  test("in the order of its primary key", async () => {
    const foreign = await database.open();
    expect(await foreign.query("select id, state, raw_state from onceboard_attach.outgoing order by order_1")).toEqual(
      RIVER_ROWS.map(({ id, state, raw }) => ({ id: `job:${String(id)}`, state, raw_state: raw })),
    );
  });

  test("who has a job and until when", async () => {
    const foreign = await database.open();
    expect(
      await foreign.query(
        "select locked_by, locked_until, destination, type, headers, last_error from onceboard_attach.outgoing where state = 'in_progress'",
      ),
    ).toEqual([
      {
        locked_by: "client-2",
        locked_until: new Date("2026-03-01T13:00:00Z"),
        destination: "orders",
        type: "pay",
        headers: '{"region": "eu"}',
        last_error: "The gateway was gone.",
      },
    ]);
  });

  test("dead jobs, with what they failed with and when they go", async () => {
    const foreign = await database.open();
    expect(
      await foreign.query(
        "select id, dead_at, error_type, error_message, error_trace, expires_at from onceboard_attach.dead",
      ),
    ).toEqual([
      {
        id: "job:8",
        dead_at: new Date("2026-03-01T12:00:05Z"),
        error_type: null,
        error_message: "The gateway was gone.",
        error_trace: "main.go:7",
        expires_at: new Date("2026-03-04T12:00:05Z"),
      },
    ]);
  });

  test("arguments", async () => {
    const [row] = (await act("payload", "job:8")) as { codec: string; body: Buffer }[];
    expect([row?.codec, row?.body.toString()]).toEqual(["json", '{"amount": 12}']);
  });
});

describe("acting", () => {
  test.each([1, 2, 3, 4, 5, 6, 7])("job %i is not dead, and is neither put back nor deleted", async (id) => {
    const before = await allJobs();
    for (const action of ["requeue", "discard"]) expect(await act(action, `job:${String(id)}`)).toEqual([]);
    expect(await allJobs()).toEqual(before);
  });

  test.each(["job:999", "job:x", "job:'; drop table river_job; --", "8", ""])("%s is no job", async (id) => {
    const before = await allJobs();
    for (const action of ["requeue", "discard", "payload"]) expect(await act(action, id)).toEqual([]);
    expect(await allJobs()).toEqual(before);
  });

  test("a dead job is put back with one more try, once, and nothing else of it changes", async () => {
    const before = await allJobs();
    const release = await database.hold("select 1 from river_job where id = 8 for update");
    expect(await act("requeue", "job:8")).toEqual([]);
    await release();
    const both = await Promise.all([1, 2].map(() => act("requeue", "job:8")));
    expect(both.flat()).toEqual([{ id: "job:8", was: "dead", is_now: "waiting" }]);
    const after = await allJobs();
    expect(after).toEqual(
      before.map((row) =>
        row["id"] === "8"
          ? {
              ...row,
              state: "available",
              finalized_at: null,
              max_attempts: 4,
              scheduled_at: after.at(-1)?.["scheduled_at"],
            }
          : row,
      ),
    );
  });

  test("a unique job whose place is taken is refused, and nothing changes", async () => {
    await database.run(
      `insert into river_job (id, state, max_attempts, finalized_at, kind, unique_key, unique_states)
       values (20, 'discarded', 3, now(), 'pay', 'k', B'11110101'), (21, 'available', 3, null, 'pay', 'k', B'11110101')`,
    );
    const before = await allJobs();
    await expect(act("requeue", "job:20")).rejects.toMatchObject({ code: "23505" });
    expect(await allJobs()).toEqual(before);
  });

  test("a dead job is deleted, and once", async () => {
    const both = await Promise.all([1, 2].map(() => act("discard", "job:20")));
    expect(both.flat()).toEqual([{ id: "job:20", was: "dead", is_now: "gone" }]);
    expect(await database.run("select 1 from river_job where id = 20")).toEqual([]);
  });

  test("purging deletes what is completed or cancelled and not unique, never the dead, never more than was asked", async () => {
    await database.run(
      `insert into river_job (state, max_attempts, finalized_at, kind, unique_key)
       select 'completed'::river_job_state, 1, timestamptz '2025-01-01', 'old', null::bytea from generate_series(1, 3)
       union all select 'discarded', 1, timestamptz '2025-01-01', 'old', null union all select 'completed', 1, timestamptz '2025-01-01', 'old', 'u'`,
    );
    const foreign = await database.open();
    const purge = (most: number) => foreign.query("select * from onceboard_attach.purge('2025-06-01', $1)", [most]);
    expect(await purge(2)).toHaveLength(2);
    expect(await purge(500)).toMatchObject([{ was: "completed", is_now: "gone" }]);
    expect(await database.run("select 1 from river_job where kind = 'old'")).toHaveLength(2);
  });
});

test.each(["update river_job set state = 'available'", "delete from river_job", "select 1 from river_job"])(
  "%s is refused",
  async (statement) => {
    const foreign = await database.open();
    await expect(foreign.query(statement)).rejects.toMatchObject({ code: "42501" });
  },
);

test("bad rows break no list", async () => {
  await database.run(
    `insert into river_job (id, state, attempt, max_attempts, finalized_at, created_at, kind, errors, args, metadata, attempted_by) values
     (200, 'discarded', 32767, 32767, 'infinity', '-infinity', '', array['"text"', '[]']::jsonb[], '"x"', '7', '{}'),
     (201, 'discarded', -1, 1, '-infinity', 'infinity', '', array[to_jsonb(repeat('x', 1000000))], to_jsonb(repeat('x', 10000000)), to_jsonb(repeat('x', 10000000)), null)`,
  );
  const foreign = await database.open();
  expect(await foreign.query("select * from onceboard_attach.outgoing order by order_1 desc limit 2")).toHaveLength(2);
  expect(await foreign.query("select * from onceboard_attach.dead order by order_1 desc limit 2")).toHaveLength(2);
  expect(await act("requeue", "job:200")).toHaveLength(1);
});

test("a table before migration 6 is no such shape, and is named", async () => {
  const foreign = await database.open();
  const tables = await readTables(foreign);
  const older = tables.map((table) => ({
    ...table,
    columns: table.columns.filter(({ name }) => name !== "unique_states"),
  }));
  expect(recognise([river], tables).recognised).toHaveLength(1);
  const { recognised, nearMisses } = recognise([river], older);
  expect(recognised).toEqual([]);
  expect(nearMisses[0]?.because).toContain("public.river_job has no column unique_states");
});
