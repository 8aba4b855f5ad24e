import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { execute } from "@/engine/execute/execute";
import { operationStatus } from "@/db/operations/operation-facts";
import { purgeRequests } from "@/db/retention/purge";
import { expireRequests } from "@/db/operations/transitions";
import { takeOver } from "@/db/operations/take-over";
import { claim } from "@/db/operations/claim";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

/**
 * At the very instant at which a window ends, everybody agrees that it is over. The database's clock is stopped: in this
 * database `clock_timestamp()` is a function that gives one fixed instant.
 */
const INSTANT = "2030-06-15 12:00:00.123456+00";
let env: TestEnvironment;

beforeAll(async () => {
  env = await createTestEnvironment();
  for (const statement of [
    "create schema stopped",
    `create function stopped.clock_timestamp() returns timestamptz language sql stable as $$ select timestamptz '${INSTANT}' $$`,
    `create function stopped.now() returns timestamptz language sql stable as $$ select timestamptz '${INSTANT}' $$`,
    "grant usage on schema stopped to public",
    "do $$ begin execute format('alter database %I set search_path = stopped, pg_catalog', current_database()); end $$",
    // Named before pg_catalog, ours is found first.
    `do $$ declare f record; begin
       for f in select p.oid::regprocedure as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'onceboard'
       loop execute format('alter function %s set search_path = stopped, pg_catalog', f.name); end loop; end $$`,
    ...["idempotency_bodies", "idempotency_events"].map(
      (table) =>
        `create table onceboard.${table}_2030 partition of onceboard.${table} for values from ('2030-06-01') to ('2030-07-01')`,
    ),
  ])
    await env.rows(statement);
});
afterAll(() => env.close());

const at = (offsetMicros: number) => `timestamptz '${INSTANT}' + interval '${String(offsetMicros)} microseconds'`;
const command = (reference: string) => ({
  accountId: "acc_1",
  amountMinor: 1_000n,
  currency: "EUR",
  merchantReference: reference,
  channel: "web",
});
const pay = (key: string) =>
  execute(env.context(), env.operations.createPayment, {
    key,
    command: command(key),
    receivedAt: performance.now(),
  });
const CASES = [
  ["one microsecond before", 1, false],
  ["exactly at", 0, true],
  ["one microsecond after", -1, true],
] as const;

describe.each(CASES)("KEY-13 %s the end", (_when, left, over) => {
  it("of the window: claim, sweep and page say the same", async () => {
    const key = `window-${String(left)}`;
    expect((await pay(key)).outcome).toBe("executed");
    await env.rows(`update onceboard.idempotency_requests set expires_at = ${at(left)} where key = $1`, key);
    const answer = await pay(key);
    expect(answer.outcome).toBe(over ? "expired" : "replayed");
    const id = "operation" in answer ? (answer.operation?.operationId ?? "") : "";
    expect((await operationStatus(env.db.pool, "acme", id))?.expired).toBe(over);
    expect(await expireRequests(env.db.pool, "acme", 100)).toBe(over ? 1 : 0);
  });

  it("of the metadata: the sweep takes it from that instant on", async () => {
    const key = `metadata-${String(left)}`;
    await pay(key);
    await env.rows(
      `update onceboard.idempotency_requests set state = 'EXPIRED', expires_at = ${at(-9)}, purge_after = ${at(left)}, body_purged_at = ${at(-9)} where key = $1`,
      key,
    );
    await env.rows("delete from onceboard.outbox_messages");
    expect(await purgeRequests(env.db.pool, "acme", 100)).toBe(over ? 1 : 0);
    await env.rows("delete from onceboard.idempotency_requests where key = $1", key);
  });

  it("of a lease: the retry and recovery say the same, and the owner may send until then only", async () => {
    const key = `lease-${String(left)}`;
    const first = await claim(env.db.pool, {
      tenantId: "acme",
      operation: "payments.create",
      key,
      operationId: uuidv7(),
      principal: "till-web",
      fingerprint: Buffer.alloc(32),
      fingerprintVersion: 1,
      apiVersion: "1",
      accountId: undefined,
      reference: undefined,
      amountMinor: undefined,
      currency: undefined,
      owner: "api-1",
      leaseMs: 30_000,
      ttlSeconds: 60,
      metadataDays: 30,
      maxAttempts: 5,
      expired: "reject",
      commandSealed: Buffer.from([0]),
      eventId: uuidv7(),
      requestId: "r",
    });
    await env.rows(
      `update onceboard.idempotency_open set locked_until = ${at(left)}, stage = 'LOCAL_PAYMENT_CREATED' where key = $1`,
      key,
    );
    const again = await env.rows<{ outcome: string }>(
      `select outcome from onceboard.claim('acme', 'payments.create', $1, gen_random_uuid(), 'till-web', $2, 'api-2', 1::smallint, '1')`,
      key,
      Buffer.alloc(32),
    );
    expect(again[0]?.outcome).toBe(over ? "stale" : "in_progress");
    const [sent] = await env.rows<{ ok: boolean }>(
      "select onceboard.mark_sent('acme', $1, $2, gen_random_uuid()) as ok",
      first.operation_id,
      first.fence,
    );
    expect(sent?.ok).toBe(!over);
    const taken = await takeOver(env.db.pool, {
      tenantId: "acme",
      owner: "w",
      leaseMs: 1_000,
      limit: 5,
      operationId: first.operation_id,
    });
    expect(taken).toHaveLength(over ? 1 : 0);
  });

  it("of the records of a UUIDv7 key: it is executed only while they would still be there", async () => {
    // The key's time has milliseconds; the stopped instant is 123.456 ms past the second.
    const msecs = Date.parse("2030-06-15T12:00:00.123Z") - 30 * 86_400_000 + (left > 0 ? 1 : 0);
    const answer = await pay(uuidv7({ msecs }));
    expect(answer.outcome).toBe(over ? "expired" : "executed");
  });
});
