import { describe, expect, test } from "vitest";
import { readTables } from "../../probe/read-tables";
import { recognise } from "../../probe/recognise";
import { createForeignDatabase } from "../../testing/foreign-database";
import { presetDatabase } from "../../testing/preset-database";
import { GRUELBOX_CALL, GRUELBOX_OLD_TABLES, GRUELBOX_ROWS, GRUELBOX_TABLES, insertGruelboxRows } from "./fixtures";
import { gruelbox } from "./index";

const ZONE = "Asia/Tokyo";

const { database, act } = presetDatabase({
  preset: gruelbox,
  tables: GRUELBOX_TABLES,
  async rows(made) {
    await insertGruelboxRows(made, ZONE);
    await made.run("update txno_outbox set topic = 'orders', seq = 7 where id = 'f-overdue'");
  },
  constants: { time_zone: ZONE },
});

const everything = () => database.run("select * from txno_outbox order by id");

describe("each state is shown as it is", () => {
  test("with the times in the zone that was given", async () => {
    const foreign = await database.open();
    const rows = await foreign.query<{ hours: string | null }>(
      `select id, state, sent_at is not null as sent, round(extract(epoch from coalesce(available_at, expires_at) - now()) / 360) / 10 as hours
         from onceboard_attach.outgoing order by order_1`,
    );
    expect(rows.map(({ hours, ...row }) => ({ ...row, hours: hours === null ? null : Number(hours) }))).toEqual(
      GRUELBOX_ROWS.map(({ id, state, next }) => ({
        id: `out:${id}`,
        state,
        sent: state === "sent",
        hours: state === "dead" ? null : next,
      })),
    );
  });

  test("what is called, its topic, and when one that was handed out is taken again", async () => {
    const foreign = await database.open();
    expect(
      await foreign.query(
        `select id, type, order_key, raw_state, message_id, locked_until > now() + interval '50 minutes' as until from onceboard_attach.outgoing
          where id in ('out:c-taken', 'out:f-overdue', 'out:h-kept') order by 1`,
      ),
    ).toEqual([
      {
        ...{ id: "out:c-taken", type: "com.example.Orders.ship", order_key: null },
        ...{ raw_state: "open", message_id: null, until: true },
      },
      {
        ...{ id: "out:f-overdue", type: "com.example.Orders.ship", order_key: "orders" },
        ...{ raw_state: "open", message_id: null, until: null },
      },
      {
        ...{ id: "out:h-kept", type: "com.example.Orders.ship", order_key: null },
        ...{ raw_state: "processed", message_id: "request-h-kept", until: null },
      },
    ]);
  });

  test("dead, and when it was given up", async () => {
    const foreign = await database.open();
    expect(
      await foreign.query(
        "select id, state, attempts, error_message, dead_at between now() - interval '1 hour' and now() as then from onceboard_attach.dead",
      ),
    ).toEqual([{ id: "out:g-blocked", state: "dead", attempts: 5, error_message: null, then: true }]);
  });

  test("the call", async () => {
    const [row] = (await act("payload", "out:g-blocked")) as { codec: string; body: Buffer }[];
    expect([row?.codec, row?.body.toString()]).toEqual(["json", GRUELBOX_CALL]);
  });
});

describe("acting", () => {
  test.each(GRUELBOX_ROWS.filter(({ state }) => state !== "dead"))(
    "$id is not dead, and nothing changes",
    async (row) => {
      const before = await everything();
      for (const action of ["requeue", "discard"]) expect(await act(action, `out:${row.id}`)).toEqual([]);
      expect(await everything()).toEqual(before);
    },
  );

  test.each(["out:none", "in:g-blocked", "g-blocked", "out:", "'", ""])("%s is no row", async (id) => {
    const before = await everything();
    for (const action of ["requeue", "discard", "payload"]) expect(await act(action, id)).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  test("a dead call is put back once, as the library's own unblock does, and is due at once", async () => {
    const release = await database.hold("select 1 from txno_outbox where id = 'g-blocked' for update");
    expect(await act("requeue", "out:g-blocked")).toEqual([]);
    await release();
    const before = await everything();
    const both = await Promise.all([1, 2].map(() => act("requeue", "out:g-blocked")));
    expect(both.flat()).toEqual([{ id: "out:g-blocked", was: "dead", is_now: "waiting" }]);
    const changed = { attempts: 0, blocked: false, nextattempttime: expect.any(Date) as unknown };
    expect(await everything()).toEqual(before.map((row) => (row["id"] === "g-blocked" ? { ...row, ...changed } : row)));
    const foreign = await database.open();
    expect(await foreign.query("select state from onceboard_attach.outgoing where id = 'out:g-blocked'")).toEqual([
      { state: "waiting" },
    ]);
  });

  test("a dead call is deleted, and once", async () => {
    await database.run("insert into txno_outbox values ('z', '', now(), 5, true, 1, null, false, now())");
    const both = await Promise.all([1, 2].map(() => act("discard", "out:z")));
    expect(both.flat()).toEqual([{ id: "out:z", was: "dead", is_now: "gone" }]);
    expect(await database.run("select 1 from txno_outbox where id = 'z'")).toEqual([]);
  });

  test("purging deletes what ran when its id keeps nothing out any more, and no sooner", async () => {
    const foreign = await database.open();
    expect(await foreign.query("select * from onceboard_attach.purge(now() - interval '9 days', 10)")).toEqual([]);
    expect(await foreign.query("select * from onceboard_attach.purge('infinity', 0)")).toEqual([]);
    expect(await foreign.query("select * from onceboard_attach.purge('infinity', 10)")).toEqual([
      { id: "out:i-over", was: "sent", is_now: "gone" },
    ]);
  });
});

test.each(["update txno_outbox set blocked = false", "delete from txno_outbox", "select 1 from txno_outbox"])(
  "%s is refused",
  async (statement) => {
    const foreign = await database.open();
    await expect(foreign.query(statement)).rejects.toMatchObject({ code: "42501" });
  },
);

test("bad rows break no list", async () => {
  await database.run(
    `insert into txno_outbox (id, invocation, nextattempttime, lastattempttime, attempts, blocked, processed, version) values
     ('y1', repeat('x', 10000000), 'infinity', '-infinity', -1, true, false, 0),
     ('y2', '{"c":"a\\"b","m":', '-infinity', 'infinity', 2147483647, false, true, 0),
     ('y3', null, null, null, null, null, null, null)`,
  );
  const foreign = await database.open();
  const rows = await foreign.query<{ state: string }>(
    "select id, state from onceboard_attach.outgoing order by order_1 desc limit 3",
  );
  expect(rows.map(({ state }) => state)).toEqual(["unknown", "sent", "dead"]);
  expect(await foreign.query("select * from onceboard_attach.dead")).toHaveLength(1);
});

test("before topics a call that its own process may still run is not called scheduled", async () => {
  const old = await createForeignDatabase(GRUELBOX_OLD_TABLES);
  try {
    await insertGruelboxRows(old, ZONE);
    await old.install(gruelbox, { time_zone: ZONE });
    const foreign = await old.open();
    const rows = await foreign.query<{ state: string }>("select state from onceboard_attach.outgoing order by order_1");
    expect(rows.map(({ state }) => state)).toEqual(
      GRUELBOX_ROWS.map(({ state }) => (state === "scheduled" ? "waiting" : state)),
    );
  } finally {
    await old.drop();
  }
});

test("a table from before blocked is no such shape, and is named", async () => {
  const tables = await readTables(await database.open());
  const older = tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) => (column.name === "blocked" ? { ...column, name: "blacklisted" } : column)),
  }));
  const { recognised, nearMisses } = recognise([gruelbox], older);
  expect(recognised).toEqual([]);
  expect(nearMisses[0]?.because).toContain("public.txno_outbox has no column blocked");
});
