import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { v7 as uuidv7 } from "uuid";
import { movedTables } from "@/db/move/moved-tables";
import { listTenants, listTenantsAmong, tenantExists } from "@/db/tenants";
import { claim, type ClaimInput } from "@/db/operations/claim";
import { forgetTenant, moveTenant, takeBack } from "@/engine/move/move-tenant";
import { payment, tillOf } from "@/http/testing/till";
import { OTHER_REGION, Callers, HOME_REGION, openRegions, type Regions } from "./regions";

const CALLERS = 8;
/** Each caller was told so often, on both sides of a move. */
const TOLD = 5 * CALLERS;

let regions: Regions;
let callers: Callers;
let moved: ReadonlyMap<string, number> | undefined;
beforeAll(async () => {
  regions = await openRegions();
  const { here, databases, move } = regions;
  callers = new Callers(here, regions.apiKey, CALLERS);
  await vi.waitFor(() => expect(callers.told.length).toBeGreaterThan(TOLD), { timeout: 60_000 });
  // Its process is gone in the middle of a call of its provider.
  expect(await claim(here.db.pool, claimOf("left"))).toMatchObject({ outcome: "claimed", fence: 1 });
  moved = await moveTenant(databases, { ...move, drainMs: 1_000 });
  const before = callers.told.length;
  await vi.waitFor(() => expect(callers.told.length).toBeGreaterThan(before + TOLD), { timeout: 60_000 });
  await callers.stop();
}, 180_000);
afterAll(() => regions.close());

const claimOf = (key: string): ClaimInput => ({
  ...{ tenantId: regions.tenant, key, operation: "payments.create", operationId: uuidv7(), principal: "till" },
  ...{ fingerprint: Buffer.from(key), fingerprintVersion: 1, apiVersion: "2026-01-01", owner: "gone" },
  ...{ accountId: undefined, reference: undefined, amountMinor: 100n, currency: "EUR" },
  ...{ leaseMs: 600_000, ttlSeconds: 3_600, metadataDays: 90, maxAttempts: 3, expired: "reject" },
  ...{ commandSealed: Buffer.from("sealed"), eventId: uuidv7(), requestId: "request-1" },
});

describe("REGION-5 a tenant that was moved under load", () => {
  it("lost no acknowledged payment and made none twice, at the provider and in both databases", async () => {
    const { here, there, tenant, apiKey } = regions;
    for (const host of [here, there]) {
      for (const { key, body, text } of callers.told) {
        const again = await tillOf(host, apiKey).post("/payments", body, { key });
        expect([again.status, again.text, again.headers["idempotent-replayed"]]).toEqual([201, text, "true"]);
      }
    }
    const ids = callers.told.map(({ text }) => (JSON.parse(text) as { paymentId: string }).paymentId).sort();
    const rows = await there.rows<{ id: string }>(
      "select id::text as id from payments.payments where tenant_id = $1 order by 1",
      tenant,
    );
    expect(rows.map(({ id }) => id)).toEqual(ids);
    const charged = (await there.providerLedger()).map(({ providerKey }) => providerKey);
    expect(new Set(charged).size).toBe(charged.length);
    expect(charged.length).toBe(ids.length);
  });

  it("was refused with 421 meanwhile, and nothing else", () => {
    expect(Object.keys(callers.answers).filter((status) => !["201", "421"].includes(status))).toEqual([]);
    expect(regions.lines).toContain("it is closed: both regions refuse what it asks for");
    expect(regions.lines.at(-1)).toBe(`it is open in ${OTHER_REGION}`);
  });

  it("brought the rows of every table", async () => {
    const { here, there, tenant } = regions;
    const tables = await movedTables(here.db.pool, ["payments"]);
    expect([...(moved?.keys() ?? [])].sort()).toEqual(tables.map(({ schema, table }) => `${schema}.${table}`).sort());
    for (const { name, schema, table } of tables) {
      const count = moved?.get(`${schema}.${table}`);
      const [row] = await there.rows<{ n: number }>(
        `select count(*)::int as n from ${name} where tenant_id = $1`,
        tenant,
      );
      expect(row?.n, name).toBeGreaterThanOrEqual(count ?? Number.NaN);
    }
    for (const table of ["idempotency_requests", "idempotency_events", "outbox_messages", "idempotency_bodies"])
      expect(moved?.get(`onceboard.${table}`), table).toBeGreaterThan(0);
  });

  it("is closed where it was: nothing is claimed, received, taken over, audited or finished there", async () => {
    const { here, tenant } = regions;
    const refused = { code: "OB002" };
    expect(await claim(here.db.pool, claimOf("late"))).toMatchObject({ outcome: "wrong_region" });
    await expect(here.rows("select * from onceboard.take_over($1, 'late')", tenant)).rejects.toMatchObject(refused);
    const arrival = "$1, gen_random_uuid(), gen_random_uuid(), 'c', 's', 'm', 't', null, '{}', '\\x00', '{}', 'r'";
    await expect(here.rows(`select * from onceboard.receive(${arrival})`, tenant)).rejects.toMatchObject(refused);
    const entry =
      "$1, gen_random_uuid(), 'system', 'x', 'x', 'outbox.requeue', 'message', 'x', null, null, null, null, 'r'";
    await expect(here.rows(`select onceboard.append_audit(${entry})`, tenant)).rejects.toMatchObject(refused);
    const late =
      "select onceboard.complete($1, operation_id, 1, 'COMPLETED', 201) from onceboard.idempotency_open where tenant_id = $1 and key = 'left'";
    await expect(here.rows(late, tenant)).rejects.toMatchObject({ code: "OB001" });
  });

  it("is in no list of tenants there, and an event for it is told so", async () => {
    const { here, there, tenant } = regions;
    expect(await listTenants(here.db.pool, undefined)).not.toContain(tenant);
    expect(await listTenantsAmong(here.db.pool, undefined)).not.toContain(tenant);
    expect(await tenantExists(here.db.pool, tenant)).toBe(false);
    expect(await listTenants(there.db.pool, OTHER_REGION)).toContain(tenant);
    const path = `/api/v1/events/provider?tenant=${tenant}`;
    const event = { method: "POST", path, headers: [["content-type", "application/json"]], body: "{}" } as const;
    expect((await here.call(event)).status).toBe(421);
  });

  it("goes on where it is: its chain of the audit holds and names the move, whoever was left is taken over, positions grow", async () => {
    const { there, tenant } = regions;
    expect(await there.rows("select broken_at from onceboard.verify_audit($1)", tenant)).toEqual([{ broken_at: null }]);
    expect(
      await there.rows(
        "select action, before, after from onceboard.audit_entries where tenant_id = $1 order by sequence desc limit 1",
        tenant,
      ),
    ).toEqual([{ action: "tenant.moved", before: { home: HOME_REGION }, after: { home: OTHER_REGION } }]);
    const taken = await there.rows<{ key: string; fence: number }>(
      "select key, fence from onceboard.take_over($1, 'new', p_operations => '{payments.create}')",
      tenant,
    );
    expect(taken).toEqual([{ key: "left", fence: 3 }]);
    const [order] = await there.rows<{ grow: boolean }>(
      `select max(position) filter (where created_at < m.at) < min(position) filter (where created_at >= m.at) as grow
       from onceboard.outbox_messages o, (select max(at) as at from onceboard.audit_entries where tenant_id = $1) m where o.tenant_id = $1`,
      tenant,
    );
    expect(order?.grow).toBe(true);
  });

  it("is not moved twice, and moves back with what it has become", async () => {
    const { here, there, databases, move, apiKey, tenant } = regions;
    expect(await moveTenant(databases, move)).toBeUndefined();
    const back = { ...move, from: OTHER_REGION, to: HOME_REGION, drainMs: 1_000 };
    await moveTenant({ source: databases.target, target: databases.source }, back);
    const first = callers.told.at(-1);
    const replay = () => tillOf(here, apiKey).post("/payments", first?.body, { key: first?.key ?? "" });
    await vi.waitFor(async () => expect((await replay()).text).toBe(first?.text), { timeout: 10_000 });
    expect((await tillOf(here, apiKey).post("/payments", payment())).status).toBe(201);
    expect((await tillOf(there, apiKey).post("/payments", payment(), { key: randomUUID() })).status).toBe(421);
    expect(await here.rows("select broken_at from onceboard.verify_audit($1)", tenant)).toEqual([{ broken_at: null }]);
  });
});

describe("REGION-5 a move that is refused or cut off", () => {
  const mine = async () => {
    const other = await openRegions();
    return { ...other, ask: () => tillOf(other.here, other.apiKey).post("/payments", payment()) };
  };

  it("changes nothing where it is refused", async () => {
    const { here, there, databases, move, tenant, ask, close } = await mine();
    const asked = (over: Partial<typeof move>, to = databases) => moveTenant(to, { ...move, ...over });
    await expect(asked({ to: HOME_REGION })).rejects.toThrow("to another region");
    await expect(asked({}, { source: here.db, target: here.db })).rejects.toThrow(
      "Both addresses lead to one database.",
    );
    await expect(asked({ tenant: "nobody" })).rejects.toThrow("There is no tenant nobody.");
    await expect(asked({ from: "us" })).rejects.toThrow(`${tenant} is in local, not in us.`);
    await there.rows("insert into onceboard.migrations (hash, created_at) values ('newer', 1)");
    await expect(asked({})).rejects.toThrow("The two databases are not at one version");
    await there.rows("delete from onceboard.migrations where hash = 'newer'");
    await here.rows("update onceboard.operation_kinds set runs_in = 'service' where name = 'accounts.create'");
    await expect(asked({})).rejects.toThrow("Services in other languages run accounts.create for it");
    expect((await ask()).status).toBe(201);
    await close();
  });

  it("waits for whoever has begun to record something, and brings it", async () => {
    const { here, there, databases, move, tenant, close } = await mine();
    const sender = await here.db.pool.connect();
    await sender.query("begin");
    const arrival = "$1, gen_random_uuid(), gen_random_uuid(), 'c', 's', 'late', 't', null, '{}', '\\x00', '{}', 'r'";
    await sender.query({ text: `select * from onceboard.receive(${arrival})`, values: [tenant] });
    const moving = moveTenant(databases, move);
    const waits = `select a.xact_start::text as since from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where a.datname = current_database() and not l.granted and l.relation = 'onceboard.tenants'::regclass`;
    const since = async (not?: string): Promise<string> =>
      vi.waitFor(
        async () => {
          const [waiting] = await here.rows<{ since: string }>(waits);
          if (waiting === undefined || waiting.since === not) throw new Error("it does not wait");
          return waiting.since;
        },
        { timeout: 30_000 },
      );
    // It lets others by after a while, and tries again.
    await since(await since());
    await sender.query("commit");
    sender.release();
    expect((await moving)?.get("onceboard.inbox_messages")).toBe(1);
    expect(await there.rows("select state from onceboard.inbox_messages where tenant_id = $1", tenant)).toEqual([
      { state: "recorded" },
    ]);
    await close();
  });

  it("brings each value as it is: a JSON null, bytes, arrays, times to the microsecond, days that were not there", async () => {
    const { here, there, databases, move, tenant, ask, close } = await mine();
    expect((await ask()).status).toBe(201);
    const arrival = `$1, gen_random_uuid(), gen_random_uuid(), 'c', 's', E'a\\n"b"\\\\', 't', null, 'null', '\\x00ff', '{"a": null}', 'r'`;
    await here.rows(`select * from onceboard.receive(${arrival})`, tenant);
    await here.rows(
      "insert into onceboard.inbox_batches (tenant_id, processed_at, id, consumer, lags_ms) values ($1, now(), gen_random_uuid(), 'c', '{0.1,1e-7,12345678.9}')",
      tenant,
    );
    await here.rows(
      "create table onceboard.message_attempts_20200101 partition of onceboard.message_attempts for values from ('2020-01-01') to ('2020-01-02')",
    );
    // A process writes down what it answered just before.
    const late = {
      id: uuidv7(),
      operation_id: uuidv7(),
      operation: "payments.create",
      at: new Date(),
      type: "replayed",
    };
    const events = JSON.stringify([{ ...late, tenant_id: tenant, outcome: "replayed", client: "till" }]);
    let written: Promise<unknown> | undefined;
    const say = (line: string): void => {
      if (line.startsWith("it is closed")) written = here.rows("select onceboard.record_events($1)", events);
    };
    await moveTenant(databases, { ...move, say });
    await written;
    expect(await there.rows("select 1 from onceboard.idempotency_events where id = $1", late.id)).toHaveLength(1);
    for (const { name } of await movedTables(here.db.pool, ["payments"])) {
      const content = `select t::text as row from ${name} t where t.tenant_id = $1 order by 1`;
      expect(await there.rows(content, tenant), name).toEqual(await here.rows(content, tenant));
    }
    expect(
      await there.rows(
        "select jsonb_typeof(payload) as payload from onceboard.inbox_messages where tenant_id = $1",
        tenant,
      ),
    ).toEqual([{ payload: "null" }]);
    expect(await there.rows("select to_regclass('onceboard.message_attempts_20200101') is not null as made")).toEqual([
      { made: true },
    ]);
    await close();
  });

  it("goes on, or is taken back, and never leaves the tenant open in two regions", async () => {
    const { here, there, databases, move, tenant, ask, close } = await mine();
    expect((await ask()).status).toBe(201);
    await there.rows(
      `insert into onceboard.settled_doubts (tenant_id, operation_id, operation, since, until) values ($1, gen_random_uuid(), 'x', now(), now())`,
      tenant,
    );
    const foreign = "The other database has rows of";
    await expect(moveTenant(databases, move)).rejects.toThrow(foreign);
    expect((await ask()).status).toBe(421);
    await takeBack(databases, move);
    // A process believes for two seconds what it looked up.
    await vi.waitFor(async () => expect((await ask()).status).toBe(201), { timeout: 10_000 });
    const noted =
      "select after ->> 'home' as home from onceboard.audit_entries where tenant_id = $1 and action = 'tenant.moved' order by sequence";
    expect(await here.rows(noted, tenant)).toEqual([{ home: OTHER_REGION }, { home: HOME_REGION }]);
    await expect(takeBack(databases, move)).rejects.toThrow("is not being moved");
    await expect(moveTenant(databases, move)).rejects.toThrow(foreign);
    await there.rows("delete from onceboard.settled_doubts where tenant_id = $1", tenant);
    expect((await moveTenant(databases, move))?.get("payments.payments")).toBe(2);
    await expect(takeBack(databases, move)).rejects.toThrow("move it back from there");
    await vi.waitFor(async () => expect((await ask()).status).toBe(201), { timeout: 10_000 });
    expect(await here.rows("select count(*)::int as n from payments.payments where tenant_id = $1", tenant)).toEqual([
      { n: 2 },
    ]);
    expect(await there.rows("select count(*)::int as n from payments.payments where tenant_id = $1", tenant)).toEqual([
      { n: 3 },
    ]);
    const backwards = { source: databases.target, target: databases.source };
    await expect(forgetTenant(backwards, { ...move, from: OTHER_REGION, to: HOME_REGION })).rejects.toThrow(
      "was not moved",
    );
    expect(await forgetTenant(databases, move)).toBeGreaterThan(10);
    for (const { name, schema, table } of await movedTables(here.db.pool, ["payments"])) {
      const left = await here.rows(`select 1 from ${name} where tenant_id = $1`, tenant);
      expect(left.length > 0, `${schema}.${table}`).toBe(table === "api_keys" || table === "api_clients");
    }
    expect((await ask()).status).toBe(201);
    await close();
  });
});
