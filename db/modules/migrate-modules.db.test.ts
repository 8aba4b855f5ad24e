import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { PAYMENTS_TABLES } from "@/tests/support/payment-tables";
import { createDatabase } from "../client";
import { migrate } from "../migrate";
import { readMigrations } from "../migrations/migration-files";
import { runMigrations } from "../migrations/run-migrations";
import { requireSchema } from "../migrations/require-schema";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import type { ModuleTables } from "./module-tables";

let test: TestDatabase;
let directory: string;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "onceboard-module-"));
  return async () => {
    rmSync(directory, { recursive: true });
    await query(
      "select onceboard.withdraw_evidence(owner, holds, relation) from onceboard.evidence_relations where owner = 'orders'",
    );
    await query("drop schema if exists orders cascade");
    await query("delete from onceboard.module_migrations where module = 'orders'");
  };
});

const query = async <R>(text: string, values: unknown[] = []) => (await test.db.pool.query<R>({ text, values })).rows;
const write = (file: string, text: string) => {
  writeFileSync(join(directory, file), text);
};
const orders = (evidence?: ModuleTables["evidence"]): ModuleTables => ({
  name: "orders",
  migrations: { directory: pathToFileURL(`${directory}/`) },
  evidence,
});
const apply = async (module: ModuleTables) => (await migrate(test.ownerUrl, { modules: [module] })).applied;

const TABLE =
  "create table orders (tenant_id text, operation_id uuid, id text, note text, at timestamptz not null default now())";
const VIEW = `create view orders.effects as
  select tenant_id, operation_id, 'order'::text as kind, id, at as created_at from orders.orders`;

describe("the tables of a module", () => {
  it("are made in a schema of its own, each file once, and processes may write them", async () => {
    write("0001_orders.sql", TABLE);
    expect(await apply(orders())).toEqual(["orders/0001_orders"]);
    expect(await apply(orders())).toEqual([]);
    write("0002_more.sql", "alter table orders.orders add column more text; create sequence orders.numbers");
    expect(await apply(orders())).toEqual(["orders/0002_more"]);
    const app = createDatabase({ url: test.url, max: 1 });
    try {
      await app.pool.query({
        text: "insert into orders.orders (id, more) values ('1', nextval('orders.numbers')::text)",
      });
      await app.pool.query({ text: "update orders.orders set note = 'n'; delete from orders.orders" });
      await expect(app.pool.query({ text: "drop table orders.orders" })).rejects.toMatchObject({ code: "42501" });
    } finally {
      await app.close();
    }
  });

  it("stay as they were when a file does not run, and the file is named", async () => {
    write("0001_orders.sql", `${TABLE}; create table orders.orders (id int)`);
    await expect(apply(orders())).rejects.toThrow(
      /^Migration 0001_orders of module orders does not run: .*already exists\.$/,
    );
    expect(await query("select to_regclass('orders.orders') is null as gone")).toEqual([{ gone: true }]);
  });

  it("are refused when a file was changed, is gone, or comes too late", async () => {
    write("0002_orders.sql", TABLE);
    await apply(orders());
    write("0001_early.sql", "select 1");
    await expect(apply(orders())).rejects.toThrow(
      /^Migration 0001_early of module orders comes before 0002_orders, which/,
    );
    rmSync(join(directory, "0001_early.sql"));
    write("0002_orders.sql", `${TABLE};`);
    await expect(apply(orders())).rejects.toThrow(/^Migration 0002_orders of module orders was changed/);
    rmSync(join(directory, "0002_orders.sql"));
    await expect(apply(orders())).rejects.toThrow(
      /^This database has migration 0002_orders of module orders, which is not/,
    );
  });

  it.each(["0001-orders.sql", "orders.sql"])("are refused in a file named %s", async (name) => {
    write(name, "select 1");
    await expect(apply(orders())).rejects.toThrow(/must be named like 0001_what_it_does\.sql/);
  });

  it.each(["onceboard", "public", "pg_orders", "my-orders", ""])(
    "are refused for a module named '%s'",
    async (name) => {
      await expect(apply({ ...orders(), name })).rejects.toThrow(/cannot have tables/);
    },
  );

  it("are needed before a process begins", async () => {
    write("0001_orders.sql", TABLE);
    await expect(requireSchema(test.db.pool, [orders()])).rejects.toThrow(
      /^The tables of module orders are older than this version, which needs 0001_orders: /,
    );
    await apply(orders());
    await requireSchema(test.db.pool, [orders()]);
  });
});

describe("the evidence of a module", () => {
  const shown = () =>
    query("select kind, id, id_as_text, id_as_uuid, status from onceboard.effects where tenant_id = 'acme'");

  it("is read by everybody beside that of others, and no longer when it is not named", async () => {
    write("0001_orders.sql", `${TABLE}; ${VIEW}`);
    await apply(orders({ effects: ["orders.effects"] }));
    await query("insert into orders.orders values ('acme', gen_random_uuid(), 'o-1')");
    expect(await shown()).toEqual([{ kind: "order", id: "o-1", id_as_text: "o-1", id_as_uuid: null, status: null }]);
    await apply(orders());
    expect(await shown()).toEqual([]);
  });

  it("may get other types of its columns once it is withdrawn", async () => {
    write("0001_orders.sql", `${TABLE}; ${VIEW}`);
    const named = orders({ effects: ["orders.effects"] });
    await apply(named);
    write(
      "0002_uuids.sql",
      `select onceboard.withdraw_evidence('orders', 'effects', 'orders.effects'); drop view orders.effects;
       alter table orders.orders alter column id type uuid using id::uuid; ${VIEW}`,
    );
    await apply(named);
    const id = "0199aaaa-0000-7000-8000-000000000001";
    await query("insert into orders.orders values ('acme', gen_random_uuid(), $1)", [id]);
    expect(await shown()).toEqual([{ kind: "order", id, id_as_text: null, id_as_uuid: id, status: null }]);
  });

  it.each([
    ["a column that is missing", "'order'::text as kind", "operation_id is missing"],
    ["a column of another type", "1 as operation_id, 'order'::text as kind", "operation_id is of type integer"],
  ])("is refused with %s", async (_what, columns, reason) => {
    write(
      "0001_orders.sql",
      `${TABLE}; create view orders.effects as
      select tenant_id, id, at as created_at, ${columns} from orders.orders`,
    );
    await expect(apply(orders({ effects: ["orders.effects"] }))).rejects.toThrow(
      `orders.effects does not fit: ${reason}`,
    );
  });

  it("is refused where it is another's, and nobody but the owner of the schema registers it", async () => {
    await expect(
      query("select onceboard.register_evidence('orders', 'entries', 'payments.entries')"),
    ).rejects.toMatchObject({
      code: "42710",
    });
    await expect(
      query("select onceboard.register_evidence('orders', 'rows', 'payments.entries')"),
    ).rejects.toMatchObject({
      code: "22023",
    });
    await expect(query("select onceboard.register_evidence('orders', 'effects', 'orders.none')")).rejects.toMatchObject(
      {
        code: "42P01",
      },
    );
    const app = createDatabase({ url: test.url, max: 1 });
    try {
      const text = "select onceboard.register_evidence('orders', 'entries', 'payments.entries')";
      await expect(app.pool.query({ text })).rejects.toMatchObject({ code: "42501" });
    } finally {
      await app.close();
    }
  });
});

describe("the tables of the example module", () => {
  const NEWER = "0020_evidence_of_modules";

  /** A database as it was before modules had schemas of their own. */
  async function older(fill: string): Promise<void> {
    await query("drop schema onceboard cascade; drop schema payments cascade");
    const files = readMigrations();
    const client = await test.db.pool.connect();
    try {
      await runMigrations(
        client,
        files.slice(
          0,
          files.findIndex(({ tag }) => tag === NEWER),
        ),
      );
      await client.query(fill);
    } finally {
      client.release();
    }
  }
  const where = () =>
    query(
      "select n.nspname as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relname = 'voids'",
    );

  it("keep their rows when a database leaves the schema that they stood in", async () => {
    await older(`insert into onceboard.accounts (tenant_id, id, operation_id, currency, default_currency)
      values ('acme', 'acc_1', gen_random_uuid(), 'EUR', 'EUR')`);
    const { applied } = await migrate(test.ownerUrl, { modules: [PAYMENTS_TABLES] });
    expect(applied).toEqual(expect.arrayContaining([NEWER, "payments/0001_tables", "payments/0002_evidence"]));
    expect(await where()).toEqual([{ schema: "payments" }]);
    expect(await query("select kind, id, account from onceboard.effects")).toEqual([
      { kind: "account", id: "acc_1", account: "acc_1" },
    ]);
    expect(await migrate(test.ownerUrl, { modules: [PAYMENTS_TABLES] })).toEqual({ applied: [] });
  });

  it("are made where they were empty, and are the same as those that were moved", async () => {
    const columns = () =>
      query(`select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
      where table_schema = 'payments' order by 1, 2`);
    const indexes = () =>
      query(
        "select indexname, indexdef from pg_indexes where schemaname = 'payments' and indexname not like '%reference' order by 1",
      );
    const moved = [await columns(), await indexes()];
    await older("select 1");
    await migrate(test.ownerUrl, { modules: [PAYMENTS_TABLES] });
    expect(await where()).toEqual([{ schema: "payments" }]);
    expect([await columns(), await indexes()]).toEqual(moved);
  });

  it("are not there without the module, and nothing is in the views", async () => {
    await older("select 1");
    await migrate(test.ownerUrl);
    expect(await where()).toEqual([]);
    expect(
      await query("select (select count(*) from onceboard.effects) + (select count(*) from onceboard.entries) as rows"),
    ).toEqual([{ rows: 0n }]);
  });
});
