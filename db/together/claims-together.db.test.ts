import { randomUUID } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type Database } from "../client";
import { claim, claimTogether, type ClaimInput, type ClaimRow } from "../operations/claim";
import { recordStatements, type Statement } from "../testing/record-statements";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import { inTransaction } from "../transaction";

let test: TestDatabase;
let one: Database;
let other: Database;
let taken: () => Statement[];
beforeAll(async () => {
  test = await createTestDatabase();
  one = createDatabase({ url: test.url, max: 8 });
  other = createDatabase({ url: test.url, max: 8 });
  taken = recordStatements(one);
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await test.drop();
});

function input(key: string, changed: Partial<ClaimInput> = {}): ClaimInput {
  return {
    tenantId: "acme",
    operation: "payments.create",
    key,
    operationId: uuidv7(),
    principal: "till",
    fingerprint: Buffer.from(`of ${key}`),
    fingerprintVersion: 1,
    apiVersion: "2026-01-01",
    accountId: undefined,
    reference: `'"{},\\ ${key}`,
    amountMinor: 9_007_199_254_740_993n,
    currency: "EUR",
    owner: "test",
    leaseMs: 30_000,
    ttlSeconds: 3_600,
    metadataDays: 90,
    maxAttempts: 3,
    expired: "reject",
    commandSealed: Buffer.from([0, 1, 255, 34, 92, 123]),
    eventId: uuidv7(),
    requestId: "request-1",
    ...changed,
  };
}

const rows = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
  (await test.db.pool.query<Row & object>({ text, values })).rows;
const batches = (): Statement[] => taken().filter(({ text }) => text.includes("with ordinality"));

describe("claims of the same turn", () => {
  it("are one statement, and each is what a claim by itself would be", async () => {
    const keys = Array.from({ length: 20 }, () => randomUUID());
    taken();
    const claimed = await Promise.all(keys.map((key) => claimTogether(one, input(key))));
    expect(batches()).toHaveLength(1);
    expect(new Set(claimed.map(({ operation_id }) => operation_id)).size).toBe(20);
    const alone = input(randomUUID());
    await claim(one.pool, alone);
    const kept = await rows<Record<string, unknown>>(
      `select r.key, r.reference, r.amount_minor, r.account_id, encode(r.fingerprint, 'escape') as fingerprint, b.body, e.type, o.fence
       from onceboard.idempotency_requests r join onceboard.idempotency_bodies b using (tenant_id, operation_id)
       join onceboard.idempotency_events e using (tenant_id, operation_id) join onceboard.idempotency_open o using (tenant_id, operation_id)
       where r.key = any($1)`,
      [...keys, alone.key],
    );
    const expected = [...keys, alone.key].map((key) => ({
      ...{ key, reference: `'"{},\\ ${key}`, amount_minor: 9_007_199_254_740_993n, account_id: null },
      ...{ fingerprint: `of ${key}`, body: alone.commandSealed, type: "claimed", fence: 1 },
    }));
    const byKey = (a: { key?: unknown }, b: { key?: unknown }): number => (String(a.key) < String(b.key) ? -1 : 1);
    expect(kept.sort(byKey)).toEqual(expected.sort(byKey));
  });

  it("TOGETHER-1 answer each caller with the verdict on its own key", async () => {
    const states: { readonly key: string; readonly want: ClaimRow["outcome"]; readonly ask: ClaimInput }[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const key = randomUUID();
      await claim(one.pool, input(key));
      states.push({ key, want: "in_progress", ask: input(key) });
      states.push({ key, want: "conflict", ask: input(key, { fingerprint: Buffer.from("another command") }) });
      states.push({ key, want: "other_fingerprint_version", ask: input(key, { apiVersion: "2025-01-01" }) });
      states.push({ key, want: "conflict", ask: input(key, { principal: "somebody else" }) });
      const fresh = randomUUID();
      states.push({ key: fresh, want: "claimed", ask: input(fresh) });
    }
    taken();
    const found = await Promise.all(states.map(({ ask }) => claimTogether(one, ask)));
    expect(batches()).toHaveLength(1);
    expect(found.map(({ outcome }) => outcome)).toEqual(states.map(({ want }) => want));
    const stored = await rows<{ key: string; operation_id: string }>(
      "select key, operation_id from onceboard.idempotency_requests where key = any($1)",
      states.map(({ key }) => key),
    );
    const idOf = new Map(stored.map(({ key, operation_id }) => [key, operation_id]));
    expect(found.map((row) => row.operation_id)).toEqual(states.map(({ key }) => idOf.get(key)));
    for (const [index, { ask }] of states.entries()) {
      if (found[index]?.outcome === "claimed") continue;
      const { asked_at: _then, ...together } = found[index] ?? ({} as ClaimRow);
      const { asked_at: _now, ...alone } = await claim(other.pool, ask);
      expect(together).toMatchObject(alone);
    }
  });

  it("of one key claim it once", async () => {
    const key = randomUUID();
    const found = await Promise.all(Array.from({ length: 50 }, () => claimTogether(one, input(key))));
    expect(found.filter(({ outcome }) => outcome === "claimed")).toHaveLength(1);
    expect(new Set(found.map(({ operation_id }) => operation_id)).size).toBe(1);
  });

  it("TOGETHER-5 of two processes that come in opposite orders claim each key once and wait in no circle", async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      const keys = Array.from({ length: 24 }, () => randomUUID());
      const found = await Promise.all([
        ...keys.map((key) => claimTogether(one, input(key))),
        ...keys.toReversed().map((key) => claimTogether(other, input(key))),
      ]);
      expect(found.filter(({ outcome }) => outcome === "claimed")).toHaveLength(keys.length);
      expect(found.filter(({ outcome }) => outcome === "in_progress")).toHaveLength(keys.length);
    }
  });
});

describe("TOGETHER-2 one bad claim in a batch", () => {
  it("is refused alone; its neighbours are claimed once", async () => {
    const keys = Array.from({ length: 10 }, () => randomUUID());
    const bad = input("k".repeat(256));
    taken();
    const ends = await Promise.allSettled(
      [...keys.map((key) => input(key)), bad].map((each) => claimTogether(one, each)),
    );
    expect(batches()).toHaveLength(1);
    expect(
      ends.map((end) => (end.status === "fulfilled" ? end.value.outcome : (end.reason as { code: string }).code)),
    ).toEqual([...keys.map(() => "claimed"), "22023"]);
    const kept = await rows<{ events: bigint }>(
      "select count(*) as events from onceboard.idempotency_events where operation = 'payments.create' and operation_id in (select operation_id from onceboard.idempotency_requests where key = any($1))",
      keys,
    );
    expect(kept).toEqual([{ events: 10n }]);
  });

  it("that waits for another transaction makes nobody else wait for it", async () => {
    const [held = "", ...free] = Array.from({ length: 10 }, () => randomUUID());
    let waiting: Promise<ClaimRow> | undefined;
    await inTransaction(other, async (tx) => {
      await claim(tx, input(held));
      waiting = claimTogether(one, input(held));
      const found = await Promise.all(free.map((key) => claimTogether(one, input(key))));
      expect(found.map(({ outcome }) => outcome)).toEqual(free.map(() => "claimed"));
    });
    expect((await waiting)?.outcome).toBe("in_progress");
  });
});

/** On a cluster the wait is one of a worker, which the coordinator's list of sessions does not say. */
const onNodes = (process.env["DATABASE_URL_CITUS"] ?? "") !== "";

describe("a connection that dies under a batch", () => {
  it.skipIf(onNodes)("tells all of its callers, and a retry of each finds out what stands", async () => {
    const keys = Array.from({ length: 8 }, () => randomUUID());
    const dying = createDatabase({ url: test.url, max: 1 });
    try {
      const { rows: backend } = await dying.pool.query<{ pid: number }>({ text: "select pg_backend_pid() as pid" });
      const holder = await test.db.pool.connect();
      try {
        await holder.query("begin");
        await claim(holder, input(keys[0] ?? ""));
        const ends = Promise.allSettled(keys.map((key) => claimTogether(dying, input(key))));
        await expect
          .poll(
            async () =>
              (
                await rows(
                  "select 1 from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'",
                  backend[0]?.pid,
                )
              ).length,
            { interval: 1 },
          )
          .toBe(1);
        await rows("select pg_terminate_backend($1)", backend[0]?.pid);
        expect((await ends).map(({ status }) => status)).toEqual(keys.map(() => "rejected"));
      } finally {
        await holder.query("rollback");
        holder.release();
      }
      const retried = await Promise.all(keys.map((key) => claimTogether(one, input(key))));
      expect(retried.map(({ outcome }) => outcome)).toEqual(keys.map(() => "claimed"));
    } finally {
      await dying.close();
    }
  });
});
