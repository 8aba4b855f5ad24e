import { afterAll, beforeAll, expect, test } from "vitest";
import { ATTACH_SCHEMA } from "../contract/columns";
import type { AttachManifest } from "../contract/manifest";
import type { Foreign } from "../connection";
import { cap } from "../presets/cap";
import { CAP_TABLES } from "../presets/cap/fixtures";
import { createForeignDatabase, type ForeignDatabase } from "../testing/foreign-database";
import { explain, MAX_COST } from "./explain";
import { listRows, listStatement } from "./list-rows";
import { readAttachManifest } from "./manifest-of";

const ROWS = 30_000;
const PAGE = 50;

let database: ForeignDatabase;
let foreign: Foreign;
let manifest: AttachManifest;

beforeAll(async () => {
  database = await createForeignDatabase(CAP_TABLES);
  await database.run(
    `insert into cap.published select n, 'v1', 'orders.paid', '{}', 0, now(), null, 'Succeeded' from generate_series(1, ${String(ROWS)}) n`,
  );
  await database.install(cap, { time_zone: "UTC" });
  await database.run("analyze cap.published");
  foreign = await database.open();
  const read = await readAttachManifest(foreign, ATTACH_SCHEMA);
  if (read === undefined) throw new Error("Nothing is installed.");
  manifest = read;
});

afterAll(() => database.drop());

test("each row once, newest first, page by page", async () => {
  const seen: string[] = [];
  let after: readonly string[] | undefined;
  do {
    const page = await listRows(foreign, ATTACH_SCHEMA, manifest, "outgoing", { after, limit: 7_000 });
    if (!page.shown) throw new Error(page.because);
    seen.push(...page.rows.map(({ values }) => String(values["id"])));
    after = page.next;
  } while (after !== undefined);
  expect(seen).toEqual(Array.from({ length: ROWS }, (_, index) => `out:${String(ROWS - index)}`));
});

test.each([
  ["the first page", false, [PAGE + 1]],
  ["a later page", true, ["15000", PAGE + 1]],
])("%s walks the index of the library, and reads no table", async (_, continued, values) => {
  const statement = listStatement(ATTACH_SCHEMA, "outgoing", manifest.views.outgoing?.order ?? [], continued);
  const { cost, scanned } = await explain(foreign.walk.bind(foreign), statement, values);
  expect(scanned).toEqual([]);
  expect(cost).toBeLessThan(100);
});

test("the dead of both tables are walked together by the indexes that were made for them, and nothing is sorted", async () => {
  const statement = listStatement(ATTACH_SCHEMA, "dead", manifest.views.dead?.order ?? [], false);
  const { scanned, disabled, cost } = await explain(foreign.walk.bind(foreign), statement, [PAGE]);
  expect({ scanned, disabled }).toEqual({ scanned: [], disabled: false });
  expect(cost).toBeLessThan(100);
  const plan = await foreign.query<{ "QUERY PLAN": string }>(`explain ${statement}`, [PAGE]);
  const lines = plan.map((line) => line["QUERY PLAN"]).join("\n");
  expect(lines).toContain("Merge Append");
  expect(lines).toContain("onceboard_dead_published");
});

test("a list that would read the whole table is not shown, and says why", async () => {
  await database.run(
    "alter table cap.published drop constraint published_pkey; drop index cap.onceboard_dead_published",
  );
  // The planner's estimates of a table that is a thousand times larger.
  await database.run('alter table cap.published alter column "Name" set statistics 1');
  const page = await withHugeTable(() => listRows(foreign, ATTACH_SCHEMA, manifest, "outgoing"));
  expect(page).toMatchObject({ shown: false });
  expect(page.shown ? "" : page.because).toMatch(
    new RegExp(
      `^Not shown: PostgreSQL estimates a cost of [0-9,]+, more than ${MAX_COST.toLocaleString("en")}\\. It would read all of published\\.$`,
    ),
  );
});

/** Fills the table until its pages are many, as the planner counts them. */
async function withHugeTable<T>(run: () => Promise<T>): Promise<T> {
  await database.run(
    `insert into cap.published select n, 'v1', 'orders.paid', repeat(md5(n::text), 30), 0, now(), null, 'Succeeded' from generate_series(100000, 270000) n`,
  );
  await database.run("analyze cap.published");
  return run();
}

test("a view that these tables cannot fill is said to have nothing", async () => {
  expect(await listRows(foreign, ATTACH_SCHEMA, manifest, "keys")).toEqual({
    shown: false,
    because: "These tables have nothing for this list.",
  });
});

test("a schema that says something else of itself is refused", async () => {
  expect(await readAttachManifest(foreign, "not_there")).toBeUndefined();
  await database.run("create schema theirs; comment on schema theirs is 'ours'");
  await expect(readAttachManifest(foreign, "theirs")).rejects.toMatchObject({ code: "attach.manifest" });
});
