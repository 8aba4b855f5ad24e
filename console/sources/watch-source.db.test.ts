import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ATTACH_SCHEMA } from "@/attach/contract/columns";
import { cap } from "@/attach/presets/cap";
import { CAP_TABLES, insertCapRows } from "@/attach/presets/cap/fixtures";
import { newerStatement } from "@/attach/read/count-newer";
import { explain } from "@/attach/read/explain";
import { createForeignDatabase, type ForeignDatabase } from "@/attach/testing/foreign-database";
import { closeAttachments } from "@/console/attachments/open-attachment";
import { readLiveStatus } from "@/console/read/deployment/read-live-status";
import { attachDatabase } from "@/console/testing/attached";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { listSource } from "./list-source";
import { createSourceWatch } from "./watch-source";

let desk: Desk;
let database: ForeignDatabase;
beforeAll(async () => {
  desk = await openDesk();
  database = await createForeignDatabase(CAP_TABLES);
  await insertCapRows(database, "UTC");
  await database.install(cap, { time_zone: "UTC" });
  await attachDatabase(admin(), "orders-db", database.url);
});
afterAll(async () => {
  await closeAttachments();
  await database.drop();
  await desk.close();
});

const admin = () => desk.context("admin");
const OUTBOX = "sources/orders-db/outbox";
let ids = 5_000;
const write = async (rows: number): Promise<void> => {
  for (let row = 0; row < rows; row += 1)
    await database.run(
      `insert into cap.published values (${String((ids += 1))}, 'v1', 'orders.paid', '{}', 0, now(), null, 'Succeeded')`,
    );
};

async function topOf(name = "orders-db"): Promise<string | undefined> {
  const list = await listSource(admin(), { name }, { view: "outgoing" });
  return list?.page.kind === "rows" ? list.page.rows[0]?.place : undefined;
}

/** A watch whose time only goes on when it is told to. */
function watched() {
  let at = 0;
  const watch = createSourceWatch(() => at);
  return { news: watch.news, later: (ms: number) => (at += ms) };
}

type Watch = ReturnType<typeof watched>;
const told = async (watch: Watch, above: string | undefined, kind: string) => {
  await expect.poll(() => watch.news(admin(), { page: OUTBOX, above })?.kind).toBe(kind);
  return watch.news(admin(), { page: OUTBOX, above });
};

describe("newer rows of an attached database", () => {
  it("are counted above the rows on the screen, and asked for once in 15 seconds whoever looks", async () => {
    const watch = watched();
    const above = await topOf();
    expect(watch.news(admin(), { page: OUTBOX, above })).toEqual({ kind: "waiting" });
    expect(await told(watch, above, "read")).toMatchObject({ newer: 0, more: false });
    await write(3);
    const other = await topOf();
    for (let asked = 0; asked < 5; asked += 1) {
      expect(watch.news(admin(), { page: OUTBOX, above })).toMatchObject({ kind: "read", newer: 0 });
      // Somebody else's page waits for its turn too.
      expect(watch.news(desk.context("viewer"), { page: OUTBOX, above: other })).toEqual({ kind: "waiting" });
    }
    watch.later(15_000);
    // Who waited longest is asked for first.
    expect(await told(watch, other, "read")).toMatchObject({ newer: 0 });
    expect(watch.news(admin(), { page: OUTBOX, above })).toMatchObject({ newer: 0 });
    watch.later(15_000);
    await expect.poll(() => watch.news(admin(), { page: OUTBOX, above })).toMatchObject({ newer: 3, more: false });
  });

  it("are counted no further than fifty", async () => {
    const watch = watched();
    const above = await topOf();
    await write(51);
    expect(await told(watch, above, "read")).toMatchObject({ newer: 50, more: true });
    expect(await told(watch, await topOf(), "waiting")).toBeDefined();
  });

  it("are all that is noticed: a row on the screen that changes is not", async () => {
    const watch = watched();
    await write(1);
    const above = await topOf();
    expect(await told(watch, above, "read")).toMatchObject({ newer: 0 });
    const changed = await database.run(
      `update cap.published set "StatusName" = 'Failed', "Retries" = 3 where "Id" = ${String(ids)} returning 1`,
    );
    expect(changed).toHaveLength(1);
    watch.later(15_000);
    await write(1);
    await expect.poll(() => watch.news(admin(), { page: OUTBOX, above })).toMatchObject({ newer: 1 });
  });

  it("stand in the live status of the page, for who may read it", async () => {
    const above = await topOf();
    await expect
      .poll(async () => (await readLiveStatus(admin(), { page: OUTBOX, above })).source)
      .toMatchObject({ kind: "read", newer: 0 });
    expect((await readLiveStatus(admin(), { page: "operations" })).source).toBeUndefined();
    expect((await readLiveStatus(admin(), { page: OUTBOX, above: "nonsense" })).source).toBeUndefined();
    expect(
      watched().news({ ...admin(), actor: { kind: "client", id: "k", name: "t", scopes: [] } } as never, {
        page: OUTBOX,
      }),
    ).toBeUndefined();
  });

  it("a database that is away is asked less and less often, and is said to be away", async () => {
    await attachDatabase(admin(), "away-db", "postgres://nobody:a-password@127.0.0.1:1/gone");
    const watch = watched();
    const page = "sources/away-db/outbox";
    const away = () => watch.news(admin(), { page });
    await expect.poll(away).toMatchObject({ kind: "away", because: "The attached database cannot be reached." });
    const first = away();
    expect(JSON.stringify(first)).not.toContain("a-password");
    watch.later(29_000);
    expect(away()).toBe(first);
    watch.later(1_000);
    await expect.poll(() => away() !== first).toBe(true);
    const second = away();
    watch.later(59_000);
    expect(away()).toBe(second);
    watch.later(1_000);
    await expect.poll(() => away() !== second).toBe(true);
  });

  it("are not watched for where that would read a table, and the statement that is run reads none", async () => {
    await database.run(
      `insert into cap.published select 100000 + n, 'v1', 'orders.paid', '{}', 0, now(), null, 'Succeeded' from generate_series(1, 3000) n`,
    );
    await database.run("analyze cap.published");
    for (const cost of ["cpu_tuple_cost", "cpu_index_tuple_cost"])
      await database.run(`do $$ begin execute format('alter database %I set ${cost} = 5', current_database()); end $$`);
    await closeAttachments();
    const foreign = await database.open();
    const above = newerStatement(ATTACH_SCHEMA, "outgoing", ["bigint"], { above: true });
    const judged = await explain(foreign.walk.bind(foreign), above, ["103000"]);
    expect(judged.scanned).toEqual([]);
    expect(judged.cost).toBeLessThan(2_000);
    const watch = watched();
    expect(await told(watch, await topOf(), "read")).toMatchObject({ newer: 0 });
    // To find none above an empty page every row would be read, however few it stops at.
    const empty = () => watch.news(admin(), { page: OUTBOX });
    watch.later(15_000);
    await expect.poll(empty).toMatchObject({
      kind: "not_watched",
      because: expect.stringMatching(
        /^Not watched: PostgreSQL estimates a cost of [0-9,]+, more than 2,000\./,
      ) as string,
    });
  });
});
