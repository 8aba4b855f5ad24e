import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createForeignDatabase, type ForeignDatabase } from "../../testing/foreign-database";
import { asTheLibraryMakesIt, type FoundTable, type TableSpec } from "../../contract/tables";
import { installFile } from "../../install/install-sql";
import { readTables } from "../../probe/read-tables";
import { recognise } from "../../probe/recognise";
import { cap } from "./index";
import { CAP_ERROR, CAP_ROWS, CAP_TABLES, insertCapRows } from "./fixtures";

const ZONE = "America/New_York";

let database: ForeignDatabase;

beforeAll(async () => {
  database = await createForeignDatabase(CAP_TABLES);
  await insertCapRows(database, ZONE);
  await database.install(cap, { time_zone: ZONE });
});

afterAll(() => database.drop());

describe("each state is shown as it is", () => {
  test.each([
    ["outgoing", "sent"],
    ["incoming", "done"],
  ])("%s", async (view, done) => {
    const foreign = await database.open();
    const rows = await foreign.query<{ state: string; raw_state: string }>(
      `select state, raw_state from onceboard_attach.${view} order by order_1`,
    );
    expect(rows).toEqual(
      CAP_ROWS.map(({ state, status }) => ({ state: state === "sent" ? done : state, raw_state: status })),
    );
  });

  test("dead letters of both tables, with what they failed with", async () => {
    const foreign = await database.open();
    expect(
      await foreign.query(
        "select id, origin, type, attempts, error_type, error_message, dead_at, state from onceboard_attach.dead",
      ),
    ).toEqual(
      ["outgoing", "incoming"].map((origin) => ({
        id: origin === "outgoing" ? "out:104" : "in:104",
        origin,
        type: "orders.paid",
        attempts: 50,
        error_type: "JsonException",
        error_message: CAP_ERROR,
        dead_at: null,
        state: "dead",
      })),
    );
  });

  test("the local time of its servers is read in their zone", async () => {
    const foreign = await database.open();
    const rows = await foreign.query<{ created_at: Date }>("select created_at from onceboard_attach.outgoing limit 1");
    expect(rows[0]?.created_at.toISOString()).toBe("2026-03-01T12:00:00.000Z");
  });
});

describe("acting", () => {
  test("a dead message is requeued as the retry pass would take it, and only once", async () => {
    const foreign = await database.open();
    const both = await Promise.all(
      [1, 2].map(() => foreign.query("select * from onceboard_attach.requeue('out:104')")),
    );
    expect(both.flat()).toEqual([{ id: "out:104", was: "dead", is_now: "retrying" }]);
    const [row] = await database.run(
      `select "Retries", "StatusName", "ExpiresAt" > now() at time zone '${ZONE}' + interval '20 days' as kept from cap.published where "Id" = 104`,
    );
    expect(row).toEqual({ Retries: 0, StatusName: "Failed", kept: true });
  });

  test.each(["1893462738213376001", "9223372036854775807", "-9223372036854775808"])(
    "an id of as many digits as CAP's own, %s, names its row",
    async (id) => {
      await database.run(
        `insert into cap.published values (${id}, 'v1', 'orders.paid', '{}', 50, now(), now(), 'Failed')`,
      );
      const foreign = await database.open();
      expect(await foreign.query("select codec from onceboard_attach.payload($1)", [`out:${id}`])).toHaveLength(1);
      expect(await foreign.query("select was from onceboard_attach.discard($1)", [`out:${id}`])).toEqual([
        { was: "dead" },
      ]);
    },
  );

  test.each([
    ...["out:9223372036854775808", "out:-9223372036854775809", "out:99999999999999999999"],
    ...["out:103", "out:100", "out:999", "out:x", "in:'; drop table cap.published; --", "104", ""],
  ])("%s is not dead, or no row, and nothing changes", async (id) => {
    const foreign = await database.open();
    const before = await database.run('select * from cap.published order by "Id"');
    expect(await foreign.query("select * from onceboard_attach.requeue($1)", [id])).toEqual([]);
    expect(await foreign.query("select * from onceboard_attach.discard($1)", [id])).toEqual([]);
    expect(await database.run('select * from cap.published order by "Id"')).toEqual(before);
  });

  test("a row that CAP works on is not waited for", async () => {
    const foreign = await database.open();
    const release = await database.hold('select 1 from cap.received where "Id" = 104 for update');
    expect(await foreign.query("select * from onceboard_attach.discard('in:104')")).toEqual([]);
    await release();
    expect(await foreign.query("select * from onceboard_attach.discard('in:104')")).toHaveLength(1);
  });

  test("purging deletes what CAP itself would delete, never more than was asked", async () => {
    await database.run(
      `insert into cap.published select 1000 + n, 'v1', 'old', null, 0, now() - interval '9 days', (now() - interval '1 day') at time zone '${ZONE}', 'Succeeded' from generate_series(1, 5) n`,
    );
    const foreign = await database.open();
    expect(await foreign.query("select * from onceboard_attach.purge(now(), 2)")).toHaveLength(2);
    expect(await foreign.query("select * from onceboard_attach.purge(now() + interval '9 years', 500)")).toHaveLength(
      3,
    );
    expect(await database.run(`select 1 from cap.published where "Name" = 'orders.paid'`)).toHaveLength(
      CAP_ROWS.length,
    );
  });
});

describe("rights", () => {
  test.each([
    'update cap.published set "Retries" = 0',
    "delete from cap.received",
    "select 1 from cap.published",
    "delete from onceboard_attach.outgoing",
    "create table onceboard_attach.mine (id integer)",
  ])("%s is refused", async (statement) => {
    const foreign = await database.open();
    await expect(foreign.query(statement)).rejects.toMatchObject({ code: "42501" });
  });
});

test("one bad row breaks no list", async () => {
  await database.run(
    `insert into cap.published values (2000, 'v1', 'bad', 'no { json', 0, 'infinity', '-infinity', 'Failed'),
       (2001, 'v1', 'large', repeat('x', 10000000), 50, now(), null, 'Failed'), (2002, 'v1', '', null, -1, now(), null, '')`,
  );
  const foreign = await database.open();
  const rows = await foreign.query<{ id: string }>(
    "select * from onceboard_attach.outgoing order by order_1 desc limit 3",
  );
  expect(rows.map(({ id }) => id)).toEqual(["out:2002", "out:2001", "out:2000"]);
  const [payload] = await foreign.query<{ body: Buffer; bytes: string }>(
    "select * from onceboard_attach.payload('out:2001')",
  );
  expect(payload).toMatchObject({ codec: "json", bytes: "10000000" });
  expect(payload?.body.byteLength).toBe(262_144);
});

test("installing again replaces everything, and for reading only takes the functions away", async () => {
  await database.install(cap, { time_zone: ZONE, max_attempts: "3" });
  const dead = async () => (await database.run("select id from onceboard_attach.dead")).length;
  expect(await dead()).toBeGreaterThan(0);
  await database.install(cap, { time_zone: ZONE }, false);
  const foreign = await database.open();
  await expect(foreign.query("select onceboard_attach.requeue('out:1')")).rejects.toMatchObject({ code: "42883" });
  await database.install(cap, { time_zone: ZONE });
});

describe("a file of another shape", () => {
  const options = { schema: "onceboard_attach_other", constants: { time_zone: ZONE }, acting: true } as const;
  const made = (type: string): Readonly<Record<string, FoundTable>> =>
    Object.fromEntries(
      (["published", "received"] as const).map((name) => [
        name,
        {
          schema: "cap",
          name,
          columns: asTheLibraryMakesIt("cap", cap.tables[name] as TableSpec).columns.map((column) =>
            column.name === "Added" ? { name: "Added", type } : column,
          ),
        },
      ]),
    );

  test("it stops before it makes anything", async () => {
    const file = installFile(cap, { ...options, role: database.role, tables: made("timestamp with time zone") });
    await expect(database.run(file.split("-- 3. Index")[0] ?? "")).rejects.toThrow(
      "These are not the tables that this file was made for: cap.published has Added as timestamp without time zone",
    );
    await database.run("rollback");
    expect(await database.run("select 1 from pg_namespace where nspname = 'onceboard_attach_other'")).toEqual([]);
  });

  test.each(["x\n; drop table cap.published; --", "a$onceboard$; drop table cap.published; --"])(
    "a name that could end what it stands in is in no file: %j",
    (name) => {
      const tables = made("timestamp without time zone");
      const renamed = { ...tables, published: { ...(tables["published"] as FoundTable), name } };
      const file = (role: string, from: typeof tables): string => installFile(cap, { ...options, role, tables: from });
      expect(() => file(database.role, renamed)).toThrow("could end a line or a function");
      expect(() => file(name, tables)).toThrow("could end a line or a function");
    },
  );

  test("what CAP makes by itself installs without a look at the database", async () => {
    const file = installFile(cap, { ...options, role: database.role, tables: made("timestamp without time zone") });
    await database.run(file.split("-- 3. Index")[0] ?? "");
    expect(await database.run("select state from onceboard_attach_other.outgoing where order_1 = 100")).toEqual([
      { state: "waiting" },
    ]);
    await database.run("drop schema onceboard_attach_other cascade");
  });

  test.each([
    ['alter table cap.published drop column "Retries"', "cap.published has no column Retries"],
    ['alter table cap.published alter column "Retries" type text', "cap.published has Retries as text"],
  ])("%s: it is not CAP, and is said to be no shape that is known", async (change, because) => {
    const foreign = await database.open();
    await database.run("drop schema onceboard_attach cascade");
    await database.run(change);
    const probed = recognise([cap], await readTables(foreign));
    expect(probed.recognised).toEqual([]);
    expect(probed.nearMisses.map((miss) => miss.because)).toEqual([
      `${because}: not a shape of CAP that is known (${cap.versions}).`,
    ]);
    await database.run(`drop schema cap cascade; ${CAP_TABLES}`);
    await database.install(cap, { time_zone: ZONE });
  });
});
