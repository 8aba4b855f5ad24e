import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createForeignDatabase, type ForeignDatabase } from "../../testing/foreign-database";
import { attachManifest } from "../../contract/manifest";
import {
  MODULITH_V2_ARCHIVED,
  MODULITH_V2_ROWS,
  modulithId,
  modulithV2Rows,
  modulithV2Table,
} from "../modulith-v1/fixtures";
import { modulithV2 } from "./index";

let database: ForeignDatabase;

beforeAll(async () => {
  database = await createForeignDatabase(
    modulithV2Table("event_publication") + modulithV2Table("event_publication_archive"),
  );
  await database.install(modulithV2, { stale_after: "1 hour" });
});

beforeEach(async () => {
  await database.run(
    `truncate event_publication, event_publication_archive; ${modulithV2Rows()}${MODULITH_V2_ARCHIVED}`,
  );
});

afterAll(() => database.drop());

const everything = (): Promise<readonly Record<string, unknown>[]> =>
  database.run("select * from event_publication union all select * from event_publication_archive order by id");

const idOf = (n: number): string => `out:${modulithId(n)}`;

describe("each state is shown as it is", () => {
  test("outgoing, with the archive", async () => {
    const foreign = await database.open();
    expect(
      await foreign.query(
        "select id, state, raw_state, attempts from onceboard_attach.outgoing where id like 'out:%' order by order_1",
      ),
    ).toEqual(
      MODULITH_V2_ROWS.map(({ n, state, status, attempts }) => ({ id: idOf(n), state, raw_state: status, attempts })),
    );
    expect(await foreign.query("select state from onceboard_attach.outgoing where id like 'archive:%'")).toEqual([
      { state: "sent" },
    ]);
  });

  test("dead: failed, given up, and without a status", async () => {
    const foreign = await database.open();
    expect(
      await foreign.query("select id, state, dead_at, error_message from onceboard_attach.dead order by order_1"),
    ).toEqual([4, 5, 10, 11].map((n) => ({ id: idOf(n), state: "dead", dead_at: null, error_message: null })));
  });

  test("a list of the dead walks the index that is asked for", async () => {
    const foreign = await database.open();
    await database.run(`insert into event_publication select gen_random_uuid(), 'l', 'e', 's', now(), now(), 'COMPLETED', 1, now()
      from generate_series(1, 5000); analyze event_publication`);
    const plan = await foreign.query<Record<string, string>>(
      "explain select id from onceboard_attach.dead order by order_1 desc limit 50",
    );
    expect(plan.map((line) => line["QUERY PLAN"]).join("\n")).toContain("onceboard_dead_event_publication");
  });
});

describe("marking as failed", () => {
  test.each([
    [1, "PUBLISHED"],
    [2, "PROCESSING"],
    [3, "RESUBMITTED"],
    [5, "no status"],
  ])("%i, which was %s, once, and nothing else changes", async (n, was) => {
    const foreign = await database.open();
    const before = await everything();
    const both = await Promise.all(
      [1, 2].map(() => foreign.query("select * from onceboard_attach.requeue($1)", [idOf(n)])),
    );
    expect(both.flat()).toEqual([{ id: idOf(n), was, is_now: "FAILED" }]);
    expect(await everything()).toEqual(
      before.map((row) => (row["id"] === modulithId(n) ? { ...row, status: "FAILED" } : row)),
    );
    // What early releases of version 2 ask before they resubmit: no row without a status passes it.
    expect(
      await database.run("select 1 from event_publication where id = $1 and status <> 'RESUBMITTED'", [modulithId(n)]),
    ).toHaveLength(1);
  });

  test("its sentence says that the application still has to resubmit", async () => {
    const [row] = await database.run<{ says: string }>(
      "select obj_description('onceboard_attach'::regnamespace, 'pg_namespace') as says",
    );
    const { requeue } = attachManifest.parse(JSON.parse(row?.says ?? "")).actions;
    expect(requeue).toMatchObject({
      offered: true,
      caveat: expect.stringContaining("still has to resubmit") as unknown,
    });
  });
});

describe("acting", () => {
  test.each([1, 2, 3, 4, 5, 8, 11])("%i is old and not completed: discarded once, and nothing else", async (n) => {
    const foreign = await database.open();
    const before = await everything();
    const both = await Promise.all(
      [1, 2].map(() => foreign.query("select * from onceboard_attach.discard($1)", [idOf(n)])),
    );
    expect(both.flat()).toMatchObject([{ id: idOf(n), is_now: "gone" }]);
    expect(await everything()).toEqual(before.filter((row) => row["id"] !== modulithId(n)));
  });

  test.each([
    ["requeue", idOf(4)],
    ["requeue", idOf(8)],
    ["requeue", idOf(11)],
    ...["requeue", "discard"].flatMap((name) =>
      [idOf(6), idOf(7), idOf(9), idOf(10), idOf(99), `archive:${modulithId(1)}`, "out:1", ""].map((id) => [name, id]),
    ),
  ])("%s of %s is refused, and nothing changes", async (name, id) => {
    const foreign = await database.open();
    const before = await everything();
    expect(await foreign.query(`select * from onceboard_attach.${name}($1)`, [id])).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  test("a row that is being completed is not waited for, and stays completed", async () => {
    const foreign = await database.open();
    const release = await database.hold(
      `update event_publication set status = 'COMPLETED', completion_date = now() where id = '${modulithId(2)}'`,
    );
    const act = () =>
      Promise.all(
        ["requeue", "discard"].map((name) => foreign.query(`select * from onceboard_attach.${name}($1)`, [idOf(2)])),
      );
    expect(await act()).toEqual([[], []]);
    await release();
    expect(await act()).toEqual([[], []]);
  });

  test("purging deletes what is completed, of both tables and both versions, and nothing else", async () => {
    const foreign = await database.open();
    const before = await everything();
    expect(await foreign.query("select * from onceboard_attach.purge(now() - interval '9 hours', 9)")).toEqual([]);
    expect(await foreign.query("select * from onceboard_attach.purge(now(), 1)")).toHaveLength(1);
    expect(await foreign.query("select * from onceboard_attach.purge(now() + interval '9 years', 9)")).toHaveLength(2);
    expect(await everything()).toEqual(before.filter((row) => row["completion_date"] === null));
  });
});

test.each([
  "update event_publication set status = 'FAILED'",
  "delete from event_publication_archive",
  "select 1 from event_publication",
])("%s is refused", async (statement) => {
  const foreign = await database.open();
  await expect(foreign.query(statement)).rejects.toMatchObject({ code: "42501" });
});

test("one bad row breaks no list", async () => {
  await database.run(
    `insert into event_publication values ('${modulithId(2000)}', '', '', repeat('x', 10000000), '-infinity', 'infinity', 'FAILED', -1, 'infinity'),
      ('${modulithId(2001)}', '', '', 'no { json', 'infinity', null, '', null, '-infinity')`,
  );
  const foreign = await database.open();
  expect(await foreign.query("select * from onceboard_attach.outgoing where destination = ''")).toHaveLength(2);
  expect(
    await foreign.query("select * from onceboard_attach.dead where order_1 = $1", [modulithId(2000)]),
  ).toHaveLength(1);
  const [payload] = await foreign.query("select bytes from onceboard_attach.payload($1)", [idOf(2000)]);
  expect(payload).toEqual({ bytes: "10000000" });
});
