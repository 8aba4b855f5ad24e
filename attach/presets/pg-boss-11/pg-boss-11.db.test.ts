import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTables } from "../../probe/read-tables";
import { recognise } from "../../probe/recognise";
import { createForeignDatabase, type ForeignDatabase } from "../../testing/foreign-database";
import { pgBoss10 } from "../pg-boss-10";
import { PG_BOSS_11_0_CHANGES, PG_BOSS_11_INSERTS, PG_BOSS_11_ROWS, PG_BOSS_11_TABLES, pgBoss11Id } from "./fixtures";
import { pgBoss11 } from "./index";

const DEAD = pgBoss11Id(8);

let database: ForeignDatabase;
let first: ForeignDatabase;

beforeAll(async () => {
  database = await createForeignDatabase(PG_BOSS_11_TABLES);
  first = await createForeignDatabase(PG_BOSS_11_TABLES);
  await first.run(PG_BOSS_11_0_CHANGES);
  for (const each of [database, first]) {
    await each.run(PG_BOSS_11_INSERTS);
    await each.install(pgBoss11);
  }
});

afterAll(() => Promise.all([database.drop(), first.drop()]));

const allJobs = () => database.run("select * from pgboss.job order by name, id");
const act = async (action: string, id: string) =>
  (await database.open()).query(`select * from onceboard_attach.${action}($1)`, [id]);

describe("each state is shown as it is", () => {
  test.each([
    ["12", () => database],
    ["11.0", () => first],
  ])("of version %s", async (_, which) => {
    const foreign = await which().open();
    expect(
      await foreign.query("select id, state, raw_state from onceboard_attach.outgoing order by order_1, order_2"),
    ).toEqual(PG_BOSS_11_ROWS.map(({ n, state, raw }) => ({ id: `job:${pgBoss11Id(n)}`, state, raw_state: raw })));
  });

  test("a lock ends with its time, or earlier when a heartbeat is missed", async () => {
    const foreign = await database.open();
    const seconds = async () =>
      foreign.query(
        `select order_key, extract(epoch from v.locked_until - j.started_on)::integer as seconds
           from onceboard_attach.outgoing v cross join lateral (select created_at as started_on) j where state = 'in_progress'`,
      );
    expect(await seconds()).toEqual([{ order_key: "customer-7", seconds: 900 }]);
    await database.run(
      "update pgboss.job set heartbeat_on = created_on, heartbeat_seconds = 60 where state = 'active'",
    );
    expect(await seconds()).toEqual([{ order_key: "customer-7", seconds: 60 }]);
  });

  test("dead jobs, with what they failed with and when they go", async () => {
    const foreign = await database.open();
    expect(
      await foreign.query(
        "select id, attempts, error_type, error_message, error_trace, expires_at - dead_at = interval '7 days' as week from onceboard_attach.dead",
      ),
    ).toEqual([
      {
        id: `job:${DEAD}`,
        attempts: 3,
        error_type: "GatewayError",
        error_message: "The gateway was gone.",
        error_trace: "at pay",
        week: true,
      },
    ]);
  });

  test("data of a job", async () => {
    const [row] = (await act("payload", `job:${DEAD}`)) as { codec: string; body: Buffer }[];
    expect([row?.codec, row?.body.toString()]).toEqual(["json", '{"amount": 12}']);
  });
});

describe("acting", () => {
  test.each([1, 2, 3, 4, 5, 6, 7])("job %i is not dead, and is neither put back nor deleted", async (n) => {
    const before = await allJobs();
    for (const action of ["requeue", "discard"]) expect(await act(action, `job:${pgBoss11Id(n)}`)).toEqual([]);
    expect(await allJobs()).toEqual(before);
  });

  test.each([`job:${pgBoss11Id(99)}`, "job:8", `archive:${DEAD}`, "job:'; drop table pgboss.job; --", ""])(
    "%s is no job",
    async (id) => {
      const before = await allJobs();
      for (const action of ["requeue", "discard", "payload"]) expect(await act(action, id)).toEqual([]);
      expect(await allJobs()).toEqual(before);
    },
  );

  test("a dead job is put back with one more try, once, and nothing else of it changes", async () => {
    await database.run("update pgboss.job set keep_until = now() - interval '1 day' where id = $1", [DEAD]);
    const before = await allJobs();
    const release = await database.hold(`select 1 from pgboss.job where id = '${DEAD}' for update`);
    expect(await act("requeue", `job:${DEAD}`)).toEqual([]);
    await release();
    const both = await Promise.all([1, 2].map(() => act("requeue", `job:${DEAD}`)));
    expect(both.flat()).toEqual([{ id: `job:${DEAD}`, was: "dead", is_now: "retrying" }]);
    const after = await allJobs();
    const changed = after.find((row) => row["id"] === DEAD);
    expect(after).toEqual(
      before.map((row) =>
        row["id"] === DEAD
          ? {
              ...row,
              state: "retry",
              retry_limit: 3,
              completed_on: null,
              start_after: changed?.["start_after"],
              keep_until: changed?.["keep_until"],
            }
          : row,
      ),
    );
    expect(
      await database.run("select keep_until > now() + interval '13 days' as kept from pgboss.job where id = $1", [
        DEAD,
      ]),
    ).toEqual([{ kept: true }]);
  });

  test("where the policy of a queue has no place for it, nothing changes", async () => {
    await database.run(
      `insert into pgboss.job (id, name, state, policy) values ('${pgBoss11Id(20)}', 'alone', 'failed', 'exclusive'), ('${pgBoss11Id(21)}', 'alone', 'active', 'exclusive')`,
    );
    const before = await allJobs();
    await expect(act("requeue", `job:${pgBoss11Id(20)}`)).rejects.toMatchObject({ code: "23505" });
    expect(await allJobs()).toEqual(before);
  });

  test("a dead job is deleted once, and not while others wait for it or two queues have its id", async () => {
    const id = pgBoss11Id(30);
    await database.run(`insert into pgboss.job (id, name, state, blocking) values ('${id}', 'large', 'failed', true)`);
    expect(await act("discard", `job:${id}`)).toEqual([]);
    await database.run(
      `update pgboss.job set blocking = false where id = '${id}'; insert into pgboss.job (id, name, state) values ('${id}', 'orders', 'failed')`,
    );
    for (const action of ["requeue", "discard", "payload"]) expect(await act(action, `job:${id}`)).toEqual([]);
    await database.run(`delete from pgboss.job where id = '${id}' and name = 'orders'`);
    const both = await Promise.all([1, 2].map(() => act("discard", `job:${id}`)));
    expect(both.flat()).toEqual([{ id: `job:${id}`, was: "dead", is_now: "gone" }]);
    expect(await database.run("select 1 from pgboss.job where name = 'large'")).toEqual([]);
  });

  test("purging leaves the dead, those that others wait for and those that keep a slot, and deletes no more than was asked", async () => {
    await database.run(
      `insert into pgboss.job (name, state, completed_on, blocking, singleton_on)
       select 'large', s::pgboss.job_state, now() - interval '9 days', b, case when o then now() end
       from (values ('completed', false, false), ('cancelled', false, false), ('failed', false, false), ('completed', true, false), ('completed', false, true)) t(s, b, o)`,
    );
    const foreign = await database.open();
    const purge = (most: number) =>
      foreign.query<{ was: string }>("select * from onceboard_attach.purge(now() - interval '8 days', $1)", [most]);
    const gone = [...(await purge(1)), ...(await purge(500))];
    expect(gone.map(({ was }) => was).sort()).toEqual(["cancelled", "completed"]);
    expect(await database.run("select 1 from pgboss.job where name = 'large'")).toHaveLength(3);
  });
});

test.each(["update pgboss.job set state = 'retry'", "delete from pgboss.job_common", "select 1 from pgboss.job"])(
  "%s is refused",
  async (statement) => {
    const foreign = await database.open();
    await expect(foreign.query(statement)).rejects.toMatchObject({ code: "42501" });
  },
);

test("bad rows break no list", async () => {
  await database.run(
    `insert into pgboss.job (name, state, data, output, keep_until, started_on, expire_seconds, deletion_seconds, retry_limit, retry_count, completed_on) values
     ('zz', 'failed', '"text"', '[1]', 'infinity', 'infinity', 2147483647, 2147483647, 2147483647, 2147483647, '-infinity'),
     ('zz', 'active', to_jsonb(repeat('x', 10000000)), '7', '-infinity', now(), 2147483647, -1, 0, 0, null),
     ('zz', 'failed', null, to_jsonb(repeat('x', 10000000)), now(), null, -1, 0, -1, -1, 'infinity')`,
  );
  const foreign = await database.open();
  expect(await foreign.query("select * from onceboard_attach.outgoing where order_1 = 'zz'")).toHaveLength(3);
  expect(await foreign.query("select * from onceboard_attach.dead where order_1 = 'zz'")).toHaveLength(2);
});

test.each([
  ["12", () => database],
  ["11.0", () => first],
])("the tables of version %s are of this shape, and of none other", async (_, which) => {
  const foreign = await which().open();
  const tables = await readTables(foreign);
  const { recognised, nearMisses } = recognise([pgBoss10, pgBoss11], tables);
  expect(recognised.map(({ preset }) => preset.id)).toEqual(["pg-boss-11"]);
  expect(nearMisses).toEqual([]);
  // A shape that has what both have is neither's.
  const both = tables.map((table) =>
    table.name === "job" ? { ...table, columns: [...table.columns, { name: "expire_in", type: "interval" }] } : table,
  );
  expect(recognise([pgBoss10, pgBoss11], both).recognised).toEqual([]);
  expect(recognise([pgBoss11], both).nearMisses[0]?.because).toContain("pgboss.job has a column expire_in");
});
