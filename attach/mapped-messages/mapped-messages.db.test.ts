import { afterEach, describe, expect, test } from "vitest";
import { attachManifest, manifestOf } from "../contract/manifest";
import type { Preset } from "../contract/preset";
import { resolveTables, type FoundTable } from "../contract/tables";
import { recognise } from "../probe/recognise";
import { readTables } from "../probe/read-tables";
import { createForeignDatabase, type ForeignDatabase } from "../testing/foreign-database";
import type { MessageMap } from "./message-map";
import { mappedMessagesPreset } from "./preset";
import { suggestMessageMap } from "./suggest";

let database: ForeignDatabase | undefined;

afterEach(async () => {
  await database?.drop();
  database = undefined;
});

const STATUS_OUTBOX = `
create type outbox_status as enum ('PENDING', 'PROCESSING', 'PUBLISHED', 'FAILED', 'PARKED');
create table outbox_messages (
  id bigserial primary key, message_id uuid not null default gen_random_uuid(), topic text, aggregate_id text, payload text,
  status outbox_status not null default 'PENDING', attempts integer not null default 0, next_attempt_at timestamptz,
  published_at timestamptz, last_error text, locked_until timestamptz, created_at timestamptz not null default now());
insert into outbox_messages (status, attempts, next_attempt_at, published_at, locked_until) values
  ('PENDING', 0, null, null, null), ('PENDING', 0, now() + interval '1 hour', null, null), ('PENDING', 3, now() + interval '1 hour', null, null),
  ('PROCESSING', 1, null, null, now() + interval '1 hour'), ('PUBLISHED', 1, null, now() - interval '9 days', null),
  ('FAILED', 8, null, now(), null), ('PARKED', 0, null, null, null);`;
const SEEN = ["PENDING", "PROCESSING", "PUBLISHED", "FAILED", "PARKED"];

/** Makes tables, has the map of the one of that name guessed, changes it, and installs what comes of it. */
async function attach(
  ddl: string,
  name: string,
  change: Partial<MessageMap> = {},
  seen: readonly string[] = [],
  constants: Readonly<Record<string, string>> = {},
) {
  database = await createForeignDatabase(ddl);
  const foreign = await database.open();
  const table = (await readTables(foreign)).find((each) => each.name === name);
  const suggestion = table === undefined ? undefined : suggestMessageMap(table, seen);
  if (table === undefined || suggestion === undefined) throw new Error(`${name} was not taken for anything`);
  const preset = mappedMessagesPreset({ ...suggestion.map, ...change }, table);
  await database.install(preset, constants);
  return { database, foreign, preset, table };
}

function manifestFor(preset: Preset, table: FoundTable) {
  const shape = preset.shape({ tables: resolveTables(preset.tables, { messages: table }), constants: {} });
  return attachManifest.parse(manifestOf(preset, shape, {}, true));
}

describe("an outbox with a status, a time and a lease", () => {
  test("each state", async () => {
    const { foreign } = await attach(STATUS_OUTBOX, "outbox_messages", {}, SEEN);
    const rows = await foreign.query<{ state: string }>("select state from onceboard_attach.outgoing order by order_1");
    expect(rows.map(({ state }) => state)).toEqual([
      "waiting",
      "scheduled",
      "retrying",
      "in_progress",
      "sent",
      "dead",
      "unknown",
    ]);
    expect(await foreign.query("select id, attempts, state from onceboard_attach.dead")).toEqual([
      { id: "out:6", attempts: 8, state: "dead" },
    ]);
  });

  test("a dead message is requeued once, and nothing else of it changes", async () => {
    const { database: theirs, foreign } = await attach(STATUS_OUTBOX, "outbox_messages", {}, SEEN);
    const before = await theirs.run("select * from outbox_messages order by id");
    const both = await Promise.all([1, 2].map(() => foreign.query("select * from onceboard_attach.requeue('out:6')")));
    expect(both.flat()).toEqual([{ id: "out:6", was: "dead", is_now: "waiting" }]);
    const after = await theirs.run("select * from outbox_messages order by id");
    const changed = {
      status: "PENDING",
      attempts: 0,
      published_at: null,
      next_attempt_at: expect.any(Date) as unknown,
    };
    expect(after).toEqual(before.map((row) => (row["id"] === "6" ? { ...row, ...changed } : row)));
    expect(await foreign.query("select state from onceboard_attach.outgoing where id = 'out:6'")).toEqual([
      { state: "waiting" },
    ]);
  });

  test("what is not dead, no row, held by its worker or not allowed stays as it is", async () => {
    const { database: theirs, foreign } = await attach(STATUS_OUTBOX, "outbox_messages", {}, SEEN);
    const before = await theirs.run("select * from outbox_messages order by id");
    for (const id of ["out:1", "out:4", "out:5", "out:7", "out:99", "out:x", "in:6", "6", ""])
      for (const action of ["requeue", "discard"])
        expect(await foreign.query(`select * from onceboard_attach.${action}($1)`, [id])).toEqual([]);
    const release = await theirs.hold("select 1 from outbox_messages where id = 6 for update");
    expect(await foreign.query("select * from onceboard_attach.requeue('out:6')")).toEqual([]);
    await release();
    for (const refused of [
      "update outbox_messages set attempts = 0",
      "delete from outbox_messages",
      "select 1 from outbox_messages",
    ])
      await expect(foreign.query(refused)).rejects.toMatchObject({ code: "42501" });
    expect(await theirs.run("select * from outbox_messages order by id")).toEqual(before);
  });

  test("discarding deletes the dead one, purging what was sent and is old", async () => {
    const { database: theirs, foreign } = await attach(STATUS_OUTBOX, "outbox_messages", {}, SEEN);
    expect(await foreign.query("select * from onceboard_attach.discard('out:6')")).toHaveLength(1);
    expect(await foreign.query("select * from onceboard_attach.purge(now() - interval '10 days', 10)")).toEqual([]);
    expect(await foreign.query("select * from onceboard_attach.purge(now() + interval '9 years', 10)")).toEqual([
      { id: "out:5", was: "sent", is_now: "gone" },
    ]);
    expect(await theirs.run("select id from outbox_messages order by id")).toHaveLength(5);
  });

  test("without the spelling of a waiting status nothing is requeued, and the page says why", async () => {
    const { preset, table } = await attach(STATUS_OUTBOX, "outbox_messages");
    expect(manifestFor(preset, table).actions).toMatchObject({
      requeue: { offered: false, reason: expect.stringContaining("letter by letter") as unknown },
      discard: { offered: true },
      purge: { offered: true },
    });
  });
});

const TIME_OUTBOX = `
create table "OutboxEvent" ("id" uuid primary key, "eventType" text, "aggregateId" text, "payload" jsonb, "retryCount" integer default 0,
  "createdAt" timestamp(3), "publishedAt" timestamp(3));
insert into "OutboxEvent" select ('00000000-0000-4000-8000-00000000000' || n)::uuid, 'a', 'b', '{}', case n when 3 then 5 else n - 1 end,
  '2026-03-01 12:00', case n when 4 then timestamp '2026-03-01 12:00' end from generate_series(1, 4) n;`;

describe("an outbox with a time only", () => {
  test("sent or waiting, in the zone that was given; nothing is ever dead", async () => {
    const { foreign, preset, table } = await attach(TIME_OUTBOX, "OutboxEvent", {}, [], { time_zone: "Europe/Berlin" });
    const rows = await foreign.query<{ state: string; created_at: Date }>(
      "select state, created_at from onceboard_attach.outgoing order by order_1",
    );
    expect(rows.map(({ state }) => state)).toEqual(["waiting", "retrying", "retrying", "sent"]);
    expect(rows[0]?.created_at.toISOString()).toBe("2026-03-01T11:00:00.000Z");
    const manifest = manifestFor(preset, table);
    expect(manifest.views.dead).toBeUndefined();
    expect(manifest.views.outgoing?.columns["last_error"]).toEqual({
      kind: "not_stored",
      reason: "No column was mapped to why a message failed.",
    });
    expect(manifest.actions).toMatchObject({
      requeue: { offered: false },
      discard: { offered: false },
      purge: { offered: true },
    });
  });

  test("dead with a maximum that was given, and requeued", async () => {
    const { foreign } = await attach(TIME_OUTBOX, "OutboxEvent", { max_attempts: { constant: 5 } }, [], {
      time_zone: "UTC",
    });
    const id = "out:00000000-0000-4000-8000-000000000003";
    expect(await foreign.query("select id from onceboard_attach.dead")).toEqual([{ id }]);
    expect(await foreign.query("select * from onceboard_attach.requeue($1)", [id])).toHaveLength(1);
    expect(await foreign.query("select state from onceboard_attach.outgoing where id = $1", [id])).toEqual([
      { state: "waiting" },
    ]);
  });

  test("its zone has to be given", async () => {
    await expect(attach(TIME_OUTBOX, "OutboxEvent")).rejects.toThrow("time_zone is not given");
  });
});

test("an outbox with neither says that sent rows cannot be told", async () => {
  const { foreign, preset, table } = await attach(
    "create table my_outbox (id bigserial primary key, topic text, payload bytea); insert into my_outbox (payload) values ('\\x00ff')",
    "my_outbox",
  );
  expect(await foreign.query("select id, state from onceboard_attach.outgoing")).toEqual([
    { id: "out:1", state: "unknown" },
  ]);
  expect(await foreign.query("select codec, body from onceboard_attach.payload('out:1')")).toEqual([
    { codec: "binary", body: Buffer.from([0, 255]) },
  ]);
  expect(preset.notes.join(" ")).toContain("cannot be told");
  expect(Object.values(manifestFor(preset, table).actions).map(({ offered }) => offered)).toEqual([
    false,
    false,
    false,
  ]);
});

describe("inboxes", () => {
  test("a mark of a key of two columns: every row is done, and none can be changed", async () => {
    const { foreign, preset, table } = await attach(
      `create table handled_messages (consumer text, message_id uuid, created_at timestamptz default now(), primary key (consumer, message_id));
       insert into handled_messages (consumer, message_id) values ('a', '00000000-0000-4000-8000-000000000001'), ('b', '00000000-0000-4000-8000-000000000001')`,
      "handled_messages",
    );
    expect(
      await foreign.query("select id, consumer, state from onceboard_attach.incoming order by order_1, order_2"),
    ).toEqual(
      ["a", "b"].map((consumer) => ({ id: "in:00000000-0000-4000-8000-000000000001", consumer, state: "done" })),
    );
    expect(Object.values(manifestFor(preset, table).actions).map(({ offered }) => offered)).toEqual([
      false,
      false,
      false,
    ]);
  });

  test("events of a provider: waiting, done and dead; purging keeps the dead", async () => {
    const { database: theirs, foreign } = await attach(
      `create table webhook_events (id bigserial primary key, provider text, provider_event_id text, payload jsonb, status text,
         received_at timestamptz default now(), processed_at timestamptz, attempts integer default 0, last_error text);
       insert into webhook_events (status, processed_at) values ('received', null), ('processed', now() - interval '9 days'), ('failed', now() - interval '9 days')`,
      "webhook_events",
      {},
      ["received", "processed", "failed"],
    );
    const rows = await foreign.query<{ state: string }>("select state from onceboard_attach.incoming order by order_1");
    expect(rows.map(({ state }) => state)).toEqual(["waiting", "done", "dead"]);
    expect(await foreign.query("select id from onceboard_attach.purge(now(), 10)")).toEqual([{ id: "in:2" }]);
    expect(await foreign.query("select * from onceboard_attach.requeue('in:3')")).toHaveLength(1);
    expect(await theirs.run("select status from webhook_events where id = 3")).toEqual([{ status: "received" }]);
  });
});

test("one bad row breaks no list", async () => {
  const { database: theirs, foreign } = await attach(STATUS_OUTBOX, "outbox_messages", {}, SEEN);
  await theirs.run(
    `insert into outbox_messages (topic, payload, attempts, last_error, created_at, next_attempt_at, locked_until) values
       (null, 'no { json', -1, repeat('x', 10000000), 'infinity', '-infinity', 'infinity'), ('', null, 2147483647, '', '-infinity', 'infinity', '-infinity')`,
  );
  const rows = await foreign.query<{ last_error: string }>(
    "select * from onceboard_attach.outgoing order by order_1 desc limit 2",
  );
  expect(rows.map(({ last_error }) => last_error.length)).toEqual([0, 16_384]);
});

test("a column that is retyped or gone is named", async () => {
  const { database: theirs, foreign, preset } = await attach(STATUS_OUTBOX, "outbox_messages", {}, SEEN);
  await theirs.run(
    "drop schema onceboard_attach cascade; alter table outbox_messages drop column attempts, alter column published_at type text",
  );
  const { recognised, nearMisses } = recognise([preset], await readTables(foreign));
  expect(recognised).toEqual([]);
  expect(nearMisses[0]?.because).toMatch(
    /published_at as text, no column attempts|no column attempts, published_at as text/,
  );
});
