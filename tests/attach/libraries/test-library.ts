import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ATTACH_SCHEMA, type AttachView } from "@/attach/contract/columns";
import type { Preset } from "@/attach/contract/preset";
import type { FoundTable } from "@/attach/contract/tables";
import type { MessageMap } from "@/attach/mapped-messages/message-map";
import { mappedMessagesPreset } from "@/attach/mapped-messages/preset";
import { PRESETS } from "@/attach/presets";
import { readTables } from "@/attach/probe/read-tables";
import { recognise } from "@/attach/probe/recognise";
import { readAttachManifest } from "@/attach/read/manifest-of";
import { listRows } from "@/attach/read/list-rows";
import { createForeignDatabase, type ForeignDatabase } from "@/attach/testing/foreign-database";
import { constantsOf } from "@/attach/testing/libraries";
import { addressOf, BUILD_LIMIT_MS, linesOf, missingOf } from "./programs";

/** A row as its library left it. */
export interface Filled {
  /** As the views name it. */
  readonly id: string;
  readonly view: AttachView;
  /** Of the contract. */
  readonly state: string;
}

interface Run {
  /** As the views name it. */
  readonly ran: string;
}

interface LibraryTests {
  /** With its version. */
  readonly library: string;
  /** The id of the preset that has to know its tables; or of a library that none knows, what its owner says of a table. */
  readonly preset: string | { readonly table: string; readonly map: MessageMap };
  /** Commands that this machine has to have. */
  readonly needs: readonly string[];
  /** Installs and builds the program. */
  readonly build: () => void;
  /**
   * Runs it over a database: `fill` lets the library make its tables and a row in each state that it has, a line of JSON each; `work`
   * lets its own worker run what is due, a line each.
   */
  readonly run: (command: "fill" | "work", env: Readonly<Record<string, string>>) => string;
  /** Every view and state that the library really made: nothing that it said may be left out. */
  readonly made: readonly string[];
  readonly constants?: Readonly<Record<string, string>>;
  /** A statement over a table of theirs that nobody but its owner may run. */
  readonly update: string;
  /** The view and state of the row that is put back, and what its function says; left out where the preset offers none. */
  readonly requeue?: { readonly of: string; readonly was: string; readonly isNow: string; readonly then: string };
}

/** What holds of the tables that a library makes and fills itself. */
export function testLibrary(library: LibraryTests): void {
  const missing = missingOf(library.needs);
  const why = missing.length === 0 ? "" : ` (skipped: ${missing.join(" and ")} not on this machine)`;
  describe.skipIf(missing.length > 0)(`${library.library}${why}`, () => {
    let database: ForeignDatabase;
    let filled: readonly Filled[];
    const known = PRESETS.find(({ id }) => id === library.preset);

    beforeAll(async () => {
      library.build();
      database = await createForeignDatabase("select 1");
      filled = linesOf<Filled | Run>(library.run("fill", addressOf(database.ownerUrl))).filter((line) => "id" in line);
    }, BUILD_LIMIT_MS);

    afterAll(() => database.drop());

    test(`its tables are recognised by ${known === undefined ? "none" : "one"} of the presets`, async () => {
      const { recognised, nearMisses } = recognise(PRESETS, await readTables(await database.open()));
      expect(recognised.map((each) => each.preset.id)).toEqual(known === undefined ? [] : [known.id]);
      expect(nearMisses).toEqual([]);
    });

    test("the file installs, and each row is shown in the state that the library left it in", async () => {
      const preset = known ?? mappedOf(library.preset, await readTables(await database.open()));
      await database.install(preset, { ...constantsOf(preset), ...library.constants });
      const foreign = await database.open();
      const manifest = await readAttachManifest(foreign, ATTACH_SCHEMA);
      if (manifest === undefined) throw new Error("Nothing is installed.");
      const shown: Filled[] = [];
      for (const view of [...new Set(filled.map((row) => row.view))]) {
        const page = await listRows(foreign, ATTACH_SCHEMA, manifest, view);
        if (!page.shown) throw new Error(page.because);
        shown.push(...page.rows.map(({ state, values }) => ({ id: String(values["id"]), view, state })));
      }
      expect(sorted(shown)).toEqual(sorted(filled));
      expect([...new Set(filled.map(nameOf))].sort()).toEqual([...library.made].sort());
    });

    test("the login of Onceboard may change nothing of it", async () => {
      const foreign = await database.open();
      await expect(foreign.query(library.update)).rejects.toMatchObject({ code: "42501" });
    });

    const { requeue } = library;
    test.skipIf(requeue === undefined)("what is put back runs once, by the library itself", async () => {
      const row = filled.find((each) => nameOf(each) === requeue?.of);
      const foreign = await database.open();
      const back = () => foreign.query(`select * from ${ATTACH_SCHEMA}.requeue($1)`, [row?.id]);
      expect((await Promise.all([back(), back()])).flat()).toEqual([
        { id: row?.id, was: requeue?.was, is_now: requeue?.isNow },
      ]);
      const work = () =>
        linesOf<Run>(library.run("work", addressOf(database.ownerUrl))).filter(({ ran }) => ran === row?.id);
      expect(work()).toHaveLength(1);
      expect(work()).toHaveLength(0);
      const [now] = await foreign.query(`select state from ${ATTACH_SCHEMA}.outgoing where id = $1`, [row?.id]);
      expect(now).toEqual({ state: requeue?.then });
    });
  });
}

/** @throws Error when it names a preset that there is not, or a table */
function mappedOf(given: LibraryTests["preset"], tables: readonly FoundTable[]): Preset {
  if (typeof given === "string") throw new Error(`${given} is no preset.`);
  const found = tables.find(({ name }) => name === given.table);
  if (found === undefined) throw new Error(`There is no table ${given.table}.`);
  return mappedMessagesPreset(given.map, found);
}

const nameOf = ({ view, state }: Filled): string => `${view} ${state}`;

const sorted = (rows: readonly Filled[]): readonly string[] =>
  rows.map(({ id, view, state }) => `${view} ${id} ${state}`).sort();
