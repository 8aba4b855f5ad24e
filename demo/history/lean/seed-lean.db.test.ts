import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { findCounterexamples } from "@/db/checks/counterexamples";
import { INVARIANTS } from "@/console/invariants/invariant-list";
import { createProofSigner } from "@/console/proof/proof-signer";
import { readProof } from "@/console/proof/read-proof";
import { createEngineBase } from "@/engine/base";
import { engineContext } from "@/engine/context";
import { createLog } from "@/engine/telemetry/log";
import { seed } from "../seed";
import { LEAST_LEAN, seedLean, type LeanOptions } from "./seed-lean";

let test: TestDatabase;
const lines: string[] = [];
const fill = (options: Partial<LeanOptions> = {}) =>
  seedLean({
    url: test.ownerUrl,
    tenant: "acme",
    operations: LEAST_LEAN,
    force: false,
    say: (line) => lines.push(line),
    ...options,
  });
async function rows<R>(text: string): Promise<R[]> {
  return (await test.db.pool.query<R & Record<string, unknown>>({ text })).rows;
}
const DAYS = 30;
const INTERRUPTED_AFTER = 7;
let kept: { id: string }[];

beforeAll(async () => {
  test = await createTestDatabase();
  let days = 0;
  const say = (): void => {
    if ((days += 1) === INTERRUPTED_AFTER) throw new Error("the power went out");
  };
  await expect(fill({ say })).rejects.toThrow("the power went out");
  kept = await rows("select operation_id::text as id from onceboard.idempotency_requests");
  expect((await fill()).done).toBe(true);
});
afterAll(() => test.drop());

describe("a lean month (LIST-6)", () => {
  it("goes on where it was interrupted: the days that were there stay, and none is made twice", async () => {
    expect(kept.length).toBeGreaterThan(0);
    const [still] = await rows<{ n: number }>(`select count(*)::int as n from onceboard.idempotency_requests
      where operation_id = any ('{${kept.map(({ id }) => id).join(",")}}'::uuid[])`);
    expect(still?.n).toBe(kept.length);
    const made = lines.filter((line) => line.includes("operations;"));
    // Two sessions: the second one ends the day that it is in.
    expect([DAYS - INTERRUPTED_AFTER, DAYS - INTERRUPTED_AFTER - 1]).toContain(made.length);
    expect(made.at(-1)).toContain("30 of 30 days");
  });

  it("has every operation with its events, one message of each success, and all states", async () => {
    const states = await rows<{ state: string; n: number }>(
      "select state, count(*)::int as n from onceboard.idempotency_requests group by 1",
    );
    const of = Object.fromEntries(states.map(({ state, n }) => [state, n]));
    expect(Object.keys(of).sort()).toEqual([
      "COMPLETED",
      "EXPIRED",
      "FAILED_REPLAYABLE",
      "FAILED_RETRYABLE",
      "IN_PROGRESS",
      "UNKNOWN_REQUIRES_RECOVERY",
    ]);
    expect(Object.values(of).reduce((sum, n) => sum + n, 0)).toBe(LEAST_LEAN);
    const [orders] = await rows<Record<string, number>>(`with
      answers as (select operation_id, count(*) as n from onceboard.idempotency_events where outcome = 'executed' group by 1),
      messages as (select operation_id, count(*) as n from onceboard.outbox_history group by 1)
      select count(*)::int as n,
        count(*) filter (where a.n is distinct from 1)::int as unanswered,
        count(*) filter (where coalesce(m.n, 0) <> case when r.error_code is null then 1 else 0 end)::int as untold,
        count(*) filter (where (r.state = 'EXPIRED') <> (r.body_purged_at is not null))::int as purged
      from onceboard.idempotency_requests r left join answers a using (operation_id) left join messages m using (operation_id)
      where r.operation = 'orders.place'`);
    expect(orders).toEqual({ n: LEAST_LEAN / 2, unanswered: 0, untold: 0, purged: 0 });
  });

  it("breaks none of what must hold, and its audit chain verifies", async () => {
    const broken: Record<string, string[]> = {};
    for (const invariant of INVARIANTS) {
      const ids = await findCounterexamples(test.db.pool, "acme", invariant.name);
      if (ids.length > 0) broken[invariant.name] = ids.slice(0, 3);
    }
    expect(broken).toEqual({});
    expect(await rows("select broken_at from onceboard.verify_audit('acme')")).toEqual([{ broken_at: null }]);
  });

  it("proves an order of each state without a claim that fails", async () => {
    const config = { leaseSeconds: 30, idempotencyTtlHours: 24, bodyTtlHours: 24, metadataTtlDays: 90 };
    const base = createEngineBase({
      db: test.db,
      instance: "lean-1",
      config: { ...config, providerTimeoutMs: 400 },
      encryptionKeys: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
      secret: "a secret of this test",
      log: createLog("silent"),
    });
    const actor = { kind: "operator", id: "op-1", name: "Mira Okafor", role: "admin" } as const;
    const ctx = engineContext(base, { tenantId: "acme", actor, requestId: "req-lean" });
    const signer = createProofSigner("a secret of this test, long enough to be one");
    const orders = await rows<{
      id: string;
      state: string;
    }>(`select distinct on (r.state, r.error_code) r.operation_id as id, r.state
      from onceboard.idempotency_requests r where r.operation = 'orders.place' order by r.state, r.error_code, r.created_at desc`);
    expect(new Set(orders.map(({ state }) => state)).size).toBeGreaterThan(1);
    try {
      for (const { id: operationId, state } of orders) {
        const proof = await readProof(ctx, { operationId, signer, deployment: "https://pay.example.com" });
        expect(proof, state).toBeDefined();
        expect(JSON.stringify(proof), state).not.toContain('"contradicted"');
      }
    } finally {
      await base.answers.close();
    }
  });

  it("has rolled up every day", async () => {
    const [told] = await rows(`select count(*)::int as n from onceboard.idempotency_events e
      where e.outcome is not null and e.at < date_trunc('hour', now(), 'UTC')`);
    const [rolled] = await rows(`select sum(count)::int as n from onceboard.metric_hours
      where bucket < date_trunc('hour', now(), 'UTC') and outcome <> 'unknown_entered'`);
    expect(rolled).toEqual(told);
  });

  it("is made once: the same again does nothing, another one is refused", async () => {
    expect(await fill()).toMatchObject({ done: false, rows: {} });
    const there = `Tenant acme has a lean seed of ${String(LEAST_LEAN)} operations already.`;
    await expect(fill({ operations: 2 * LEAST_LEAN })).rejects.toThrow(there);
    const month = { url: test.ownerUrl, tenant: "acme", operations: LEAST_LEAN, events: 5 * LEAST_LEAN, force: false };
    await expect(seed({ ...month, say: () => undefined })).rejects.toThrow(there);
    await expect(fill({ operations: 10 })).rejects.toThrow(`at least ${String(LEAST_LEAN)}`);
  });
});
