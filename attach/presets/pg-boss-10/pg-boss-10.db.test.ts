import type PgBoss from "pg-boss";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTables } from "../../probe/read-tables";
import { recognise } from "../../probe/recognise";
import { createForeignDatabase, type ForeignDatabase } from "../../testing/foreign-database";
import { pgBoss11 } from "../pg-boss-11";
import { PG_BOSS_QUEUE_NAME, pgBossJobs, startPgBoss } from "./fixtures";
import { pgBoss10 } from "./index";

let database: ForeignDatabase;
let boss: PgBoss;
let jobs: Readonly<Record<string, string>>;

beforeAll(async () => {
  database = await createForeignDatabase("select 1");
  boss = await startPgBoss(database);
  jobs = await pgBossJobs(boss, database);
  await database.install(pgBoss10);
});

afterAll(async () => {
  await boss.stop({ graceful: false, wait: true });
  await database.drop();
});

const allJobs = () => database.run("select * from pgboss.job order by name, id");
const stateOf = async (id: string): Promise<unknown> => {
  const rows = await database.run("select state from onceboard_attach.outgoing where id = $1", [id]);
  return rows[0]?.["state"];
};

describe("each state is shown as it is", () => {
  test.each([
    ["in_progress", "in_progress", "active"],
    ["sent", "sent", "completed"],
    ["retrying", "retrying", "retry"],
    ["dead", "dead", "failed"],
    ["archived", "dead", "failed"],
    ["cancelled", "cancelled", "cancelled"],
    ["scheduled", "scheduled", "created"],
    ["expired", "expired", "created"],
    ["waiting", "waiting", "created"],
  ])("%s", async (name, state, raw) => {
    const foreign = await database.open();
    const rows = await foreign.query(
      "select state, raw_state, type from onceboard_attach.outgoing where message_id = $1",
      [jobs[name]],
    );
    expect(rows).toEqual([{ state, raw_state: raw, type: PG_BOSS_QUEUE_NAME }]);
  });

  test("what it fails with, and a result that is no error", async () => {
    const foreign = await database.open();
    const rows = await foreign.query<{ id: string }>(
      "select id, attempts, max_attempts, last_error from onceboard_attach.outgoing where message_id = any($1::text[]) order by state",
      [[jobs["dead"], jobs["retrying"], jobs["sent"]]],
    );
    expect(rows).toEqual([
      { id: `job:${String(jobs["dead"])}`, attempts: 1, max_attempts: 1, last_error: "The gateway was gone." },
      { id: `job:${String(jobs["retrying"])}`, attempts: 1, max_attempts: 3, last_error: "The gateway was gone." },
      { id: `job:${String(jobs["sent"])}`, attempts: 1, max_attempts: 3, last_error: null },
    ]);
  });

  test("the lock of a running job ends when its time does", async () => {
    const foreign = await database.open();
    const rows = await foreign.query(
      "select order_key, locked_until - now() > interval '9 minutes' as far, locked_until < now() + interval '10 minutes' as near from onceboard_attach.outgoing where state = 'in_progress'",
    );
    expect(rows).toEqual([{ order_key: "customer-7", far: true, near: true }]);
  });

  test("dead jobs, with those of the archive", async () => {
    const foreign = await database.open();
    const rows = await foreign.query<{ id: string }>(
      "select id, origin, error_type, error_message, dead_at < now() as was, error_trace from onceboard_attach.dead order by dead_at",
    );
    expect(rows).toEqual(
      [`archive:${String(jobs["archived"])}`, `job:${String(jobs["dead"])}`].map((id) => ({
        id,
        origin: "job",
        error_type: "GatewayError",
        error_message: "The gateway was gone.",
        was: true,
        error_trace: "GatewayError: The gateway was gone.\n    at pay",
      })),
    );
  });

  test.each(["job:dead", "archive:archived"])("the data of %s", async (which) => {
    const [prefix = "", name = ""] = which.split(":");
    const foreign = await database.open();
    const rows = await foreign.query<{ codec: string; body: Buffer }>("select * from onceboard_attach.payload($1)", [
      `${prefix}:${String(jobs[name])}`,
    ]);
    expect(rows.map(({ codec, body }) => [codec, body.toString()])).toEqual([["json", '{"amount": "12.00"}']]);
  });
});

describe("acting", () => {
  test("a job that its worker failed for good is put back once, and its worker runs it to its end once", async () => {
    const queue = "broken";
    await boss.createQueue(queue, { name: queue, policy: "standard", retryLimit: 1 });
    const seen: string[] = [];
    let broken = true;
    await boss.work<{ n: number }>(queue, { pollingIntervalSeconds: 0.5 }, async ([job]) => {
      seen.push(broken ? "failed" : "done");
      if (broken) throw new Error(`no luck with ${String(job?.data.n)}`);
      await Promise.resolve();
    });
    const id = `job:${String(await boss.send(queue, { n: 1 }))}`;
    await expect.poll(() => stateOf(id)).toBe("dead");
    expect(seen).toEqual(["failed", "failed"]);
    broken = false;
    // As if it had failed long ago: what is finished so long is put away by the maintenance of pg-boss.
    await database.run(
      "update pgboss.job set completed_on = now() - interval '13 hours', keep_until = now() - interval '1 hour' where name = $1",
      [queue],
    );
    await boss.offWork(queue);
    const foreign = await database.open();
    const both = await Promise.all([1, 2].map(() => foreign.query("select * from onceboard_attach.requeue($1)", [id])));
    expect(both.flat()).toEqual([{ id, was: "dead", is_now: "retrying" }]);
    await boss.maintain();
    await boss.work(queue, { pollingIntervalSeconds: 0.5 }, async () => {
      seen.push("done");
      await Promise.resolve();
    });
    await expect.poll(() => stateOf(id)).toBe("sent");
    expect(await foreign.query("select * from onceboard_attach.requeue($1)", [id])).toEqual([]);
    expect(seen).toEqual(["failed", "failed", "done"]);
    await boss.offWork(queue);
  });

  test("putting back changes what a try needs, and nothing else", async () => {
    const id = String(jobs["dead"]);
    const rowOf = () => database.run("select * from pgboss.job where id = $1", [id]);
    const [before] = await rowOf();
    const foreign = await database.open();
    const release = await database.hold(`select 1 from pgboss.job where id = '${id}' for update`);
    expect(await foreign.query("select * from onceboard_attach.requeue($1)", [`job:${id}`])).toEqual([]);
    await release();
    await database.run("update pgboss.job set keep_until = now() + interval '90 days' where id = $1", [id]);
    const kept = (await rowOf())[0]?.["keep_until"];
    expect(await foreign.query("select * from onceboard_attach.requeue($1)", [`job:${id}`])).toHaveLength(1);
    const [after] = await rowOf();
    expect(after).toEqual({
      ...before,
      keep_until: kept,
      state: "retry",
      retry_limit: 1,
      completed_on: null,
      start_after: after?.["start_after"],
    });
    await database.run("update pgboss.job set state = 'failed', retry_limit = 0, completed_on = now() where id = $1", [
      id,
    ]);
  });

  test.each(["in_progress", "sent", "retrying", "archived", "cancelled", "scheduled", "expired", "waiting"])(
    "a job that is %s is not put back and not deleted",
    async (name) => {
      const foreign = await database.open();
      const before = await allJobs();
      for (const prefix of ["job", "archive"])
        for (const action of ["requeue", "discard"])
          expect(
            await foreign.query(`select * from onceboard_attach.${action}($1)`, [`${prefix}:${String(jobs[name])}`]),
          ).toEqual([]);
      expect(await allJobs()).toEqual(before);
    },
  );

  test.each([
    "job:1",
    "job:00000000-0000-4000-8000-000000000000",
    "job:'; drop table pgboss.job; --",
    "queue:orders",
    "",
  ])("%s is no job", async (id) => {
    const foreign = await database.open();
    const before = await allJobs();
    for (const action of ["requeue", "discard", "payload"])
      expect(await foreign.query(`select * from onceboard_attach.${action}($1)`, [id])).toEqual([]);
    expect(await allJobs()).toEqual(before);
  });

  test("two queues with a job of one id: neither is opened or changed", async () => {
    await boss.createQueue("other", { name: "other", policy: "standard" });
    await database.run(
      "insert into pgboss.job (id, name, state, completed_on) select id, 'other', 'failed', now() from pgboss.job where id = $1",
      [jobs["dead"]],
    );
    const foreign = await database.open();
    for (const action of ["requeue", "discard", "payload"])
      expect(
        await foreign.query(`select * from onceboard_attach.${action}($1)`, [`job:${String(jobs["dead"])}`]),
      ).toEqual([]);
    await database.run("delete from pgboss.job where name = 'other'");
  });

  test("where the policy of a queue has no place for it, nothing changes", async () => {
    await boss.createQueue("stately", { name: "stately", policy: "stately" });
    const [row] = await database.run<{ id: string }>(
      "insert into pgboss.job (name, state, policy, completed_on) values ('stately', 'failed', 'stately', now()), ('stately', 'retry', 'stately', null) returning id",
    );
    const foreign = await database.open();
    const before = await allJobs();
    await expect(
      foreign.query("select * from onceboard_attach.requeue($1)", [`job:${row?.id ?? ""}`]),
    ).rejects.toMatchObject({
      code: "23505",
    });
    expect(await allJobs()).toEqual(before);
  });

  test("purging deletes what is done or cancelled, never the dead, never more than was asked", async () => {
    await database.run(
      `insert into pgboss.job (name, state, completed_on, singleton_on)
       select 'orders', 'completed'::pgboss.job_state, now() - interval '9 days', null::timestamp from generate_series(1, 4)
       union all select 'orders', 'failed', now() - interval '9 days', null union all select 'orders', 'completed', now() - interval '9 days', now()`,
    );
    const foreign = await database.open();
    const old = "now() - interval '8 days'";
    expect(await foreign.query(`select * from onceboard_attach.purge(${old}, 3)`)).toHaveLength(3);
    expect(await foreign.query(`select * from onceboard_attach.purge(${old}, 500)`)).toMatchObject([
      { was: "completed", is_now: "gone" },
    ]);
    expect(await database.run("select 1 from pgboss.job where completed_on < now() - interval '8 days'")).toHaveLength(
      2,
    );
    await database.run("delete from pgboss.job where completed_on < now() - interval '8 days'");
  });

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
  "update pgboss.job set state = 'retry'",
  "delete from pgboss.job",
  "select 1 from pgboss.job",
  "select 1 from pgboss.archive",
])("%s is refused", async (statement) => {
  const foreign = await database.open();
  await expect(foreign.query(statement)).rejects.toMatchObject({ code: "42501" });
});

test("bad rows break no list", async () => {
  await database.run(
    `insert into pgboss.job (name, state, data, output, keep_until, start_after, started_on, expire_in, retry_limit, retry_count, completed_on) values
     ('orders', 'failed', '"text"', '[1]', 'infinity', '-infinity', 'infinity', '170000000 years', 2147483647, 2147483647, null),
     ('orders', 'active', to_jsonb(repeat('x', 10000000)), '7', 'infinity', 'infinity', now(), '170000000 years', 0, 0, '-infinity'),
     ('orders', 'failed', null, to_jsonb(repeat('x', 10000000)), now(), now(), null, '0', -1, -1, 'infinity')`,
  );
  const foreign = await database.open();
  expect(
    await foreign.query("select * from onceboard_attach.outgoing order by order_1, order_2 limit 500"),
  ).not.toHaveLength(0);
  expect(await foreign.query("select * from onceboard_attach.dead order by order_1, order_2")).toHaveLength(4);
});

test("these tables are of version 10, and of none other", async () => {
  const foreign = await database.open();
  const tables = await readTables(foreign);
  const { recognised, nearMisses } = recognise([pgBoss10, pgBoss11], tables);
  expect(recognised.map(({ preset }) => preset.id)).toEqual(["pg-boss-10"]);
  expect(nearMisses).toEqual([]);
  const older = tables.map((table) =>
    table.name === "job" || table.name === "archive"
      ? { ...table, columns: table.columns.filter(({ name }) => name !== "dead_letter") }
      : table,
  );
  expect(recognise([pgBoss10], older).recognised).toEqual([]);
  expect(recognise([pgBoss10], older).nearMisses[0]?.because).toContain("pgboss.job has no column dead_letter");
});
