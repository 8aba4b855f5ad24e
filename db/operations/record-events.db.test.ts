import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type Database } from "../client";
import { ensurePartitions, PARTITION_DAYS_AHEAD } from "../partitions";
import { countReads } from "../testing/count-reads";
import { createTestDatabase, type TestDatabase } from "../testing/test-database";
import { recordEvents, type EventInsert } from "./record-events";

const ANSWERS = 5_000;
/** Plans are made anew a few times before one is kept. */
const TIMES = 8;

let test: TestDatabase;
let db: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  db = createDatabase({ url: test.url, max: 1 });
});
afterAll(async () => {
  await db.close();
  await test.drop();
});

const operationId = randomUUID();
const replayed = (at: Date, operation = operationId): EventInsert => ({
  ...{ tenantId: "acme", id: randomUUID(), operationId: operation, operation: "payments.create", at: at.toISOString() },
  ...{ type: "replayed", outcome: "replayed" },
});
const delays = async (operation: string) =>
  (
    await test.db.pool.query<{ delay_ms: number | null }>({
      text: "select delay_ms from onceboard.idempotency_events where operation_id = $1 order by at",
      values: [operation],
    })
  ).rows.map((row) => row.delay_ms);

describe("the delay of an answer", () => {
  it("is the time since the one before it, over midnight too and however many came at once", async () => {
    const other = randomUUID();
    const midnight = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), new Date().getUTCDate());
    const at = [-1_000, 500, 2_500].map((ms) => new Date(midnight + ms));
    for (const one of at) await recordEvents(db.pool, [replayed(one, other)]);
    expect(await delays(other)).toEqual([null, 1_500, 2_000]);
    const third = randomUUID();
    await recordEvents(
      db.pool,
      at.map((one) => replayed(one, third)),
    );
    // Those of one statement do not see each other.
    expect(await delays(third)).toEqual([null, null, null]);
    await recordEvents(db.pool, [replayed(new Date(midnight + 3_000), third)]);
    expect((await delays(third)).at(-1)).toBe(500);
  });

  it("is found as fast of a key that is sent again and again, and however many days there are", async () => {
    // Statistics of a time when each operation had one answer.
    await test.db.pool.query({
      text: `insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, outcome)
        select 'acme', (now() at time zone 'utc')::date, gen_random_uuid(), gen_random_uuid(), 'payments.create', now(), 'executed', 'executed'
        from generate_series(1, 2000)`,
    });
    await test.db.pool.query({ text: "analyze onceboard.idempotency_events" });
    await test.db.pool.query({
      text: `insert into onceboard.idempotency_events (tenant_id, day, id, operation_id, operation, at, type, outcome)
        select 'acme', (now() at time zone 'utc')::date, gen_random_uuid(), $1, 'payments.create', now() - n * interval '1 ms', 'replayed', 'replayed'
        from generate_series(1, $2::integer) n`,
      values: [operationId, ANSWERS],
    });
    for (const days of [PARTITION_DAYS_AHEAD, 40]) {
      await ensurePartitions(test.db.pool, days);
      const reads = await countReads(db, test.db, ["idempotency_events"], async () => {
        for (let time = 0; time < TIMES; time += 1) await recordEvents(db.pool, [replayed(new Date())]);
      });
      expect(reads.rows).toBeLessThanOrEqual(TIMES * 2);
      expect(reads.scans).toBe(0);
    }
  });
});
