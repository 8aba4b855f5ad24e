import { describe, expect, test } from "vitest";
import { readTables } from "../../probe/read-tables";
import { recognise } from "../../probe/recognise";
import { createForeignDatabase } from "../../testing/foreign-database";
import { presetDatabase } from "../../testing/preset-database";
import { DBOS_INSERTS, DBOS_ROWS, DBOS_TABLES } from "./fixtures";
import { dbos } from "./index";

const { database, act } = presetDatabase({
  preset: dbos,
  tables: DBOS_TABLES,
  rows: `${DBOS_INSERTS}; update dbos.workflow_status set deduplication_id = 'order-1' where workflow_uuid = 'lost'`,
});

const everything = () => database.run("select * from dbos.workflow_status order by created_at");

describe("each state is shown as it is", () => {
  test("in the order in which workflows were started", async () => {
    const foreign = await database.open();
    expect(
      await foreign.query("select id, key, state, raw_state from onceboard_attach.keys order by order_1, order_2"),
    ).toEqual(DBOS_ROWS.map(({ id, state, status }) => ({ id: `run:${id}`, key: id, state, raw_state: status })));
  });

  test("who has one that runs, and when one was done", async () => {
    const foreign = await database.open();
    expect(
      await foreign.query(
        "select key, scope, tenant_ref, locked_by, has_response, completed_at, attempts from onceboard_attach.keys where key in ('runs', 'done') order by 1",
      ),
    ).toEqual([
      {
        ...{ key: "done", scope: "ship", tenant_ref: "ann", locked_by: null, has_response: true },
        ...{ completed_at: new Date(1_772_366_463_000), attempts: 2 },
      },
      {
        ...{ key: "runs", scope: "ship", tenant_ref: "ann", locked_by: "local", has_response: false },
        ...{ completed_at: null, attempts: 2 },
      },
    ]);
  });

  test("dead", async () => {
    const foreign = await database.open();
    expect(await foreign.query("select id, state, type, dead_at, attempts from onceboard_attach.dead")).toEqual([
      { id: "run:lost", state: "dead", type: "ship", dead_at: new Date(1_772_366_466_000), attempts: 2 },
    ]);
  });

  test.each([
    ["done", '"é"'],
    ["raised", "ConnectionError"],
    ["runs", undefined],
  ])("the result of %s", async (id, text) => {
    const [row] = (await act("payload", `run:${id}`)) as { codec: string; body: Buffer | null }[];
    expect([row?.codec, row?.body?.toString()]).toEqual(["text", text]);
  });
});

describe("acting", () => {
  test.each(DBOS_ROWS.filter(({ id }) => id !== "lost"))(
    "$id was not given up, and nothing changes",
    async ({ id }) => {
      const before = await everything();
      expect(await act("requeue", `run:${id}`)).toEqual([]);
      expect(await everything()).toEqual(before);
    },
  );

  test.each(["run:none", "key:lost", "lost", "run:", "'", ""])("%s is no row", async (id) => {
    const before = await everything();
    for (const action of ["requeue", "payload"]) expect(await act(action, id)).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  test("what was given up is enqueued once, as the library's own resume does", async () => {
    const release = await database.hold("select 1 from dbos.workflow_status where workflow_uuid = 'lost' for update");
    expect(await act("requeue", "run:lost")).toEqual([]);
    await release();
    const before = await everything();
    const both = await Promise.all([1, 2].map(() => act("requeue", "run:lost")));
    expect(both.flat()).toEqual([{ id: "run:lost", was: "dead", is_now: "in_progress" }]);
    const changed = {
      ...{ status: "ENQUEUED", queue_name: "_dbos_internal_queue", recovery_attempts: "0" },
      ...{ workflow_deadline_epoch_ms: null, deduplication_id: null, started_at_epoch_ms: null },
      ...{ completed_at: null, owner_xid: null, updated_at: expect.any(String) as unknown },
    };
    expect(await everything()).toEqual(
      before.map((row) => (row["workflow_uuid"] === "lost" ? { ...row, ...changed } : row)),
    );
  });

  test("nothing is discarded or purged: there are no such functions", async () => {
    const functions = await database.run<{ name: string }>(
      "select proname as name from pg_proc where pronamespace = 'onceboard_attach'::regnamespace order by 1",
    );
    expect(functions.map(({ name }) => name)).toEqual(["payload", "requeue"]);
  });
});

test.each([
  "update dbos.workflow_status set status = 'ENQUEUED'",
  "delete from dbos.operation_outputs",
  "select 1 from dbos.workflow_output",
])("%s is refused", async (statement) => {
  const foreign = await database.open();
  await expect(foreign.query(statement)).rejects.toMatchObject({ code: "42501" });
});

test("bad rows break no list", async () => {
  await database.run(
    `insert into dbos.workflow_status (workflow_uuid, status, name, created_at, updated_at, recovery_attempts, completed_at) values
     ('', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED', repeat('x', 1000000), 9223372036854775807, -9223372036854775808, 9223372036854775807, -1),
     ('n', null, null, -9223372036854775808, 9223372036854775807, null, null);
     insert into dbos.workflow_output (workflow_uuid, output) values ('n', repeat('x', 10000000))`,
  );
  const foreign = await database.open();
  const rows = await foreign.query<{ id: string }>("select * from onceboard_attach.keys order by order_1, order_2");
  expect([rows[0]?.id, rows.at(-1)?.id]).toEqual(["run:n", "run:"]);
  expect(await foreign.query("select * from onceboard_attach.dead")).toHaveLength(1);
  expect(await foreign.query("select bytes from onceboard_attach.payload('run:n')")).toEqual([{ bytes: "10000000" }]);
});

test("version 2 keeps results in the row, and its steps are not taken for them", async () => {
  const old = await createForeignDatabase(
    `${DBOS_TABLES}; drop table dbos.workflow_output; alter table dbos.workflow_status drop completed_at, drop owner_xid;
     insert into dbos.workflow_status (workflow_uuid, status, output, created_at, updated_at) values ('a', 'SUCCESS', 'kept', 0, 0), ('b', 'MAX_RECOVERY_ATTEMPTS_EXCEEDED', null, 0, 0)`,
  );
  try {
    await old.install(dbos);
    const foreign = await old.open();
    const [row] = await foreign.query<{ body: Buffer }>("select * from onceboard_attach.payload('run:a')");
    expect(row?.body.toString()).toBe("kept");
    expect(await foreign.query("select * from onceboard_attach.requeue('run:b')")).toHaveLength(1);
  } finally {
    await old.drop();
  }
});

test("a table without the times of a queue is no such shape, and is named", async () => {
  const tables = await readTables(await database.open());
  const older = tables.map((table) => ({
    ...table,
    columns: table.columns.filter(({ name }) => name !== "started_at_epoch_ms"),
  }));
  const { recognised, nearMisses } = recognise([dbos], older);
  expect(recognised).toEqual([]);
  expect(nearMisses[0]?.because).toContain("dbos.workflow_status has no column started_at_epoch_ms");
});
