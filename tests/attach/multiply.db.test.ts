import { afterEach, expect, test } from "vitest";
import { ATTACH_SCHEMA } from "@/attach/contract/columns";
import { PRESETS } from "@/attach/presets";
import type { ForeignDatabase } from "@/attach/testing/foreign-database";
import { constantsOf, createLibraryDatabase, LIBRARIES } from "@/attach/testing/libraries";
import { multiply } from "./multiply";

const ROWS = 200;

let database: ForeignDatabase | undefined;

afterEach(async () => {
  await database?.drop();
  database = undefined;
});

// Numbers that an application gives, times as numbers, identities with a pair that is unique, what a hash piles up, partitions.
test.each([
  ["cap", "outgoing", "sent"],
  ["idempot-js", "keys", "done"],
  ["masstransit", "incoming", "done"],
  ["modulith-v1", "outgoing", "sent"],
  ["pg-boss-11", "outgoing", "sent"],
])("the tables of %s get so many rows, each like one that is finished", async (id, view, finished) => {
  const preset = PRESETS.find((each) => each.id === id);
  const library = LIBRARIES[id];
  if (preset === undefined || library === undefined) throw new Error(`${id} is no preset.`);
  const foreign = (database = await createLibraryDatabase(id));
  await (typeof library.rows === "string" ? foreign.run(library.rows) : library.rows(foreign));
  await foreign.install(preset, constantsOf(preset));
  const counts = () =>
    foreign.run<{ state: string; rows: number }>(
      `select state, count(distinct id)::integer as rows from ${ATTACH_SCHEMA}.${view} group by 1 order by 1`,
    );
  const before = await counts();
  for (const [table, like] of Object.entries(library.long)) {
    await multiply(foreign, table, { rows: ROWS, like, share: 1 });
    expect(await foreign.run(`select count(*)::integer as rows from ${table}`)).toEqual([{ rows: ROWS }]);
  }
  const after = await counts();
  const others = (all: typeof after) => all.filter(({ state }) => state !== finished);
  expect(others(after)).toEqual(others(before));
});
