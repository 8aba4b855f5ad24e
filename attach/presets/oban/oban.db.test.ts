import { describe, expect, test } from "vitest";
import { readTables } from "../../probe/read-tables";
import { recognise } from "../../probe/recognise";
import { presetDatabase } from "../../testing/preset-database";
import { OBAN_INSERTS, OBAN_ROWS, OBAN_TABLES } from "./fixtures";
import { oban } from "./index";

const { database, act } = presetDatabase({ preset: oban, tables: OBAN_TABLES, rows: OBAN_INSERTS });

const allJobs = () => database.run("select * from oban_jobs order by id");

describe("each state is shown as it is", () => {
  test("in the order of its primary key", async () => {
    const foreign = await database.open();
    expect(await foreign.query("select id, state, raw_state from onceboard_attach.outgoing order by order_1")).toEqual(
      OBAN_ROWS.map(({ id, state, raw }) => ({ id: `job:${String(id)}`, state, raw_state: raw })),
    );
  });

  test("who has a job, and times without a zone are read as UTC", async () => {
    const foreign = await database.open();
    expect(
      await foreign.query(
        "select locked_by, created_at, available_at, destination, type, headers from onceboard_attach.outgoing where state = 'in_progress'",
      ),
    ).toEqual([
      {
        locked_by: "node@shop",
        created_at: new Date("2026-03-01T11:00:00Z"),
        available_at: new Date("2026-03-01T11:30:00Z"),
        destination: "orders",
        type: "Shop.Pay",
        headers: '{"region": "eu"}',
      },
    ]);
  });

  test("dead jobs, with what they failed with", async () => {
    const foreign = await database.open();
    expect(
      await foreign.query("select id, dead_at, error_type, error_message, error_trace from onceboard_attach.dead"),
    ).toEqual([
      {
        id: "job:7",
        dead_at: new Date("2026-03-01T12:00:05Z"),
        error_type: "Shop.GatewayError",
        error_message: "** (Shop.GatewayError) The gateway was gone.",
        error_trace: "    (shop 1.0) lib/pay.ex:7",
      },
    ]);
  });

  test("arguments", async () => {
    const [row] = (await act("payload", "job:7")) as { codec: string; body: Buffer }[];
    expect([row?.codec, row?.body.toString()]).toEqual(["json", '{"amount": 12}']);
  });
});

describe("acting", () => {
  test.each([1, 2, 3, 4, 5, 6, 8])("job %i is not dead, and is neither put back nor deleted", async (id) => {
    const before = await allJobs();
    for (const action of ["requeue", "discard"]) expect(await act(action, `job:${String(id)}`)).toEqual([]);
    expect(await allJobs()).toEqual(before);
  });

  test.each(["job:999", "job:x", "job:'; drop table oban_jobs; --", "7", ""])("%s is no job", async (id) => {
    const before = await allJobs();
    for (const action of ["requeue", "discard", "payload"]) expect(await act(action, id)).toEqual([]);
    expect(await allJobs()).toEqual(before);
  });

  test("a dead job is put back with one more try, once, and nothing else of it changes", async () => {
    const before = await allJobs();
    const release = await database.hold("select 1 from oban_jobs where id = 7 for update");
    expect(await act("requeue", "job:7")).toEqual([]);
    await release();
    const both = await Promise.all([1, 2].map(() => act("requeue", "job:7")));
    expect(both.flat()).toEqual([{ id: "job:7", was: "dead", is_now: "waiting" }]);
    const after = await allJobs();
    expect(after).toEqual(
      before.map((row) =>
        row["id"] === "7"
          ? {
              ...row,
              state: "available",
              discarded_at: null,
              max_attempts: 3,
              scheduled_at: after[6]?.["scheduled_at"],
            }
          : row,
      ),
    );
    expect(
      await database.run(
        "select abs(extract(epoch from scheduled_at - now() at time zone 'UTC')) < 60 as utc from oban_jobs where id = 7",
      ),
    ).toEqual([{ utc: true }]);
  });

  test("a dead job is deleted, and once", async () => {
    await database.run("update oban_jobs set state = 'discarded', discarded_at = now() where id = 7");
    const before = await allJobs();
    const both = await Promise.all([1, 2].map(() => act("discard", "job:7")));
    expect(both.flat()).toEqual([{ id: "job:7", was: "dead", is_now: "gone" }]);
    expect(await allJobs()).toEqual(before.filter((row) => row["id"] !== "7"));
  });

  test("purging deletes what is completed or cancelled, never the dead, never more than was asked", async () => {
    await database.run(
      `insert into oban_jobs (state, worker, completed_at, cancelled_at, discarded_at)
       select 'completed'::oban_job_state, 'Old', timestamp '2025-01-01', null::timestamp, null::timestamp from generate_series(1, 2)
       union all select 'cancelled', 'Old', null, '2025-01-01', null union all select 'discarded', 'Old', null, null, '2025-01-01'`,
    );
    const foreign = await database.open();
    const purge = (most: number) =>
      foreign.query<{ was: string }>("select * from onceboard_attach.purge('2025-06-01', $1)", [most]);
    const gone = [...(await purge(2)), ...(await purge(500))];
    expect(gone.map(({ was }) => was).sort()).toEqual(["cancelled", "completed", "completed"]);
    expect(await database.run("select state from oban_jobs where worker = 'Old'")).toEqual([{ state: "discarded" }]);
  });
});

test.each(["update oban_jobs set state = 'available'", "delete from oban_jobs", "select 1 from oban_jobs"])(
  "%s is refused",
  async (statement) => {
    const foreign = await database.open();
    await expect(foreign.query(statement)).rejects.toMatchObject({ code: "42501" });
  },
);

test("bad rows break no list", async () => {
  await database.run(
    `insert into oban_jobs (id, state, worker, attempt, max_attempts, inserted_at, discarded_at, errors, args, meta, attempted_by) values
     (200, 'discarded', '', 2147483647, 2147483647, 'infinity', '-infinity', array['"text"', '[]']::jsonb[], '"x"', '7', '{}'),
     (201, 'discarded', '', 0, 1, '-infinity', null, array[jsonb_build_object('error', repeat('x', 10000000))], to_jsonb(repeat('x', 10000000)), null, null)`,
  );
  const foreign = await database.open();
  expect(await foreign.query("select * from onceboard_attach.outgoing order by order_1 desc limit 2")).toHaveLength(2);
  expect(await foreign.query("select * from onceboard_attach.dead order by order_1 desc limit 2")).toHaveLength(2);
  expect(await act("requeue", "job:200")).toHaveLength(1);
});

test("an older table is no such shape, and is named", async () => {
  const foreign = await database.open();
  const tables = await readTables(foreign);
  const older = tables.map((table) => ({
    ...table,
    columns: table.columns.filter(({ name }) => name !== "cancelled_at"),
  }));
  expect(recognise([oban], tables).recognised).toHaveLength(1);
  const { recognised, nearMisses } = recognise([oban], older);
  expect(recognised).toEqual([]);
  expect(nearMisses[0]?.because).toContain("public.oban_jobs has no column cancelled_at");
});
