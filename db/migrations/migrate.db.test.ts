import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { applyFunctions, readFunctions, type FunctionFile } from "../apply-functions";
import { migrate } from "../migrate";
import { readMigrations } from "./migration-files";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const query = async <R>(text: string, values: unknown[] = []) => (await test.db.pool.query<R>({ text, values })).rows;

describe("migrate", () => {
  it("does nothing to a database that is up to date", async () => {
    expect(await migrate(test.ownerUrl)).toEqual({ applied: [] });
  });

  it("brings an empty database up once, however many processes start together", async () => {
    await query("drop schema onceboard cascade");
    const results = await Promise.all([migrate(test.ownerUrl), migrate(test.ownerUrl), migrate(test.ownerUrl)]);
    const applied = results.map((result) => result.applied).filter((tags) => tags.length > 0);
    expect(applied).toHaveLength(1);
    expect(applied[0]).toEqual(expect.arrayContaining(["0000_foundation", "functions"]));
    expect(await query("select count(*)::int as count from onceboard.migrations")).toEqual([
      { count: readMigrations().length },
    ]);
  });

  it("refuses a database of a newer version, and a migration that was changed", async () => {
    await query("insert into onceboard.migrations (hash, created_at) values ('x', 9999999999999)");
    await expect(migrate(test.ownerUrl)).rejects.toThrow(/migrated by a newer version/);
    await query("delete from onceboard.migrations where hash = 'x'");
    const [row] = await query<{ hash: string }>("select hash from onceboard.migrations order by id limit 1");
    await query("update onceboard.migrations set hash = 'y' where hash = $1", [row?.hash]);
    await expect(migrate(test.ownerUrl)).rejects.toThrow(/0000_foundation was changed/);
    await query("update onceboard.migrations set hash = $1 where hash = 'y'", [row?.hash]);
  });
});

describe("functions", () => {
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: test.ownerUrl });
    await client.connect();
  });
  beforeEach(() => client.query("update onceboard.functions_revision set revision = ''"));
  afterAll(() => client.end());

  const file = (name: string, signature: string, body: string): FunctionFile => ({
    file: `${name}.sql`,
    name,
    text: `create or replace function onceboard.${name}${signature} language plpgsql as $$ begin ${body} end $$;`,
  });
  const signatures = async () =>
    (
      await query<{ signature: string }>(
        `select p.oid::regprocedure || ' ' || pg_get_function_result(p.oid) as signature from pg_proc p
         where pronamespace = 'onceboard'::regnamespace order by 1`,
      )
    ).map((row) => row.signature);

  it("are replaced, also when the result or the arguments change, and dropped when their file is gone", async () => {
    await applyFunctions(client, [
      file("one", "(a int) returns int", "return a;"),
      file("two", "() returns int", "return 2;"),
    ]);
    expect(await signatures()).toEqual(["onceboard.one(integer) integer", "onceboard.two() integer"]);
    await applyFunctions(client, [file("one", "(a int) returns text", "return a::text;")]);
    expect(await signatures()).toEqual(["onceboard.one(integer) text"]);
    await applyFunctions(client, [file("one", "(a int, b int) returns text", "return a::text;")]);
    expect(await signatures()).toEqual(["onceboard.one(integer,integer) text"]);
  });

  it("are left alone when the revision is the same", async () => {
    const files = [file("one", "() returns int", "return 1;")];
    expect([await applyFunctions(client, files), await applyFunctions(client, files)]).toEqual([true, false]);
  });

  it("all stay as they were when one does not compile, and the file is named", async () => {
    const good = [file("one", "() returns int", "return 1;")];
    await applyFunctions(client, good);
    const bad = [file("one", "() returns text", "return 'x';"), file("two", "() returns int", "retrun 1;")];
    await expect(applyFunctions(client, bad)).rejects.toThrow(/two\.sql/);
    expect(await signatures()).toEqual(["onceboard.one() integer"]);
  });

  it("may name each other in any order", async () => {
    const sql = (name: string, body: string): FunctionFile => ({
      file: `${name}.sql`,
      name,
      text: `create or replace function onceboard.${name}() returns int language sql as $$ ${body} $$;`,
    });
    await applyFunctions(client, [sql("first", "select onceboard.second()"), sql("second", "select 2")]);
    expect(await query("select onceboard.first() as answer")).toEqual([{ answer: 2 }]);
  });

  it("come one in each file", () => {
    for (const { file: name, name: fn } of readFunctions()) expect(name).toBe(`${fn}.sql`);
  });
});
