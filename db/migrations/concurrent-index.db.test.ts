import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { migrate } from "../migrate";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import { readConcurrent } from "./concurrent-index";
import { partOf, readMigrations, type MigrationFile } from "./migration-files";

let test: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  test = await createTestDatabase();
  client = new pg.Client({ connectionString: test.ownerUrl });
  await client.connect();
});
beforeEach(async () => {
  await client.query("delete from onceboard.migrations where hash like 'test-%'");
  await client.query("delete from onceboard.migration_progress");
});
afterAll(async () => {
  await client.end();
  await test.drop();
});

const MARK = "-- onceboard: concurrently\n";

function migration(tag: string, ...texts: readonly string[]): MigrationFile[] {
  const known = readMigrations();
  const when = (known.at(-1)?.when ?? 0n) + 1n;
  return [...known, { tag, when, hash: `test-${tag}`, parts: texts.map(partOf) }];
}

async function indexes(table: string): Promise<{ name: string; valid: boolean }[]> {
  const { rows } = await client.query<{ name: string; valid: boolean }>(
    `select c.relname as name, indisvalid as valid from pg_index x join pg_class c on c.oid = x.indexrelid
     where indrelid = $1::regclass order by 1`,
    [`onceboard.${table}`],
  );
  return rows;
}

describe("RUN-3 a migration with parts that run concurrently", () => {
  it("runs them outside a transaction, and the rest of the file in transactions", async () => {
    const files = migration(
      "mixed",
      "create table onceboard.big (id int, name text)",
      `${MARK}CREATE UNIQUE INDEX CONCURRENTLY "big_id" ON "onceboard"."big" USING btree ("id") WHERE id > 0;`,
      "alter table onceboard.big add column more text",
    );
    expect((await migrate(test.ownerUrl, { migrations: files })).applied).toEqual(["mixed"]);
    expect(await indexes("big")).toEqual([{ name: "big_id", valid: true }]);
    expect((await migrate(test.ownerUrl, { migrations: files })).applied).toEqual([]);
    await client.query("drop table onceboard.big");
  });

  it("goes on where it failed, and makes an index anew that was left invalid", async () => {
    const files = migration(
      "resumed",
      "create table onceboard.big as select 1 as id from generate_series(1, 2)",
      `${MARK}create unique index concurrently big_id on onceboard.big (id)`,
    );
    await expect(migrate(test.ownerUrl, { migrations: files })).rejects.toThrow(
      /could not create unique index "big_id"/,
    );
    expect(await indexes("big")).toEqual([{ name: "big_id", valid: false }]);
    await client.query("update onceboard.big set id = 2 where ctid = '(0,1)'");
    expect((await migrate(test.ownerUrl, { migrations: files })).applied).toEqual(["resumed"]);
    expect(await indexes("big")).toEqual([{ name: "big_id", valid: true }]);
    await client.query("drop table onceboard.big");
  });

  it("is not stopped by another process that waits to migrate", async () => {
    const files = migration("waited", `${MARK}create index concurrently tenants_name on onceboard.tenants (name)`);
    const results = await Promise.all([
      migrate(test.ownerUrl, { migrations: files }),
      migrate(test.ownerUrl, { migrations: files }),
      migrate(test.ownerUrl, { migrations: files }),
    ]);
    expect(results.flatMap(({ applied }) => applied)).toEqual(["waited"]);
  });

  it("builds the index of a table that is partitioned by day on each day, and new days have it", async () => {
    const files = migration(
      "daily",
      `${MARK}create index concurrently bodies_kind on onceboard.idempotency_bodies (tenant_id, kind)`,
    );
    await migrate(test.ownerUrl, { migrations: files });
    expect(await indexes("idempotency_bodies")).toContainEqual({ name: "bodies_kind", valid: true });
    const { rows } = await client.query<{ days: number; built: number }>(
      `select (select count(*) from pg_inherits where inhparent = 'onceboard.idempotency_bodies'::regclass)::int as days,
              (select count(*) from pg_inherits where inhparent = 'onceboard.bodies_kind'::regclass)::int as built`,
    );
    expect(rows[0]?.days).toBeGreaterThan(7);
    expect(rows[0]?.built).toBe(rows[0]?.days);
    const dropped = migration("gone", `${MARK}drop index concurrently if exists onceboard.tenants_name`);
    await client.query("delete from onceboard.migrations where hash like 'test-%'");
    await migrate(test.ownerUrl, { migrations: dropped });
    expect(await indexes("tenants")).not.toContainEqual({ name: "tenants_name", valid: true });
  });

  it("holds one statement of a known form, and nothing else", () => {
    for (const text of [
      "create index big_id on onceboard.big (id)",
      "create index concurrently big_id on onceboard.big (id); drop table onceboard.big",
      "create index concurrently big_id on other.big (id)",
      "vacuum",
    ])
      expect(() => readConcurrent(text)).toThrow(/holds one CREATE INDEX CONCURRENTLY/);
  });
});

describe("a migration that waits for a table", () => {
  it("gives up after a while, changes nothing and says what to do", async () => {
    await client.query("begin; lock table onceboard.deploys in access share mode");
    const files = migration("blocked", "alter table onceboard.deploys add column more text");
    await expect(migrate(test.ownerUrl, { migrations: files })).rejects.toThrow(
      /^Migration blocked waited 3 s for a table that others use, and changed nothing: run it again/,
    );
    await client.query("rollback");
    expect((await migrate(test.ownerUrl, { migrations: files })).applied).toEqual(["blocked"]);
  });
});
