import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTables } from "../../probe/read-tables";
import { recognise } from "../../probe/recognise";
import { createForeignDatabase, type ForeignDatabase } from "../../testing/foreign-database";
import { MASSTRANSIT_INBOX, MASSTRANSIT_OUTBOX, MASSTRANSIT_TABLES, masstransitRows } from "./fixtures";
import { masstransit } from "./index";

let database: ForeignDatabase;

beforeAll(async () => {
  database = await createForeignDatabase(MASSTRANSIT_TABLES);
  await database.run(masstransitRows());
  await database.install(masstransit);
});

afterAll(() => database.drop());

describe("each state is shown as it is", () => {
  test("outgoing: what waits, delayed or not, and what nobody will send", async () => {
    const foreign = await database.open();
    expect(
      await foreign.query("select id, state, raw_state, attempts from onceboard_attach.outgoing order by order_1"),
    ).toEqual(
      ["waiting", "waiting", "waiting", "unknown"].map((state, index) => ({
        id: `out:${String(index + 1)}`,
        state,
        raw_state: null,
        attempts: null,
      })),
    );
  });

  test("a message says what it is, where it goes and since when it waits", async () => {
    const foreign = await database.open();
    const rows = await foreign.query(
      "select type, destination, order_key, created_at, payload_codec, headers from onceboard_attach.outgoing where id = 'out:1'",
    );
    expect(rows).toEqual([
      {
        type: "urn:message:Shop:OrderPaid",
        destination: "rabbitmq://broker/orders",
        order_key: MASSTRANSIT_OUTBOX,
        created_at: new Date("2026-03-01T12:00:00Z"),
        payload_codec: "json",
        headers: '{"MT-Tenant":"a"}',
      },
    ]);
  });

  test("incoming, and ReceiveCount is not shown as attempts", async () => {
    const foreign = await database.open();
    expect(
      await foreign.query("select id, state, raw_state, attempts from onceboard_attach.incoming order by order_1"),
    ).toEqual(
      MASSTRANSIT_INBOX.map(({ id, state, raw }) => ({
        id: `in:${String(id)}`,
        state,
        raw_state: raw,
        attempts: null,
      })),
    );
  });

  test("the payload of a message", async () => {
    const foreign = await database.open();
    const [payload] = await foreign.query<{ codec: string; body: Buffer }>(
      "select * from onceboard_attach.payload('out:1')",
    );
    expect([payload?.codec, payload?.body.toString()]).toEqual(["json", '{"message":{"amount":12}}']);
  });
});

describe("acting", () => {
  const rowsOf = (table: string): Promise<readonly unknown[]> => database.run(`select * from "${table}" order by 1`);

  test("nothing but purging is installed", async () => {
    const foreign = await database.open();
    for (const name of ["requeue", "discard"])
      await expect(foreign.query(`select * from onceboard_attach.${name}('out:1')`)).rejects.toMatchObject({
        code: "42883",
      });
  });

  test("purging spares a row that a consumer holds, and deletes only what MassTransit would delete, once", async () => {
    const foreign = await database.open();
    const [messages, outbox] = [await rowsOf("OutboxMessage"), await rowsOf("OutboxState")];
    const release = await database.hold('select 1 from "InboxState" where "Id" = 13 for update');
    expect(await foreign.query("select * from onceboard_attach.purge(now(), 10)")).toEqual([]);
    await release();
    const both = await Promise.all(
      [1, 2].map(() => foreign.query("select * from onceboard_attach.purge(now() + interval '9 years', 10)")),
    );
    expect(both.flat()).toEqual([{ id: "in:13", was: "done", is_now: "gone" }]);
    expect(await database.run('select "Id" from "InboxState" order by 1')).toEqual(
      [10, 11, 12, 14].map((id) => ({ Id: String(id) })),
    );
    expect(await rowsOf("OutboxMessage")).toEqual(messages);
    expect(await rowsOf("OutboxState")).toEqual(outbox);
  });

  test("purging stops at what was asked, and at the time that was given", async () => {
    await database.run(
      `insert into "InboxState" ("MessageId", "ConsumerId", "LockId", "Received", "ReceiveCount", "Consumed", "Delivered")
       select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now(), 3, now(), now() - n * interval '1 day' from generate_series(1, 5) n`,
    );
    const foreign = await database.open();
    expect(await foreign.query("select * from onceboard_attach.purge(now() - interval '60 hours', 2)")).toHaveLength(2);
    expect(await foreign.query("select * from onceboard_attach.purge(now() - interval '60 hours', 9)")).toHaveLength(1);
    expect(await foreign.query("select * from onceboard_attach.purge(now(), 9)")).toHaveLength(2);
  });
});

test.each([
  `update "OutboxMessage" set "Body" = ''`,
  'delete from "InboxState"',
  'select 1 from "OutboxState"',
  "delete from onceboard_attach.incoming",
])("%s is refused", async (statement) => {
  const foreign = await database.open();
  await expect(foreign.query(statement)).rejects.toMatchObject({ code: "42501" });
});

test.each([["out:x"], ["out:999"], ["in:10"], ["'; drop table x; --"], [""]])("%s has no payload", async (id) => {
  const foreign = await database.open();
  expect(await foreign.query("select * from onceboard_attach.payload($1)", [id])).toEqual([]);
});

test("one bad row breaks no list", async () => {
  await database.run(
    `insert into "OutboxMessage" ("SequenceNumber", "EnqueueTime", "SentTime", "Headers", "MessageId", "ContentType", "MessageType", "Body")
     values (2000, 'infinity', '-infinity', 'no { json', gen_random_uuid(), '', '', repeat('x', 10000000));
     insert into "InboxState" ("Id", "MessageId", "ConsumerId", "LockId", "Received", "ReceiveCount", "Consumed", "Delivered")
     values (2000, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '-infinity', -1, 'infinity', 'infinity')`,
  );
  const foreign = await database.open();
  for (const view of ["outgoing", "incoming"])
    expect(await foreign.query(`select * from onceboard_attach.${view} order by order_1 desc limit 1`)).toHaveLength(1);
  const [payload] = await foreign.query("select * from onceboard_attach.payload('out:2000')");
  expect(payload).toMatchObject({ codec: "text", bytes: "10000000" });
});

test.each([
  ["a version without types", `alter table "OutboxMessage" drop column "MessageType"`, true],
  ["names in snake case", `alter table "OutboxMessage" rename column "SequenceNumber" to sequence_number`, true],
  ["a column that is gone", `alter table "InboxState" drop column "Consumed"`, false],
  ["a column of another type", `alter table "OutboxState" alter column "Created" type text`, false],
])("%s", async (_, change, known) => {
  const other = await createForeignDatabase(MASSTRANSIT_TABLES);
  try {
    await other.run(change);
    if (known) {
      await other.install(masstransit);
      const foreign = await other.open();
      expect(await foreign.query("select * from onceboard_attach.outgoing")).toEqual([]);
      expect(await foreign.query("select * from onceboard_attach.purge(now(), 1)")).toEqual([]);
    } else {
      const { recognised, nearMisses } = recognise([masstransit], await readTables(await other.open()));
      expect(recognised).toEqual([]);
      expect(nearMisses[0]?.because).toMatch(/no column Consumed|Created as text/);
    }
  } finally {
    await other.drop();
  }
});
