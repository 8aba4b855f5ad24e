import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Preset } from "../contract/preset";
import type { FoundTable } from "../contract/tables";
import { readTables } from "../probe/read-tables";
import { createForeignDatabase, type ForeignDatabase } from "../testing/foreign-database";
import { testKeys } from "../testing/key-tests";
import { KEY_SHAPES, type KeyShape } from "./fixtures";
import { mappedKeysPreset } from "./mapped-keys";
import { suggestKeyMap } from "./suggest-key-map";

const SCHEMA = "onceboard_attach";

/** The table of a shape, as the probe reads it, and the preset of the map that is guessed for it. */
async function probed(database: ForeignDatabase, table: string): Promise<{ found: FoundTable; preset: Preset }> {
  const tables = await readTables(await database.open());
  const found = tables.find(({ schema, name }) => [`${schema}.${name}`, `${schema}."${name}"`].includes(table));
  if (found === undefined) throw new Error(`There is no ${table}.`);
  const suggested = suggestKeyMap(found);
  if (suggested === undefined) throw new Error(`${table} is not taken for a table of keys.`);
  return { found, preset: mappedKeysPreset(suggested.map, found) };
}

describe.each(KEY_SHAPES)("$title", (shape: KeyShape) => {
  let database: ForeignDatabase;
  let preset: Preset;
  let found: FoundTable;

  beforeAll(async () => {
    database = await createForeignDatabase(shape.ddl);
    ({ found, preset } = await probed(database, shape.table));
    await database.install(preset, shape.constants);
  });

  afterAll(() => database.drop());

  test("the map is guessed from names and types, with a sentence why", () => {
    const suggested = suggestKeyMap(found);
    expect(suggested?.map).toMatchObject(shape.guessed);
    expect(suggested?.because).toMatch(/^public\.\w+ has .+; .+\.$/);
  });

  test("what is offered is what the columns allow", async () => {
    const foreign = await database.open();
    const rows = await foreign.query<{ comment: string }>(
      `select obj_description('${SCHEMA}'::regnamespace, 'pg_namespace') as comment`,
    );
    const { actions } = JSON.parse(rows[0]?.comment ?? "") as { actions: Record<string, { offered: boolean }> };
    const offered = Object.entries(actions).flatMap(([name, action]) => (action.offered ? [name] : []));
    const { requeue, purge } = shape.acts;
    expect(offered).toEqual([...(requeue ? ["requeue"] : []), "discard", ...(purge ? ["purge"] : [])]);
  });

  testKeys({
    ...shape,
    preset: () => preset,
    database: () => database,
  });

  if (shape.acts.purge)
    test("purging deletes keys whose time is over, and no other", async () => {
      const foreign = await database.open();
      const before = await foreign.query<{ id: string }>(`select id from ${SCHEMA}.keys where state = 'expired'`);
      expect(await foreign.query(`select * from ${SCHEMA}.purge('-infinity', 500)`)).toEqual([]);
      expect(await foreign.query(`select id, is_now from ${SCHEMA}.purge('infinity', 500)`)).toEqual(
        before.map(({ id }) => ({ id, is_now: "gone" })),
      );
      expect(before).toHaveLength(1);
    });
});

describe("a lock with a beginning", () => {
  let database: ForeignDatabase;

  beforeAll(async () => {
    const [shape] = KEY_SHAPES;
    database = await createForeignDatabase(shape?.ddl ?? "");
    const { preset } = await probed(database, shape?.table ?? "");
    await database.install(preset, { stale_after: "15 minutes" });
  });

  afterAll(() => database.drop());

  test("is freed once when it was left behind, and nothing but it changes", async () => {
    const [one, other] = await Promise.all([database.open(), database.open()]);
    const [before] = await database.run("select * from idempotency_keys where id = 2");
    const both = await Promise.all(
      [one, other].map((foreign) => foreign.query(`select * from ${SCHEMA}.requeue('key:2')`)),
    );
    expect(both.flat()).toEqual([{ id: "key:2", was: "in_progress", is_now: "in_progress" }]);
    expect(await database.run("select * from idempotency_keys where id = 2")).toEqual([{ ...before, locked_at: null }]);
  });

  test.each(["key:1", "key:3", "key:4", "key:5", "key:6", "key:7", "key:x"])("of %s is not freed", async (id) => {
    const foreign = await database.open();
    const before = await database.run("select * from idempotency_keys order by id");
    expect(await foreign.query(`select * from ${SCHEMA}.requeue($1)`, [id])).toEqual([]);
    expect(await database.run("select * from idempotency_keys order by id")).toEqual(before);
  });

  test("all that has a column is shown", async () => {
    const foreign = await database.open();
    const [row] = await foreign.query<Record<string, unknown>>(
      `select *, locked_until - interval '14 minutes' between now() - interval '1 minute' and now() + interval '1 minute' as ends
         from ${SCHEMA}.keys where id = 'key:1'`,
    );
    expect(row).toMatchObject({
      ...{ source: "mapped-keys", key: "k-1", scope: "orders.create", fingerprint: "h", raw_state: "processing" },
      ...{ locked_by: "web-1", attempts: 1, has_response: false, http_status: null, key_is_hashed: false, ends: true },
    });
    const [payload] = await foreign.query<{ body: Buffer }>(`select * from ${SCHEMA}.payload('key:3')`);
    expect(JSON.parse(payload?.body.toString("utf8") ?? "")).toEqual({ id: 1 });
  });
});

describe("a table that is not what its map takes it for", () => {
  let database: ForeignDatabase;

  beforeAll(async () => {
    database = await createForeignDatabase(
      `create table public.idempotency_keys (key text not null, account text, response_status bigint, response text, created_at bigint, expires_at timestamptz, locked_until timestamptz, status text);
       insert into public.idempotency_keys values ('twice', 'a', 200, '', 0, now() + interval '1 day', null, 'done'), ('twice', 'b', 200, '', 0, now() + interval '1 day', null, 'done'),
         ('bad', null, 9223372036854775807, repeat('x', 10000000), -9223372036854775808, 'infinity', '-infinity', 'done'),
         ('late', null, -1, null, 9223372036854775807, '294276-12-31 23:59:59Z', '294276-12-31 23:59:59Z', 'pending'),
         ('seconds', null, 200, '', 1772366400, null, now() - interval '1 second', 'pending'), ('millis', null, 200, '', 1772366400000, null, now() + interval '1 hour', 'pending')`,
    );
    const { preset } = await probed(database, "public.idempotency_keys");
    await database.install(preset, { stale_after: "15 minutes" });
  });

  afterAll(() => database.drop());

  test("a name that two rows have forgets neither", async () => {
    const foreign = await database.open();
    expect(await foreign.query(`select * from ${SCHEMA}.discard('key:twice')`)).toEqual([]);
    expect(await database.run("select 1 from idempotency_keys where key = 'twice'")).toHaveLength(2);
  });

  test("numbers and times that are none break no list", async () => {
    const foreign = await database.open();
    const rows = await foreign.query<{ id: string; created_at: Date | null }>(
      `select id, http_status, created_at from ${SCHEMA}.keys order by order_1, order_2`,
    );
    expect(rows.map(({ id }) => id)).toEqual([
      "key:bad",
      "key:twice",
      "key:twice",
      "key:seconds",
      "key:millis",
      "key:late",
    ]);
    expect([rows[3], rows[4]].map((row) => row?.created_at?.toISOString())).toEqual([
      "2026-03-01T12:00:00.000Z",
      "2026-03-01T12:00:00.000Z",
    ]);
    expect(rows[0]).toMatchObject({ http_status: null, created_at: null });
  });

  test("a lock with an end is not freed, and its key is forgotten when the end is past", async () => {
    const foreign = await database.open();
    await expect(foreign.query(`select * from ${SCHEMA}.requeue('key:seconds')`)).rejects.toMatchObject({
      code: "42883",
    });
    expect(await foreign.query(`select * from ${SCHEMA}.discard('key:millis')`)).toEqual([]);
    expect(await foreign.query(`select * from ${SCHEMA}.discard('key:seconds')`)).toHaveLength(1);
  });
});
