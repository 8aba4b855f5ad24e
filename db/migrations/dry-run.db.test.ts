import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migrate } from "../migrate";
import { readManifest } from "../testing/manifest";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import { describeDryRun } from "./describe-dry-run";
import { dryRun, type DryRun, type Scratch } from "./dry-run";
import { partOf, readMigrations } from "./migration-files";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

async function scratch(): Promise<Scratch> {
  const empty = await createTestDatabase();
  await empty.db.pool.query({ text: "drop schema onceboard cascade" });
  return { url: empty.ownerUrl, stop: () => empty.drop() };
}

const known = readMigrations();
const newest = known.at(-1)?.when ?? 0n;

/** A dry run on the test's database of further migrations, each with these parts. */
function planned(...migrations: readonly (readonly string[])[]): Promise<DryRun> {
  const more = migrations.map((texts, index) => ({
    tag: `999${String(index)}_next`,
    when: newest + BigInt(index + 1),
    hash: "x",
    parts: texts.map(partOf),
  }));
  return dryRun(test.ownerUrl, scratch, [...known, ...more]);
}

const LOCKED = { locks: ["outbox_messages AccessExclusiveLock"], reads: [], rewrites: [] };
const CASES: readonly (readonly [string, unknown])[] = [
  ["alter table onceboard.outbox_messages add column note text", LOCKED],
  ["alter table onceboard.outbox_messages add constraint c check (fence >= 0) not valid", LOCKED],
  [
    "alter table onceboard.outbox_messages validate constraint c",
    {
      locks: ["outbox_messages ShareUpdateExclusiveLock"],
      reads: ["outbox_messages"],
      rewrites: [],
    },
  ],
  [
    "alter table onceboard.outbox_messages add column stamp uuid default gen_random_uuid()",
    { ...LOCKED, reads: ["outbox_messages"], rewrites: ["outbox_messages"] },
  ],
  ["alter table onceboard.outbox_messages alter column note set not null", { ...LOCKED, reads: ["outbox_messages"] }],
  [
    "create index a on onceboard.outbox_messages (note)",
    { locks: ["outbox_messages ShareLock"], reads: ["outbox_messages"], rewrites: [] },
  ],
  [
    "alter table onceboard.idempotency_events alter column attempt type bigint",
    {
      locks: ["idempotency_events AccessExclusiveLock"],
      reads: ["idempotency_events"],
      rewrites: ["idempotency_events"],
    },
  ],
  ["update onceboard.tenants set name = name", { locks: ["tenants RowExclusiveLock"], reads: [], rewrites: [] }],
  ["create table onceboard.fresh (id int)", { locks: [], reads: [], rewrites: [] }],
];

describe("RUN-4 a dry run", () => {
  it("measures what statements do to tables that are there", async () => {
    const { migrations } = await planned(...CASES.map(([text]) => [text]));
    const seen = migrations.flatMap(({ parts }) =>
      parts.map(({ text, locks, reads, rewrites }) => [
        text,
        { locks: locks.map(({ table, mode }) => `${table} ${mode}`), reads, rewrites },
      ]),
    );
    expect(seen).toEqual(CASES);
  });

  it("prints the SQL with sizes, where transactions begin and end, and changes nothing", async () => {
    const before = await readManifest(test.db.pool);
    const run = await planned([
      "alter table onceboard.outbox_messages add column note text",
      "-- onceboard: concurrently\ncreate index concurrently outbox_note on onceboard.outbox_messages (note)",
      "drop table onceboard.deploys",
    ]);
    const version = run.measuredOn ?? "";
    expect(describeDryRun(run).replaceAll(/\(\d[^)]* rows\)/g, "(SIZE)"))
      .toBe(`-- Nothing was changed. This is what \`migrate\` would run.
-- Locks, reads and rewrites are those of tables that are there now, measured in an empty database of PostgreSQL ${version}.
-- A lock is held until the end of its transaction. A migration that waits 3 s for one gives up and changes nothing.

-- 9990_next
begin;
alter table onceboard.outbox_messages add column note text;
--   locks outbox_messages (SIZE): ACCESS EXCLUSIVE, nobody can read it or write to it
commit;
-- onceboard: concurrently
create index concurrently outbox_note on onceboard.outbox_messages (note);
--   outside a transaction: reading and writing go on while the index is built or dropped
begin;
drop table onceboard.deploys;
--   locks deploys (SIZE): ACCESS EXCLUSIVE, nobody can read it or write to it
commit;
`);
    expect(await readManifest(test.db.pool)).toBe(before);
  });

  it("says what migrations of modules would do to tables of modules, and changes nothing", async () => {
    const folder = mkdtempSync(join(tmpdir(), "onceboard-module-"));
    try {
      const stock = { name: "stock", migrations: { directory: pathToFileURL(`${folder}/`) } };
      writeFileSync(join(folder, "0001_items.sql"), "create table items (id integer primary key, note text);");
      const first = await dryRun(test.ownerUrl, scratch, known, [stock]);
      expect(first.migrations).toMatchObject([{ tag: "stock/0001_items", parts: [{ locks: [], rewrites: [] }] }]);
      await migrate(test.ownerUrl, { modules: [stock] });
      writeFileSync(
        join(folder, "0002_stamp.sql"),
        "alter table items add column stamp uuid default gen_random_uuid();\ncreate index items_note on items (note);",
      );
      const run = await dryRun(test.ownerUrl, scratch, known, [stock]);
      const text = describeDryRun(run).replaceAll(/\(\d[^)]* rows\)/g, "(SIZE)");
      expect(text.slice(text.indexOf("-- stock/"))).toBe(`-- stock/0002_stamp
begin;
create schema if not exists stock;
set local search_path = stock, public;
alter table items add column stamp uuid default gen_random_uuid();
create index items_note on items (note);
--   locks stock.items (SIZE): ACCESS EXCLUSIVE, nobody can read it or write to it
--   REWRITES stock.items (SIZE)
commit;
`);
      const { rows } = await test.db.pool.query({
        text: "select column_name as name from information_schema.columns where table_schema = 'stock' order by 1",
      });
      expect(rows).toEqual([{ name: "id" }, { name: "note" }]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("knows what is there already: nothing, and only functions", async () => {
    const never = (): Promise<Scratch> => Promise.reject(new Error("there is nothing to measure"));
    expect(describeDryRun(await dryRun(test.ownerUrl, never))).toBe("-- the database is up to date\n");
    await test.db.pool.query({ text: "update onceboard.functions_revision set revision = 'old'" });
    expect(describeDryRun(await dryRun(test.ownerUrl, never))).toContain(
      "Then the functions and grants of this version",
    );
  });
});
