import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ATTACH_SCHEMA, ATTACH_VIEWS, type AttachView } from "@/attach/contract/columns";
import type { Preset } from "@/attach/contract/preset";
import type { FoundTable } from "@/attach/contract/tables";
import { PRESETS } from "@/attach/presets";
import { guessMap, nameOf as tableName, presetOfMap, type TableMap } from "@/attach/probe/guess-map";
import { readTables } from "@/attach/probe/read-tables";
import { recognise } from "@/attach/probe/recognise";
import { readAttachManifest } from "@/attach/read/manifest-of";
import { listRows } from "@/attach/read/list-rows";
import { createForeignDatabase, type ForeignDatabase } from "@/attach/testing/foreign-database";
import { constantsOf } from "@/attach/testing/libraries";
import type { LibraryProgram } from "./languages";
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

/** What River and pg-boss both make: a job in each state of a queue. */
export const JOB_STATES: readonly string[] = [
  ...["sent", "dead", "retrying", "waiting", "scheduled", "cancelled", "in_progress"].map(
    (state) => `outgoing ${state}`,
  ),
  "dead dead",
];

/**
 * The program is run with `fill` to let the library make its tables and a row in each state that it has, a line of JSON each; and with
 * `work` to let its own worker run what is due, a line each.
 */
interface LibraryTests extends LibraryProgram {
  /** With its version. */
  readonly library: string;
  /** The id of the preset that has to know its tables; or of a library that none knows, its table, with the map of its owner or none where a guess has to be enough. */
  readonly preset: string | TableMap;
  /** Every view and state that the library really made: nothing that it said may be left out. */
  readonly made: readonly string[];
  readonly constants?: Readonly<Record<string, string>>;
  /** A statement of the owner, after which rows hold what nobody expects. */
  readonly bad: string;
  /** A statement over a table of theirs that nobody but its owner may run. */
  readonly update: string;
  /** The view and state of the row that is put back, and what its function says; left out where the preset offers none. */
  readonly requeue?: {
    readonly of: string;
    readonly was: string;
    readonly isNow: string;
    /** Its state when the worker ran it, or `gone`. */
    readonly then: string;
  };
  /** The row that is discarded, and how often the library runs it after that: a message never, a key when its client tries again. */
  readonly discard?: { readonly of: string; readonly was: string; readonly runs: 0 | 1 };
}

/** What holds of the tables that a library makes and fills itself. */
export function testLibrary(library: LibraryTests): void {
  const missing = missingOf(library.needs);
  const because = missing.length > 0 ? `${missing.join(" and ")} not on this machine` : library.leftOut;
  describe.skipIf(because !== undefined)(
    `${library.library}${because === undefined ? "" : ` (skipped: ${because})`}`,
    () => {
      let database: ForeignDatabase;
      let filled: readonly Filled[];
      const known = PRESETS.find(({ id }) => id === library.preset);

      beforeAll(async () => {
        library.build();
        database = await createForeignDatabase("select 1");
        filled = linesOf<Filled | Run>(library.run("fill", addressOf(database.ownerUrl))).filter(
          (line) => "id" in line,
        );
      }, BUILD_LIMIT_MS);

      afterAll(() => database.drop());

      test(`its tables are recognised by ${known === undefined ? "none" : "one"} of the presets`, async () => {
        const { recognised, nearMisses } = recognise(PRESETS, await readTables(await database.open()));
        expect(recognised.map((each) => each.preset.id)).toEqual(known === undefined ? [] : [known.id]);
        expect(nearMisses).toEqual([]);
      });

      test("the file installs, and each row is shown in the state that the library left it in", async () => {
        const preset = known ?? mapped(library.preset, await readTables(await database.open()));
        await database.install(preset, { ...constantsOf(preset), ...library.constants });
        const shown = await rowsOf(database, [...new Set(filled.map((row) => row.view))]);
        expect(sorted(shown)).toEqual(sorted(filled));
        expect([...new Set(filled.map(nameOf))].sort()).toEqual([...library.made].sort());
      });

      test("the login of Onceboard may change nothing of it", async () => {
        const foreign = await database.open();
        await expect(foreign.query(library.update)).rejects.toMatchObject({ code: "42501" });
      });

      const { twice, runsOf, stateNow } = actsOf(
        library,
        () => database,
        () => filled,
      );
      const { discard, requeue } = library;
      test.skipIf(discard === undefined)("what is discarded is gone, once, for the library too", async () => {
        const { of, was, runs } = discard ?? { of: "", was: "", runs: 0 };
        const { id, done } = await twice("discard", of);
        expect(done).toEqual([{ id, was, is_now: "gone" }]);
        expect(await stateNow(of, id)).toBe("gone");
        expect(runsOf(id)).toBe(runs);
      });

      test.skipIf(requeue === undefined)("what is put back runs once, by the library itself", async () => {
        const { of, was, isNow, then } = requeue ?? { of: "", was: "", isNow: "", then: "" };
        const { id, done } = await twice("requeue", of);
        expect(done).toEqual([{ id, was, is_now: isNow }]);
        expect(runsOf(id)).toBe(1);
        expect(runsOf(id)).toBe(0);
        expect(await stateNow(of, id)).toBe(then);
      });

      test("rows that nobody expects break no list", async () => {
        const foreign = await database.open();
        const manifest = await readAttachManifest(foreign, ATTACH_SCHEMA);
        const views = ATTACH_VIEWS.filter((view) => manifest?.views[view] !== undefined);
        await database.run(library.bad);
        expect(await rowsOf(database, views)).not.toEqual([]);
      });
    },
  );
}

/** What is done to rows of a library that has been installed, and what becomes of them. */
function actsOf(library: LibraryTests, database: () => ForeignDatabase, filled: () => readonly Filled[]) {
  return {
    /** What two at once did to the row in that state. */
    twice: async (action: "requeue" | "discard", of: string) => {
      // Where both are done there are two such rows.
      const rows = filled().filter((each) => nameOf(each) === of);
      const row = action === "requeue" ? rows[0] : rows.at(-1);
      const foreign = await database().open();
      const act = () => foreign.query(`select * from ${ATTACH_SCHEMA}.${action}($1)`, [row?.id]);
      return { id: row?.id, done: (await Promise.all([act(), act()])).flat() };
    },
    /** How often the library's own worker runs a row now. */
    runsOf: (id: string | undefined): number =>
      linesOf<Run>(library.run("work", addressOf(database().ownerUrl))).filter(({ ran }) => ran === id).length,
    /** @param of view and state that it had */
    stateNow: async (of: string, id: string | undefined): Promise<string> => {
      const foreign = await database().open();
      const [view = ""] = of.split(" ");
      const [now] = await foreign.query<{ state: string }>(`select state from ${ATTACH_SCHEMA}.${view} where id = $1`, [
        id,
      ]);
      return now?.state ?? "gone";
    },
  };
}

/** @throws Error with the reason why a list is not shown */
async function rowsOf(database: ForeignDatabase, views: readonly AttachView[]): Promise<readonly Filled[]> {
  const foreign = await database.open();
  const manifest = await readAttachManifest(foreign, ATTACH_SCHEMA);
  if (manifest === undefined) throw new Error("Nothing is installed.");
  const shown: Filled[] = [];
  for (const view of views) {
    const page = await listRows(foreign, ATTACH_SCHEMA, manifest, view);
    if (!page.shown) throw new Error(page.because);
    shown.push(...page.rows.map(({ state, values }) => ({ id: String(values["id"]), view, state })));
  }
  return shown;
}

/** @throws Error when it names a preset that there is not, or a table that there is not or that nothing is guessed of */
function mapped(given: LibraryTests["preset"], tables: readonly FoundTable[]): Preset {
  if (typeof given === "string") throw new Error(`${given} is no preset.`);
  const found = tables.find((table) => tableName(table) === given.table);
  const isMapped = given.keys !== undefined || given.messages !== undefined;
  const map = isMapped || found === undefined ? given : guessMap(found);
  if (map === undefined) throw new Error(`Nothing is guessed of ${given.table}.`);
  return presetOfMap(map, tables).preset;
}

const nameOf = ({ view, state }: Filled): string => `${view} ${state}`;

const sorted = (rows: readonly Filled[]): readonly string[] =>
  rows.map(({ id, view, state }) => `${view} ${id} ${state}`).sort();
