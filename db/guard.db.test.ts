import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type Database } from "./client";
import { databaseErrorCode } from "./errors";
import { guardActive, OWNER_FUNCTIONS, SERVICE_FUNCTIONS, SERVICE_ROLE, TABLE_GRANTS } from "./guard";
import { dropPartitions, ensurePartitions, PARTITION_DAYS_AHEAD, TABLES_BY_DAY } from "./partitions";
import { createTestDatabase, type TestDatabase } from "./testing/test-database";
import { APP_ROLE } from "./roles";

const DENIED = "42501";
const WRITES = ["insert", "update", "delete", "truncate", "references", "trigger"] as const;

interface Table {
  readonly name: string;
  /** The table whose day it is. */
  readonly parent: string | null;
  readonly column: string;
}

let test: TestDatabase;
let app: Database;
let tables: Table[];
beforeAll(async () => {
  test = await createTestDatabase();
  app = createDatabase({ url: test.url, max: 2 });
  tables = await owner<Table>(
    `select c.relname as name, p.relname as parent,
       (select quote_ident(a.attname) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attidentity = '' order by a.attnum limit 1) as column
     from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
     where c.relnamespace = 'onceboard'::regnamespace and c.relkind in ('r', 'p') order by 1`,
  );
});
afterAll(async () => {
  await app.close();
  await test.drop();
});

async function owner<R>(text: string, values: unknown[] = []): Promise<R[]> {
  return (await test.db.pool.query<R & Record<string, unknown>>({ text, values })).rows;
}
/** @returns the code with which the database refuses a statement of the app, or undefined when it does not. */
async function refusal(text: string): Promise<string | undefined> {
  return app.pool.query({ text }).then(
    () => undefined,
    (error: unknown) => databaseErrorCode(error),
  );
}
const undecided = () => tables.filter((table) => table.parent === null && TABLE_GRANTS[table.name] === undefined);
const closed = () => tables.filter((table) => table.parent !== null || (TABLE_GRANTS[table.name] ?? []).length === 0);

/** What no process may write by itself, whatever else is decided. */
const CORE =
  /^(idempotency_.*|provider_requests|outbox_.*|inbox_.*|dead_letters|audit_(?:entries|heads).*|data_keys|operation_policies|migrations|functions_revision)$/;

describe("STATE-4 a write that does not go through a function of the state machine", () => {
  it("is decided for every table there is, and for no other", () => {
    expect(undecided()).toEqual([]);
    const names = new Set(tables.map((table) => table.name));
    expect(Object.keys(TABLE_GRANTS).filter((name) => !names.has(name))).toEqual([]);
    const core = Object.entries(TABLE_GRANTS).filter(([name]) => CORE.test(name));
    expect(core.filter(([, writes]) => writes.length > 0)).toEqual([]);
    expect(core.length).toBeGreaterThan(12);
  });

  it("is refused on every table of the state machine and on every day of it, whatever it is", async () => {
    const tried = closed();
    for (const { name, column } of tried) {
      const statements = [
        `insert into onceboard.${name} default values`,
        `update onceboard.${name} set ${column} = ${column}`,
        `delete from onceboard.${name}`,
        `truncate onceboard.${name}`,
        `alter table onceboard.${name} add column more text`,
        `drop table onceboard.${name}`,
      ];
      for (const statement of statements) expect([statement, await refusal(statement)]).toEqual([statement, DENIED]);
    }
    // The state machine, its evidence and its days: a test that looked at nothing would pass as well.
    expect(tried.length).toBeGreaterThan(20 + TABLES_BY_DAY.length * PARTITION_DAYS_AHEAD);
  });

  it("is allowed on the other tables as decided, and nothing more", async () => {
    for (const { name } of tables.filter((table) => table.parent === null)) {
      const held = await owner<{ right: string }>(
        `select r as right from unnest($2::text[]) r where has_table_privilege($1, 'onceboard.' || $3, r) order by 1`,
        [APP_ROLE, WRITES, name],
      );
      expect([name, held.map((row) => row.right)]).toEqual([name, [...(TABLE_GRANTS[name] ?? [])].sort()]);
    }
    expect(
      await owner(
        "select attrelid::regclass from pg_attribute where attacl is not null and attrelid::regclass::text like 'onceboard.%'",
      ),
    ).toEqual([]);
  });

  it("is refused on a day that was made while the app runs, and the app may have it made and dropped", async () => {
    expect(await ensurePartitions(app.pool, PARTITION_DAYS_AHEAD + 1)).toBe(TABLES_BY_DAY.length);
    const day = new Date(Date.now() + (PARTITION_DAYS_AHEAD + 1) * 86_400_000).toISOString().slice(0, 10);
    for (const table of TABLES_BY_DAY) {
      const part = `onceboard.${table}_${day.replaceAll("-", "")}`;
      expect(await refusal(`delete from ${part}`)).toBe(DENIED);
      expect(await refusal(`select from ${part}`)).toBe(DENIED);
      expect(await refusal(`alter table onceboard.${table} detach partition ${part}`)).toBe(DENIED);
    }
    await owner(
      "create table onceboard.outbox_history_old partition of onceboard.outbox_history for values from ('2001-01-01') to ('2001-01-02')",
    );
    expect(await dropPartitions(app.pool, { table: "outbox_history", before: "2001-02-01" })).toMatchObject([
      { day: "2001-01-01", dropped: true },
    ]);
  });

  it("is refused in the schema itself", async () => {
    expect(await refusal("create table onceboard.mine (id int)")).toBe(DENIED);
    expect(await refusal("create function onceboard.mine() returns int language sql as 'select 1'")).toBe(DENIED);
    expect(await refusal("alter function onceboard.audit_hash security definer")).toBe(DENIED);
    expect(await refusal("select setval('onceboard.outbox_messages_position_seq', 1)")).toBe(DENIED);
  });

  it("is known to be refused: the guard says that it is active", async () => {
    expect(await guardActive(app.pool)).toBe(true);
    expect(await guardActive(test.db.pool)).toBe(false);
  });
});

describe("the functions", () => {
  interface Fn {
    readonly name: string;
    readonly definer: boolean;
    readonly volatile: boolean;
    readonly path: string | null;
    readonly publicly: boolean;
    readonly app: boolean;
    readonly service: boolean;
  }
  const functions = () =>
    owner<Fn>(
      `select p.proname as name, p.prosecdef as definer, p.provolatile = 'v' as volatile,
         (select c from unnest(p.proconfig) c where c like 'search_path=%') as path,
         exists (select 1 from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0) as publicly,
         has_function_privilege($1, p.oid, 'execute') as app, has_function_privilege($2, p.oid, 'execute') as service
       from pg_proc p where p.pronamespace = 'onceboard'::regnamespace order by 1`,
      [APP_ROLE, SERVICE_ROLE],
    );

  it("that write run with their owner's rights and a search path of their own, and nobody else may call them", async () => {
    const all = await functions();
    expect(all.length).toBeGreaterThan(30);
    for (const fn of all) {
      expect(fn).toMatchObject({
        definer: fn.volatile,
        path: fn.volatile ? "search_path=pg_catalog, pg_temp" : null,
        publicly: false,
        app: !OWNER_FUNCTIONS.includes(fn.name),
        service: SERVICE_FUNCTIONS.includes(fn.name),
      });
    }
    const named = [...SERVICE_FUNCTIONS, ...OWNER_FUNCTIONS];
    expect(named.filter((name) => !all.some((fn) => fn.name === name))).toEqual([]);
  });

  it("look nothing up in a search path that the caller made", async () => {
    await owner(`create schema evil; grant usage on schema evil to ${APP_ROLE}`);
    await owner(
      "create function evil.clock_timestamp() returns timestamptz language sql as $$ select '2001-01-01'::timestamptz $$",
    );
    const client = await app.pool.connect();
    try {
      await client.query("set search_path = evil, pg_catalog");
      expect((await client.query("select clock_timestamp()::date::text as day")).rows).toEqual([{ day: "2001-01-01" }]);
      const { rows } = await client.query<{ fresh: boolean }>(
        `select asked_at > now() - interval '1 minute' as fresh from onceboard.claim(p_tenant => 'acme', p_operation => 'o', p_key => 'k',
           p_operation_id => pg_catalog.gen_random_uuid(), p_principal => 'p', p_fingerprint => '\\x00', p_owner => 'me')`,
      );
      expect(rows).toEqual([{ fresh: true }]);
    } finally {
      await client.query("reset search_path");
      client.release();
    }
  });

  it("are all that a service in another language gets: no table, not even to read", async () => {
    const rights = await owner<{ name: string }>(
      `select c.relname as name from pg_class c
       where c.relnamespace = 'onceboard'::regnamespace and c.relkind in ('r', 'p', 'S')
         and (case when c.relkind = 'S' then has_sequence_privilege($1, c.oid, 'usage, select, update')
              else has_table_privilege($1, c.oid, 'select, insert, update, delete, truncate') end)`,
      [SERVICE_ROLE],
    );
    expect(rights).toEqual([]);
  });
});
