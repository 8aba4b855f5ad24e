import { afterEach, describe, expect, test } from "vitest";
import { ATTACH_SCHEMA } from "../contract/columns";
import { attachManifest, manifestOf } from "../contract/manifest";
import type { Preset } from "../contract/preset";
import { defaultTables, resolveTables } from "../contract/tables";
import { constantLiterals } from "../install/constants";
import { installFile } from "../install/install-sql";
import { readTables } from "../probe/read-tables";
import { recognise } from "../probe/recognise";
import { createForeignDatabase, type ForeignDatabase } from "../testing/foreign-database";
import { BRANDUR_TABLES } from "./brandur/fixtures";
import { CAP_TABLES } from "./cap/fixtures";
import { DEBEZIUM_TABLES } from "./debezium/fixtures";
import { DJANGO_OUTBOX_TABLES } from "./django-outbox-pattern/fixtures";
import { startGraphileWorker } from "./graphile-worker/fixtures";
import { IDEMPOT_TABLES } from "./idempot-js/fixtures";
import { PRESETS } from "./index";
import { MASSTRANSIT_TABLES } from "./masstransit/fixtures";
import { modulithV1Table, modulithV2Table } from "./modulith-v1/fixtures";
import { NESTARC_TABLES } from "./nestarc-idempotency/fixtures";
import { NODE_IDEMPOTENCY_TABLES } from "./node-idempotency/fixtures";
import { OAGUDO_OUTBOX_TABLES } from "./oagudo-outbox/fixtures";
import { OBAN_TABLES } from "./oban/fixtures";
import { startPgBoss } from "./pg-boss-10/fixtures";
import { PG_BOSS_11_TABLES } from "./pg-boss-11/fixtures";
import { PG_TRANSACTIONAL_OUTBOX_TABLES } from "./pg-transactional-outbox/fixtures";
import { RAILS_OUTBOX_TABLES } from "./rails-transactional-outbox/fixtures";
import { RIVER_TABLES } from "./river/fixtures";
import { WOLVERINE_TABLES } from "./wolverine/fixtures";

/** The tables of each library: as its own SQL makes them, or as it makes them itself. */
const LIBRARIES: Readonly<Record<string, string | ((database: ForeignDatabase) => Promise<unknown>)>> = {
  brandur: BRANDUR_TABLES,
  cap: CAP_TABLES,
  debezium: DEBEZIUM_TABLES,
  "django-outbox-pattern": DJANGO_OUTBOX_TABLES,
  "graphile-worker": async (database) => (await startGraphileWorker(database)).release(),
  "idempot-js": IDEMPOT_TABLES,
  masstransit: MASSTRANSIT_TABLES,
  "modulith-v1": modulithV1Table("event_publication"),
  "modulith-v2": modulithV2Table("event_publication"),
  "nestarc-idempotency": NESTARC_TABLES,
  "node-idempotency": NODE_IDEMPOTENCY_TABLES,
  "oagudo-outbox": OAGUDO_OUTBOX_TABLES,
  oban: OBAN_TABLES,
  "pg-boss-10": async (database) => (await startPgBoss(database)).stop(),
  "pg-boss-11": PG_BOSS_11_TABLES,
  "pg-transactional-outbox": PG_TRANSACTIONAL_OUTBOX_TABLES,
  "rails-transactional-outbox": RAILS_OUTBOX_TABLES,
  river: RIVER_TABLES,
  wolverine: WOLVERINE_TABLES,
};
const GIVEN = { integer: "10", zone: "UTC", interval: "1 hour", boolean: "true" } as const;

const constantsOf = (preset: Preset): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(preset.constants).map(([name, constant]) => [name, constant.default ?? GIVEN[constant.kind]]),
  );

let database: ForeignDatabase | undefined;

afterEach(async () => {
  await database?.drop();
  database = undefined;
});

async function databaseOf(id: string): Promise<ForeignDatabase> {
  const library = LIBRARIES[id] ?? "";
  database = await createForeignDatabase(typeof library === "string" ? library : "select 1");
  if (typeof library !== "string") await library(database);
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
