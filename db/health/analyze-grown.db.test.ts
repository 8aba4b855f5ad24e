import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type Database } from "../client";
import { callScalar } from "../named-call";
import { countReads } from "../testing/count-reads";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";

const KEYS = 3_000;
/** Plans are made anew a few times before one is kept. */
const TIMES = 8;

let test: TestDatabase;
/** One session, so one set of plans. */
let db: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  db = createDatabase({ url: test.url, max: 1 });
});
afterAll(async () => {
  await db.close();
  await test.drop();
});

async function claimAndComplete(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const id = uuidv7();
    await db.pool.query({
      text: "select onceboard.claim('acme', 'payments.create', $1, $2, 'till', '\\x01', 'test')",
      values: [id, id],
    });
    await db.pool.query({ text: "select onceboard.complete('acme', $1, 1, 'COMPLETED', 201)", values: [id] });
  }
}

const analyzeGrown = () => callScalar<number>(db.pool, "analyze_grown", []);

async function fill(keys: number): Promise<void> {
  const owner = await test.db.pool.connect();
  await owner.query({
    text: `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint,
        fingerprint_version, api_version, state, body_day, created_at, updated_at, expires_at, purge_after)
      select 'acme', 'payments.create', 'k' || n, gen_random_uuid(), 'till', '\\x01', 1, '', 'COMPLETED', now()::date, now(), now(),
        now() + interval '1 day', now() + interval '9 days' from generate_series(1, ${String(keys)}) n`,
  });
  await owner.query({ text: "select pg_stat_force_next_flush()" });
  owner.release();
}

const readsOf = (table: string, work: () => Promise<unknown>) => countReads(db, test.db, [table], work);

describe("plans of a session that began with empty tables", () => {
  it("are made anew once the tables grew, so that a claim does not read the keys of its tenant", async () => {
    await claimAndComplete(TIMES);
    await fill(KEYS);
    const before = await readsOf("idempotency_requests", () => claimAndComplete(TIMES));
    // What this test is about: else it would show nothing.
    expect(before.rows).toBeGreaterThan(KEYS);

    expect(await analyzeGrown()).toBeGreaterThan(0);
    const after = await readsOf("idempotency_requests", () => claimAndComplete(TIMES));
    expect(after.rows).toBeLessThanOrEqual(TIMES * 4);
  });

  it("have nothing to be made anew for while the tables stay as they are", async () => {
    await analyzeGrown();
    expect(await analyzeGrown()).toBe(0);
  });

  it("never read all that open operations left behind", async () => {
    await test.db.pool.query({ text: "vacuum analyze onceboard.idempotency_open" });
    const reads = await readsOf("idempotency_open", () => claimAndComplete(100));
    expect(reads.scans).toBe(0);
  });
});
