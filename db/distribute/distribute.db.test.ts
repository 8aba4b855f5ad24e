import { randomUUID } from "node:crypto";
import pg from "pg";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAYMENTS_TABLES } from "@/tests/support/payment-tables";
import { createDatabase, type Database } from "../client";
import { guardActive } from "../guard";
import { claimInbox, claimOutbox } from "../messages/claim-messages";
import { migrate } from "../migrate";
import { rollUpRange } from "../metrics/roll-up";
import { claim, claimTogether, type ClaimInput } from "../operations/claim";
import { recordEvents } from "../operations/record-events";
import { purgeMetrics } from "../retention/purge";
import { askServer } from "../testing/ask-server";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import { inTransaction } from "../transaction";

const CITUS = process.env["DATABASE_URL_CITUS"] ?? "";
/** Some hundred tables are made on three nodes, and then distributed. */
const DISTRIBUTING_MS = 180_000;
/** Enough that both workers have some. */
const TENANTS = ["acme", "globex", "initech", "umbrella", "hooli", "stark"];

let test: TestDatabase;
let db: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  db = createDatabase({ url: test.url, max: 4 });
});
afterAll(async () => {
  await db.close();
  await test.drop();
});

const rows = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
  (await test.db.pool.query<Row & object>({ text, values })).rows;

const input = (tenantId: string, key: string = randomUUID()): ClaimInput => ({
  ...{ tenantId, key, operation: "payments.create", operationId: uuidv7(), principal: "till" },
  ...{ fingerprint: Buffer.from(key), fingerprintVersion: 1, apiVersion: "2026-01-01", owner: "test" },
  ...{ accountId: undefined, reference: undefined, amountMinor: 100n, currency: "EUR" },
  ...{ leaseMs: 30_000, ttlSeconds: 3_600, metadataDays: 90, maxAttempts: 3, expired: "reject" },
  ...{ commandSealed: Buffer.from("sealed"), eventId: uuidv7(), requestId: "request-1" },
});

describe.skipIf(CITUS !== "")("migrate --distribute without Citus", () => {
  it("is refused in one sentence, and nothing is changed", async () => {
    await expect(migrate(test.ownerUrl, { distribute: true })).rejects.toThrow(
      "--distribute needs a database with the extension citus (docs/scale/citus.md): this one has none.",
    );
    expect(await guardActive(db.pool)).toBe(true);
  });
});

describe.skipIf(CITUS === "")("a distributed database (DATABASE_URL_CITUS)", () => {
  it("has every table where it was decided, and those of a module by their tenant", async () => {
    const placed = await rows<{ kind: string; tables: bigint; groups: bigint }>(
      `select partmethod::text || repmodel::text as kind, count(*) as tables, count(distinct colocationid) as groups
       from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
       where not c.relispartition and (partmethod = 'h' or repmodel = 't') group by 1 order by 1`,
    );
    expect(placed).toEqual([
      { kind: "hs", tables: expect.any(BigInt) as bigint, groups: 1n },
      { kind: "nt", tables: 3n, groups: 1n },
    ]);
    const payments = await rows(
      `select citus_table_type as type, distribution_column as by from citus_tables where table_name::text like 'payments.%' group by 1, 2`,
    );
    expect(payments).toEqual([{ type: "distributed", by: "tenant_id" }]);
  });

  it("is left as it is by a further migrate, with the option and without", async () => {
    const modules = [PAYMENTS_TABLES];
    expect(await migrate(test.ownerUrl, { modules, distribute: true })).toEqual({ applied: [] });
    expect(await migrate(test.ownerUrl, { modules })).toEqual({ applied: [] });
  });

  it("takes functions that changed to every node", async () => {
    await rows("update onceboard.functions_revision set revision = ''");
    expect(await migrate(test.ownerUrl, { modules: [PAYMENTS_TABLES] })).toEqual({ applied: ["functions"] });
    expect((await claim(db.pool, input("acme"))).outcome).toBe("claimed");
  });

  it("is changed at its coordinator alone", async () => {
    const [worker] = await rows<{ port: number }>(
      "select nodeport as port from pg_dist_node where groupid > 0 limit 1",
    );
    const url = new URL(test.ownerUrl);
    url.port = String(worker?.port);
    await expect(migrate(url.href)).rejects.toThrow("This is a worker of a Citus cluster");
  });

  it("runs a claim on the node that has the tenant, and claims of several tenants in one statement", async () => {
    const client = new pg.Client({ connectionString: test.ownerUrl });
    const notices: string[] = [];
    client.on("notice", ({ message }) => notices.push(message ?? ""));
    await client.connect();
    try {
      await client.query("set client_min_messages = debug1");
      expect((await claim(client, input("acme"))).outcome).toBe("claimed");
    } finally {
      await client.end();
    }
    expect(notices).toContain("pushing down the function call");
    const found = await Promise.all(TENANTS.map((tenant) => claimTogether(db, input(tenant))));
    expect(found.map(({ outcome }) => outcome)).toEqual(TENANTS.map(() => "claimed"));
    const nodes = await rows<{ nodes: bigint }>(
      `select count(distinct s.nodeport) as nodes from unnest($1::text[]) t
       join citus_shards s on s.shardid = get_shard_id_for_distribution_column('onceboard.idempotency_requests', t)`,
      TENANTS,
    );
    expect(nodes).toEqual([{ nodes: 2n }]);
  });

  it("of two that claim one key at once lets one win, in transactions too", async () => {
    const key = randomUUID();
    const found = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? claim(db.pool, input("acme", key)) : inTransaction(db, (tx) => claim(tx, input("acme", key))),
      ),
    );
    expect(found.filter(({ outcome }) => outcome === "claimed")).toHaveLength(1);
    expect(new Set(found.map(({ operation_id }) => operation_id)).size).toBe(1);
  });

  it("undoes a claim with the transaction that it is in", async () => {
    const undone = input("acme");
    const failure = inTransaction(db, async (tx) => {
      await claim(tx, undone);
      throw new Error("undone");
    });
    await expect(failure).rejects.toThrow("undone");
    expect((await claim(db.pool, undone)).outcome).toBe("claimed");
  });

  it("takes and deletes rows of one tenant alone, where a place in a table names a row of every shard", async () => {
    for (const tenant of TENANTS) {
      await rows(
        `insert into onceboard.outbox_messages (tenant_id, id, aggregate_type, aggregate_id, topic, type, payload, created_at, next_attempt_at)
         select $1, gen_random_uuid(), 'payment', 'p' || n, 'payments', 't', '{}', now(), now() from generate_series(1, 5) n`,
        tenant,
      );
      await rows(
        `insert into onceboard.inbox_open (tenant_id, id, consumer, received_at, next_attempt_at)
         select $1, gen_random_uuid(), 'c', now(), now() from generate_series(1, 5) n`,
        tenant,
      );
      await rows(
        `insert into onceboard.metric_gauges (tenant_id, name, bucket, value) select $1, 'g' || n, now() - interval '90 days', 1 from generate_series(1, 5) n`,
        tenant,
      );
    }
    const lease = { leaseMs: 30_000, limit: 3, owner: "relay" };
    expect(await claimOutbox(db.pool, { tenantId: "acme", topic: "payments", ...lease })).toHaveLength(3);
    await claimInbox(db.pool, { tenantId: "acme", alone: false, ...lease });
    await purgeMetrics(db.pool, "acme", 30, 1_000);
    const touched = await rows(
      `select tenant_id, count(*) from onceboard.outbox_messages where owner is not null group by 1
       union all select tenant_id, count(*) from onceboard.inbox_open where owner is not null group by 1`,
    );
    expect(touched).toEqual([
      { tenant_id: "acme", count: 3n },
      { tenant_id: "acme", count: 3n },
    ]);
    const kept = await rows("select tenant_id, count(*) from onceboard.metric_gauges group by 1 order by 1");
    expect(kept).toEqual(
      TENANTS.filter((tenant) => tenant !== "acme")
        .toSorted()
        .map((tenant_id) => ({ tenant_id, count: 5n })),
    );
  });

  it("adds up a minute of one tenant from its events", async () => {
    for (const [count, tenant] of TENANTS.entries()) {
      const made = await claim(db.pool, input(tenant));
      const at = new Date(Date.now() - 5 * 60_000).toISOString();
      await recordEvents(
        db.pool,
        Array.from({ length: count + 1 }, () => ({
          ...{ tenantId: tenant, id: uuidv7(), operationId: made.operation_id, operation: "payments.create", at },
          ...{ type: "answered", outcome: "replayed", client: "till" },
        })),
      );
      const [from, to] = [new Date(Date.now() - 20 * 60_000), new Date()].map((time) => {
        time.setUTCSeconds(0, 0);
        return time;
      });
      await rollUpRange(db.pool, {
        tenantId: tenant,
        from: from ?? new Date(),
        to: to ?? new Date(),
        settleSeconds: 5,
      });
    }
    const added = await rows<{ tenant_id: string; count: number }>(
      "select tenant_id, sum(count)::int as count from onceboard.metric_minutes where outcome = 'replayed' group by 1",
    );
    expect(Object.fromEntries(added.map((row) => [row.tenant_id, row.count]))).toEqual(
      Object.fromEntries(TENANTS.map((tenant, count) => [tenant, count + 1])),
    );
  });

  it("has no guard, and says so", async () => {
    expect(await guardActive(db.pool)).toBe(false);
  });
});

describe.skipIf(CITUS === "")("a database of Citus that is distributed later (DATABASE_URL_CITUS)", () => {
  it("keeps its rows", { timeout: DISTRIBUTING_MS }, async () => {
    const [{ name } = { name: "" }] = await rows<{ name: string }>("select current_database() || '_later' as name");
    const nodes = await rows<{ port: number }>("select nodeport as port from pg_dist_node order by groupid desc");
    const on = (port: number, database: string): string => {
      const url = new URL(test.ownerUrl);
      [url.port, url.pathname] = [String(port), `/${database}`];
      return url.href;
    };
    const coordinator = nodes.at(-1)?.port ?? 0;
    try {
      for (const { port } of nodes) {
        await askServer(on(port, "postgres"), `create database ${name}`);
        await askServer(on(port, name), "create extension citus");
      }
      const url = on(coordinator, name);
      await askServer(url, "select citus_set_coordinator_host($1, $2)", [new URL(url).hostname, coordinator]);
      for (const { port } of nodes.slice(0, -1))
        await askServer(url, "select citus_add_node($1, $2)", [new URL(url).hostname, port]);
      await askServer(url, `alter database ${name} set citus.shard_count = 4`);
      await migrate(url, { modules: [PAYMENTS_TABLES] });
      await askServer(url, "insert into onceboard.tenants (id, name) values ('acme', 'Acme')");
      const before = createDatabase({ url, max: 1 });
      const kept = input("acme");
      await claim(before.pool, kept);
      await before.close();
      const { applied } = await migrate(url, { modules: [PAYMENTS_TABLES], distribute: true });
      expect(applied).toEqual(["distributed tables", "functions"]);
      const after = createDatabase({ url, max: 1 });
      const again = await claim(after.pool, { ...kept, operationId: uuidv7() });
      await after.close();
      expect(again).toMatchObject({ outcome: "in_progress", operation_id: kept.operationId });
    } finally {
      for (const { port } of nodes)
        await askServer(on(port, "postgres"), `drop database if exists ${name} with (force)`);
    }
  });
});
