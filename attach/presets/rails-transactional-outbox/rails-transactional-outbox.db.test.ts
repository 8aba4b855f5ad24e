import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recognise } from "../../probe/recognise";
import { readTables } from "../../probe/read-tables";
import { createForeignDatabase, type ForeignDatabase } from "../../testing/foreign-database";
import { RAILS_OUTBOX_ROWS, RAILS_OUTBOX_TABLES, insertRailsOutboxRows } from "./fixtures";
import { railsTransactionalOutbox } from "./index";

let database: ForeignDatabase;

beforeAll(async () => {
  database = await createForeignDatabase(RAILS_OUTBOX_TABLES);
  await insertRailsOutboxRows(database);
  await database.install(railsTransactionalOutbox);
});

afterAll(() => database.drop());

const everything = () => database.run("select * from outbox_entries order by id");

test("each state, and the rest of a row", async () => {
  const foreign = await database.open();
  const rows = await foreign.query<{ state: string }>("select state from onceboard_attach.outgoing order by order_1");
  expect(rows.map(({ state }) => state)).toEqual(RAILS_OUTBOX_ROWS.map(({ state }) => state));
  expect(
    await foreign.query(
      "select type, destination, order_key, attempts, last_error, created_at, max_attempts from onceboard_attach.outgoing where id = 'out:2'",
    ),
  ).toEqual([
    {
      type: "user_updated",
      destination: "active_record",
      order_key: "k",
      attempts: 9,
      last_error: "Timeout::Error: late",
      created_at: new Date("2026-03-01T12:00:00Z"),
      max_attempts: null,
    },
  ]);
  const [payload] = await foreign.query<{ body: Buffer }>("select body from onceboard_attach.payload('out:2')");
  expect(JSON.parse(payload?.body.toString() ?? "")).toEqual({
    resource_class: "User",
    resource_id: "7",
    arguments: {},
    changeset: {},
  });
});

describe("acting", () => {
  test("a row that a worker holds is not waited for", async () => {
    const foreign = await database.open();
    const before = await everything();
    const release = await database.hold("select 1 from outbox_entries where id = 2 for update");
    expect(await foreign.query("select * from onceboard_attach.requeue('out:2')")).toEqual([]);
    await release();
    expect(await everything()).toEqual(before);
  });

  test("a delayed entry is due at once, only once, and keeps its attempts and its error", async () => {
    const foreign = await database.open();
    const before = await everything();
    const both = await Promise.all([1, 2].map(() => foreign.query("select * from onceboard_attach.requeue('out:2')")));
    expect(both.flat()).toEqual([{ id: "out:2", was: "retrying", is_now: "waiting" }]);
    expect(await everything()).toEqual(before.map((row) => (row["id"] === "2" ? { ...row, retry_at: null } : row)));
  });

  test.each(["out:1", "out:3", "out:4", "out:99", "out:x", "in:2", "2", ""])(
    "%s is not delayed, or no row, and nothing changes",
    async (id) => {
      const foreign = await database.open();
      const before = await everything();
      expect(await foreign.query("select * from onceboard_attach.requeue($1)", [id])).toEqual([]);
      expect(await everything()).toEqual(before);
    },
  );

  test("purging deletes what was processed before a time", async () => {
    const foreign = await database.open();
    expect(await foreign.query("select * from onceboard_attach.purge(now() - interval '101 hours', 10)")).toEqual([]);
    expect(await foreign.query("select id from onceboard_attach.purge(now() - interval '99 hours', 10)")).toEqual([
      { id: "out:4" },
    ]);
    expect(await everything()).toHaveLength(RAILS_OUTBOX_ROWS.length - 1);
  });
});

test.each(["update outbox_entries set retry_at = null", "delete from outbox_entries", "select 1 from outbox_entries"])(
  "%s is refused",
  async (statement) => {
    const foreign = await database.open();
    await expect(foreign.query(statement)).rejects.toMatchObject({ code: "42501" });
  },
);

test("one bad row breaks no list", async () => {
  await database.run(
    `insert into outbox_entries (event_name, context, retry_at, attempts, error_class, error_message, changeset, created_at, updated_at)
     values ('', '', 'infinity', -1, '', repeat('x', 10000000), to_jsonb(repeat('x', 10000000)), '-infinity', 'infinity')`,
  );
  const foreign = await database.open();
  const rows = await foreign.query<{ state: string; last_error: string }>(
    "select * from onceboard_attach.outgoing order by order_1 desc limit 1",
  );
  expect(rows.map(({ state, last_error }) => [state, last_error.length])).toEqual([["retrying", 4_000]]);
});

describe("other shapes", () => {
  test("uuid keys, times with a zone, encrypted text and no causality key", async () => {
    const other = await createForeignDatabase(
      `create table app_outbox (id uuid primary key, resource_class varchar, resource_id bigint, event_name varchar not null, context varchar not null,
         processed_at timestamptz, arguments text not null, changeset text not null, failed_at timestamptz, retry_at timestamptz,
         error_class varchar, error_message varchar, attempts integer not null, created_at timestamptz not null, updated_at timestamptz not null);
       insert into app_outbox values ('00000000-0000-4000-8000-000000000001', 'U', 7, 'e', 'c', null, '-----BEGIN PGP', '{ no json', now(), now() + interval '1 hour', 'E', 'm', 1, now(), now())`,
    );
    try {
      await other.install(railsTransactionalOutbox);
      const foreign = await other.open();
      const id = "out:00000000-0000-4000-8000-000000000001";
      const [payload] = await foreign.query<{ body: Buffer }>("select body from onceboard_attach.payload($1)", [id]);
      expect(JSON.parse(payload?.body.toString() ?? "")).toMatchObject({ arguments: "-----BEGIN PGP" });
      expect(await foreign.query("select * from onceboard_attach.requeue($1)", [id])).toHaveLength(1);
      expect(await foreign.query("select * from onceboard_attach.requeue('out:1')")).toEqual([]);
    } finally {
      await other.drop();
    }
  });

  test("without retry_at it is named as a shape that is not known", async () => {
    const foreign = await database.open();
    await database.run("drop schema onceboard_attach cascade; alter table outbox_entries drop column retry_at");
    const { recognised, nearMisses } = recognise([railsTransactionalOutbox], await readTables(foreign));
    expect(recognised).toEqual([]);
    expect(nearMisses[0]?.because).toContain("no column retry_at");
  });
});
