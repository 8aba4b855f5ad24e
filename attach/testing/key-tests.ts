import { describe, expect, test } from "vitest";
import type { Preset } from "../contract/preset";
import { sameName, type FoundColumn } from "../contract/tables";
import { readTables } from "../probe/read-tables";
import { recognise } from "../probe/recognise";
import type { ForeignDatabase } from "./foreign-database";

interface KeyExpectation {
  readonly id: string;
  readonly state: string;
}

/** What a preset of keys has to show and to do, over rows that its test put there. */
interface KeyTests {
  readonly preset: () => Preset;
  readonly database: () => ForeignDatabase;
  /** Schema and table. */
  readonly table: string;
  /** In the order of the list. */
  readonly rows: readonly KeyExpectation[];
  /** A key that is done: forgotten by two at once, and by one of them. */
  readonly done: string;
  /** A key in progress for too long, or of a library that has no such state: another one that may be forgotten. */
  readonly stale?: string;
  /** Keys that are never forgotten: in progress and young, of no known state, or no rows. */
  readonly kept: readonly string[];
  /** Where one row is found by its owner. */
  readonly held: { readonly id: string; readonly where: string };
  /** Columns without which the table is another one. */
  readonly needed: readonly string[];
}

const NO_ROWS = ["key:no such key", "key:", "out:1", "key:'; drop table x; --", "", ":"];

/** Tests that hold of every table of keys; the database is set up, and dropped, by the file that calls this. */
export function testKeys({ preset, database, table, rows, done, stale, kept, held, needed }: KeyTests): void {
  const everything = () => database().run(`select * from ${table} as t order by t::text`);

  test("each key is shown in its state, in the order of the list", async () => {
    const foreign = await database().open();
    const order = "order_1, order_2";
    expect(await foreign.query(`select id, state from onceboard_attach.keys order by ${order}`)).toEqual(rows);
  });

  describe("forgetting", () => {
    test.each([...kept, ...NO_ROWS])("%s is in progress, or no row, and nothing changes", async (id) => {
      const foreign = await database().open();
      const before = await everything();
      expect(await foreign.query("select * from onceboard_attach.discard($1)", [id])).toEqual([]);
      expect(await everything()).toEqual(before);
    });

    test("a row that somebody holds is not waited for", async () => {
      const foreign = await database().open();
      const release = await database().hold(`select 1 from ${table} where ${held.where} for update`);
      expect(await foreign.query("select * from onceboard_attach.discard($1)", [held.id])).toEqual([]);
      await release();
    });

    test("of two at once one forgets the key, and only that row is gone", async () => {
      const [one, other] = await Promise.all([database().open(), database().open()]);
      const before = await everything();
      const both = await Promise.all(
        [one, other].map((foreign) => foreign.query("select * from onceboard_attach.discard($1)", [done])),
      );
      expect(both.flat()).toEqual([{ id: done, was: "done", is_now: "gone" }]);
      const after = await everything();
      expect(after).toHaveLength(before.length - 1);
      for (const row of after) expect(before).toContainEqual(row);
    });

    if (stale !== undefined)
      test("a key in progress for too long is forgotten", async () => {
        const foreign = await database().open();
        expect(await foreign.query("select * from onceboard_attach.discard($1)", [stale])).toEqual([
          { id: stale, was: "in_progress", is_now: "gone" },
        ]);
      });
  });

  test.each([
    `select 1 from ${table}`,
    `delete from ${table}`,
    `insert into ${table} default values`,
    "delete from onceboard_attach.keys",
    "create table onceboard_attach.mine (id integer)",
  ])("%s is refused", async (statement) => {
    const foreign = await database().open();
    await expect(foreign.query(statement)).rejects.toMatchObject({ code: "42501" });
  });

  test.each(needed)(
    "without %s, or with it of another type, the table is another one, and a near miss",
    async (name) => {
      const tables = await readTables(await database().open());
      const isIt = (column: FoundColumn) => sameName(column.name) === sameName(name);
      const changed = (change: (columns: readonly FoundColumn[]) => readonly FoundColumn[]) =>
        recognise(
          [preset()],
          tables.map((each) => ({ ...each, columns: change(each.columns) })),
        );
      const dropped = changed((columns) => columns.filter((column) => !isIt(column)));
      const retyped = changed((columns) =>
        columns.map((column) => (isIt(column) ? { ...column, type: "point" } : column)),
      );
      expect([dropped.recognised, retyped.recognised]).toEqual([[], []]);
      expect(dropped.nearMisses.map(({ because }) => because).join()).toContain(`no column ${name}`);
      expect(retyped.nearMisses.map(({ because }) => because).join()).toContain(`${name} as point`);
    },
  );
}
