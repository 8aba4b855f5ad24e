import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readTables } from "../../probe/read-tables";
import { recognise } from "../../probe/recognise";
import { createForeignDatabase, type ForeignDatabase } from "../../testing/foreign-database";
import { modulithV2 } from "../modulith-v2";
import {
  MODULITH_V1_ARCHIVED,
  MODULITH_V1_ROWS,
  modulithId,
  modulithV1Rows,
  modulithV1Table,
  modulithV2Table,
} from "./fixtures";
import { modulithV1 } from "./index";

const GIVEN = { stale_after: "1 hour" };

let database: ForeignDatabase;

beforeAll(async () => {
  database = await createForeignDatabase(
    modulithV1Table("event_publication") + modulithV1Table("event_publication_archive"),
  );
  await database.install(modulithV1, GIVEN);
});

beforeEach(async () => {
  await database.run(
    `truncate event_publication, event_publication_archive; ${modulithV1Rows()}${MODULITH_V1_ARCHIVED}`,
  );
});

afterAll(() => database.drop());

const everything = (): Promise<unknown> =>
  Promise.all(
    ["event_publication", "event_publication_archive"].map((table) =>
      database.run(`select * from ${table} order by id`),
    ),
  );

test("each state is shown as it is, of both tables", async () => {
  const foreign = await database.open();
  const rows = await foreign.query(
    "select id, state, raw_state, destination, attempts from onceboard_attach.outgoing where id like 'out:%' order by order_1",
  );
  expect(rows).toEqual(
    MODULITH_V1_ROWS.map(({ n, state, raw }) => ({
      id: `out:${modulithId(n)}`,
      state,
      raw_state: raw,
      destination: "shop.Mail.on(shop.Paid)",
      attempts: null,
    })),
  );
  expect(
    await foreign.query(
      "select state from onceboard_attach.outgoing where id like 'archive:%' and sent_at is not null",
    ),
  ).toEqual([{ state: "sent" }]);
});

test("the payload of both tables", async () => {
  const foreign = await database.open();
  const ids = await foreign.query<{ id: string }>("select id from onceboard_attach.outgoing where state = 'sent'");
  expect(ids).toHaveLength(2);
  for (const { id } of ids) {
    const [payload] = await foreign.query<{ codec: string; body: Buffer }>(
      "select * from onceboard_attach.payload($1)",
      [id],
    );
    expect([payload?.codec, payload?.body.toString()]).toEqual(["json", '{"amount":12}']);
  }
});

describe("acting", () => {
  const old = `out:${modulithId(2)}`;

  test("what is old and not completed is discarded once, and nothing else", async () => {
    const foreign = await database.open();
    const both = await Promise.all(
      [1, 2].map(() => foreign.query("select * from onceboard_attach.discard($1)", [old])),
    );
    expect(both.flat()).toEqual([{ id: old, was: "incomplete", is_now: "gone" }]);
    expect(await database.run("select id from event_publication order by id")).toEqual(
      [1, 3].map((n) => ({ id: modulithId(n) })),
    );
  });

  test.each([
    `out:${modulithId(1)}`,
    `out:${modulithId(3)}`,
    `out:${modulithId(9)}`,
    `archive:${modulithId(2)}`,
    "out:2",
    "",
  ])("%s is young or completed, or no row, and nothing changes", async (id) => {
    const foreign = await database.open();
    const before = await everything();
    expect(await foreign.query("select * from onceboard_attach.discard($1)", [id])).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  test("a row that is being completed is not waited for", async () => {
    const foreign = await database.open();
    const release = await database.hold(
      `update event_publication set completion_date = now() where id = '${modulithId(2)}'`,
    );
    expect(await foreign.query("select * from onceboard_attach.discard($1)", [old])).toEqual([]);
    await release();
    expect(await foreign.query("select * from onceboard_attach.discard($1)", [old])).toEqual([]);
  });

  test("purging deletes what is completed, of both tables, and nothing else", async () => {
    const foreign = await database.open();
    expect(await foreign.query("select * from onceboard_attach.purge(now() - interval '9 hours', 9)")).toEqual([]);
    expect(await foreign.query("select * from onceboard_attach.purge(now(), 1)")).toEqual([
      { id: `out:${modulithId(3)}`, was: "completed", is_now: "gone" },
    ]);
    expect(await foreign.query("select * from onceboard_attach.purge(now() + interval '9 years', 9)")).toHaveLength(1);
    expect(await database.run("select id from event_publication order by id")).toEqual(
      [1, 2].map((n) => ({ id: modulithId(n) })),
    );
  });

  test("requeueing is not installed", async () => {
    const foreign = await database.open();
    await expect(foreign.query("select * from onceboard_attach.requeue($1)", [old])).rejects.toMatchObject({
      code: "42883",
    });
  });
});

test.each([
  "update event_publication set completion_date = null",
  "delete from event_publication",
  "select 1 from event_publication_archive",
])("%s is refused", async (statement) => {
  const foreign = await database.open();
  await expect(foreign.query(statement)).rejects.toMatchObject({ code: "42501" });
});

test("one bad row breaks no list", async () => {
  await database.run(
    `insert into event_publication values ('${modulithId(2000)}', '', '', repeat('x', 10000000), '-infinity', 'infinity'),
      ('${modulithId(2001)}', '', '', 'no { json', 'infinity', null)`,
  );
  const foreign = await database.open();
  expect(await foreign.query("select * from onceboard_attach.outgoing where destination = ''")).toHaveLength(2);
});

describe("which version it is", () => {
  const probe = async (ddl: string) => {
    const other = await createForeignDatabase(ddl);
    try {
      const { recognised, nearMisses } = recognise([modulithV1, modulithV2], await readTables(await other.open()));
      return {
        known: recognised.map(({ preset, tables }) => [preset.id, Object.keys(tables)]),
        near: nearMisses.map(({ preset, because }) => `${preset.id}: ${because}`),
      };
    } finally {
      await other.drop();
    }
  };

  test("version 1, whose one table is not its archive too", async () => {
    const { known } = await probe(modulithV1Table("event_publication"));
    expect(known).toEqual([["modulith-v1", ["publication"]]]);
  });

  test("version 2 is not version 1", async () => {
    const { known, near } = await probe(
      modulithV2Table("event_publication") + modulithV2Table("event_publication_archive"),
    );
    expect(known).toEqual([["modulith-v2", ["publication", "archive"]]]);
    // What a preset recognised is no near miss of its neighbour.
    expect(near).toEqual([]);
  });

  test.each([
    [
      "half of a migration",
      `${modulithV2Table("event_publication")} alter table event_publication drop completion_attempts`,
      "no column completion_attempts",
    ],
    [
      "an id that is a number",
      `${modulithV1Table("event_publication")} alter table event_publication alter column id type bigint using 1`,
      "id as bigint",
    ],
  ])("%s is neither", async (_, ddl, because) => {
    const { known, near } = await probe(ddl);
    expect(known).toEqual([]);
    expect(near.join("\n")).toContain(because);
  });
});
