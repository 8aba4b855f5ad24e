import { afterEach, describe, expect, test } from "vitest";
import { ATTACH_SCHEMA } from "../contract/columns";
import { attachManifest, manifestOf } from "../contract/manifest";
import { defaultTables, resolveTables } from "../contract/tables";
import { constantLiterals } from "../install/constants";
import { installFile } from "../install/install-sql";
import { readTables } from "../probe/read-tables";
import { recognise } from "../probe/recognise";
import type { ForeignDatabase } from "../testing/foreign-database";
import { constantsOf, createLibraryDatabase, LIBRARIES } from "../testing/libraries";
import { PRESETS } from "./index";

let database: ForeignDatabase | undefined;

afterEach(async () => {
  await database?.drop();
  database = undefined;
});

async function databaseOf(id: string): Promise<ForeignDatabase> {
  database = await createLibraryDatabase(id);
  return database;
}

test("every preset has its library here, and a name of its own", () => {
  expect(PRESETS.map(({ id }) => id)).toEqual(Object.keys(LIBRARIES));
});

describe("the tables of a library are its own and nobody else's", () => {
  test.each(PRESETS)("$id", async ({ id }) => {
    const foreign = await (await databaseOf(id)).open();
    const { recognised, nearMisses } = recognise(PRESETS, await readTables(foreign));
    expect(recognised.map(({ preset }) => preset.id)).toEqual([id]);
    expect(nearMisses).toEqual([]);
  });
});

describe("a file that is printed without a look at the database installs over what the library makes", () => {
  test.each(PRESETS)("$id", async (preset) => {
    const library = await databaseOf(preset.id);
    const file = installFile(preset, {
      schema: ATTACH_SCHEMA,
      role: library.role,
      tables: defaultTables(preset.tables, preset.schema),
      constants: constantsOf(preset),
      acting: true,
    });
    await library.run(file.split(/^-- \d\. Index/m)[0] ?? "");
    const views = await library.run<{ name: string }>(
      "select relname as name from pg_class where relkind = 'v' and relnamespace = 'onceboard_attach'::regnamespace",
    );
    expect(views.length).toBeGreaterThan(0);
    for (const { name } of views) expect(await library.run(`select * from onceboard_attach.${name}`)).toEqual([]);
  });
});

test.each(PRESETS)("what $id says of itself can be read back, and no column is without a word", (preset) => {
  const constants = constantsOf(preset);
  const shape = preset.shape({
    tables: resolveTables(preset.tables, defaultTables(preset.tables, preset.schema)),
    constants: constantLiterals(preset, constants),
  });
  const manifest = manifestOf(preset, shape, constants, true);
  expect(attachManifest.parse(JSON.parse(JSON.stringify(manifest)))).toEqual(manifest);
  const sentences = Object.values(manifest.views)
    .flatMap(({ columns, states }) => [
      ...Object.values(columns).map((column) => {
        if (column.kind === "stored") return "Stored.";
        return column.kind === "derived" ? column.rule : column.reason;
      }),
      ...states.map(({ says }) => says),
    ])
    .concat(Object.values(manifest.actions).map((action) => (action.offered ? "Offered." : action.reason)))
    .concat(preset.notes);
  expect(sentences.filter((sentence) => !/^\S.*\S[.:]?$/.test(sentence) || !sentence.endsWith("."))).toEqual([]);
});
