import type { WorkerUtils } from "graphile-worker";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTables } from "../../probe/read-tables";
import { recognise } from "../../probe/recognise";
import { createForeignDatabase, type ForeignDatabase } from "../../testing/foreign-database";
import { graphileJobsInEachState, startGraphileWorker, workGraphileJobs } from "./fixtures";
import { graphileJobs } from "./index";

let database: ForeignDatabase;
let utils: WorkerUtils;
let jobs: Readonly<Record<string, string>>;

beforeAll(async () => {
  database = await createForeignDatabase("select 1");
  utils = await startGraphileWorker(database);
  jobs = await graphileJobsInEachState(utils, database);
  await database.install(graphileJobs);
});

afterAll(async () => {
  await utils.release();
  await database.drop();
});

const allJobs = () => database.run("select * from graphile_worker._private_jobs order by id");

describe("each state is shown as it is", () => {
  test.each([
    ["retrying", "retrying"],
    ["dead", "dead"],
    ["in_progress", "in_progress"],
    ["abandoned", "dead"],
    ["waiting", "waiting"],
    ["scheduled", "scheduled"],
  ])("%s", async (name, state) => {
    const foreign = await database.open();
    const rows = await foreign.query(
      "select state, type, raw_state from onceboard_attach.outgoing where order_1 = $1",
      [jobs[name]],
    );
    expect(rows).toEqual([{ state, type: "pay", raw_state: null }]);
  });

  test("dead jobs, with what they failed with", async () => {
    const foreign = await database.open();
    expect(
      await foreign.query(
        "select id, origin, attempts, error_message, payload_codec from onceboard_attach.dead order by order_1",
      ),
    ).toEqual([
      {
        id: `job:${String(jobs["dead"])}`,
        origin: "job",
        attempts: 1,
        error_message: "The gateway was gone.",
        payload_codec: null,
      },
      { id: `job:${String(jobs["abandoned"])}`, origin: "job", attempts: 1, error_message: null, payload_codec: null },
    ]);
  });

  test("queue, key and lock", async () => {
    const foreign = await database.open();
    expect(
      await foreign.query(
        `select order_key, message_id, locked_by, round(extract(epoch from locked_until - now()) / 3600)::integer as hours
           from onceboard_attach.outgoing where order_1 = any($1::bigint[]) order by order_1`,
        [[jobs["in_progress"], jobs["scheduled"]]],
      ),
    ).toEqual([
      { order_key: null, message_id: null, locked_by: "worker-7", hours: 3 },
      { order_key: "slow", message_id: "k-1", locked_by: null, hours: null },
    ]);
  });
});

describe("acting", () => {
  test("a job that its worker failed for good is put back once, and its worker runs it to its end once", async () => {
    const { id } = await utils.addJob("broken", { n: 1 }, { maxAttempts: 1 });
    const seen: string[] = [];
    let broken = true;
    const work = () =>
      workGraphileJobs(database, {
        broken: () => {
          seen.push(broken ? "failed" : "done");
          if (broken) throw new Error("no luck");
        },
      });
    await work();
    await work();
    expect(seen).toEqual(["failed"]);
    broken = false;
    const foreign = await database.open();
    const both = await Promise.all(
      [1, 2].map(() => foreign.query("select * from onceboard_attach.requeue($1)", [`job:${id}`])),
    );
    expect(both.flat()).toEqual([{ id: `job:${id}`, was: "dead", is_now: "waiting" }]);
    await work();
    await work();
    expect(seen).toEqual(["failed", "done"]);
    expect(await database.run("select 1 from graphile_worker._private_jobs where id = $1", [id])).toEqual([]);
    expect(await foreign.query("select * from onceboard_attach.requeue($1)", [`job:${id}`])).toEqual([]);
  });

  test("whoever is second sees what the first one left, however late the first one ends", async () => {
    const { id } = await utils.addJob("parked", {}, { maxAttempts: 1 });
    await utils.permanentlyFailJobs([id], "given up");
    const foreign = await database.open();
    const release = await database.hold(
      `select * from graphile_worker.reschedule_jobs(job_ids => array[${id}]::bigint[], run_at => now() + interval '1 day', attempts => 0)`,
    );
    const second = foreign.query("select * from onceboard_attach.discard($1)", [`job:${id}`]);
    await expect
      .poll(() =>
        database.run(
          "select 1 from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()",
        ),
      )
      .toHaveLength(1);
    await release();
    expect(await second).toEqual([]);
    expect(await database.run("select attempts from graphile_worker._private_jobs where id = $1", [id])).toEqual([
      { attempts: 0 },
    ]);
    await utils.completeJobs([id]);
  });

  test("putting back changes tries and time, and nothing else", async () => {
    const rowOf = () => database.run("select * from graphile_worker._private_jobs where id = $1", [jobs["abandoned"]]);
    const [before] = await rowOf();
    const foreign = await database.open();
    expect(
      await foreign.query("select * from onceboard_attach.requeue($1)", [`job:${String(jobs["abandoned"])}`]),
    ).toHaveLength(1);
    const [after] = await rowOf();
    // The lock of a worker that is gone stays: graphile-worker takes it away itself.
    expect(after).toEqual({ ...before, attempts: 0, run_at: after?.["run_at"], updated_at: after?.["updated_at"] });
  });

  test.each(["retrying", "in_progress", "waiting", "scheduled"])(
    "a job that is %s is neither put back nor deleted",
    async (name) => {
      const foreign = await database.open();
      const before = await allJobs();
      for (const action of ["requeue", "discard"])
        expect(
          await foreign.query(`select * from onceboard_attach.${action}($1)`, [`job:${String(jobs[name])}`]),
        ).toEqual([]);
      expect(await allJobs()).toEqual(before);
    },
  );

  test.each(["job:999999", "job:x", "job:'; drop schema graphile_worker; --", "out:1", "1", ""])(
    "%s is no job",
    async (id) => {
      const foreign = await database.open();
      const before = await allJobs();
      for (const action of ["requeue", "discard"])
        expect(await foreign.query(`select * from onceboard_attach.${action}($1)`, [id])).toEqual([]);
      expect(await allJobs()).toEqual(before);
    },
  );

  test("a dead job is deleted, and once", async () => {
    const foreign = await database.open();
    const before = await allJobs();
    const id = `job:${String(jobs["dead"])}`;
    const both = await Promise.all([1, 2].map(() => foreign.query("select * from onceboard_attach.discard($1)", [id])));
    expect(both.flat()).toEqual([{ id, was: "dead", is_now: "gone" }]);
    expect(await allJobs()).toEqual(before.filter((row) => row["id"] !== jobs["dead"]));
  });
});

test.each([
  "update graphile_worker._private_jobs set attempts = 0",
  "delete from graphile_worker._private_jobs",
  "select payload from graphile_worker._private_jobs",
  "select 1 from graphile_worker.jobs",
  "select graphile_worker.complete_jobs(array[1]::bigint[])",
])("%s is refused", async (statement) => {
  const foreign = await database.open();
  await expect(foreign.query(statement)).rejects.toMatchObject({ code: "42501" });
});

test("no payload and no purge are installed, and the installation says why", async () => {
  const [row] = await database.run<{ comment: string }>(
    "select obj_description('onceboard_attach'::regnamespace) as comment",
  );
  expect(row?.comment).toContain("which others are asked not to read");
  expect(row?.comment).toContain("graphile-worker deletes a job when it succeeds: what is left");
  const functions = await database.run(
    "select proname from pg_proc where pronamespace = 'onceboard_attach'::regnamespace order by 1",
  );
  expect(functions.map(({ proname }) => proname)).toEqual(["discard", "requeue"]);
});

test("bad rows break no list", async () => {
  const { id } = await utils.addJob("bad", repeat(10_000_000));
  await database.run(
    "update graphile_worker._private_jobs set last_error = repeat('x', 10000000), run_at = '-infinity', locked_at = 'infinity', attempts = 32767, created_at = 'infinity' where id = $1",
    [id],
  );
  const foreign = await database.open();
  expect(await foreign.query("select * from onceboard_attach.outgoing order by order_1 desc limit 1")).toMatchObject([
    { id: `job:${id}` },
  ]);
  await database.run("update graphile_worker._private_jobs set locked_at = '-infinity' where id = $1", [id]);
  expect(await foreign.query("select * from onceboard_attach.dead order by order_1 desc limit 1")).toMatchObject([
    { id: `job:${id}` },
  ]);
});

test("an older table with its payload in it is no such shape, and is named", async () => {
  const foreign = await database.open();
  const tables = await readTables(foreign);
  const changed = (change: (name: string) => { name: string; type: string }[]) =>
    tables.map((table) =>
      table.name === "jobs"
        ? {
            ...table,
            columns: table.columns.flatMap((each) => (each.name === "revision" ? change(each.name) : [each])),
          }
        : table,
    );
  expect(recognise([graphileJobs], tables).recognised).toHaveLength(1);
  const older = recognise(
    [graphileJobs],
    changed((name) => [
      { name, type: "integer" },
      { name: "payload", type: "json" },
    ]),
  );
  expect(older.recognised).toEqual([]);
  expect(older.nearMisses[0]?.because).toContain("graphile_worker.jobs has a column payload");
  expect(
    recognise(
      [graphileJobs],
      changed(() => []),
    ).nearMisses[0]?.because,
  ).toContain("graphile_worker.jobs has no column revision");
});

const repeat = (length: number): { text: string } => ({ text: "x".repeat(length) });
