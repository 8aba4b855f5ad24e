import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wrongHashes } from "./testing/wrong-hashes";
import { seed, type SeedOptions } from "./seed";
import { LEAST_OPERATIONS, OPEN_OPERATIONS, STALE_OPERATIONS, UNKNOWN_OPERATIONS, seedDays } from "./shape";
import { createTestDatabase, type TestDatabase } from "@/db/testing/test-database";
import { findCounterexamples } from "@/db/checks/counterexamples";
import { INVARIANTS } from "@/console/invariants/invariant-list";

let test: TestDatabase;
const lines: string[] = [];
const fill = (options: Partial<SeedOptions> = {}) =>
  seed({
    url: test.ownerUrl,
    tenant: "acme",
    operations: LEAST_OPERATIONS,
    events: 5 * LEAST_OPERATIONS,
    force: false,
    say: (line) => lines.push(line),
    ...options,
  });
async function rows<R>(text: string): Promise<R[]> {
  return (await test.db.pool.query<R & Record<string, unknown>>({ text })).rows;
}

beforeAll(async () => {
  test = await createTestDatabase();
  expect((await fill()).done).toBe(true);
});
afterAll(() => test.drop());

describe("a seeded month (LIST-6)", () => {
  it("has rows of every state, and as many events as were asked for", async () => {
    const states = await rows<{ state: string; n: number }>(
      "select state, count(*)::int as n from onceboard.idempotency_requests group by 1",
    );
    const of = Object.fromEntries(states.map(({ state, n }) => [state, n]));
    expect(of).toMatchObject({ IN_PROGRESS: OPEN_OPERATIONS, UNKNOWN_REQUIRES_RECOVERY: UNKNOWN_OPERATIONS });
    expect(of["FAILED_REPLAYABLE"]).toBeGreaterThan(50);
    expect(of["FAILED_RETRYABLE"]).toBeGreaterThan(20);
    expect(Object.values(of).reduce((sum, n) => sum + n, 0)).toBe(LEAST_OPERATIONS);
    const [stale] = await rows<{ n: number }>(
      "select count(*)::int as n from onceboard.idempotency_open where locked_until < now()",
    );
    expect(stale?.n).toBe(STALE_OPERATIONS);
    const [events] = await rows<{ n: number }>("select count(*)::int as n from onceboard.idempotency_events");
    expect(events?.n).toBeGreaterThan(4.5 * LEAST_OPERATIONS);
    expect(events?.n).toBeLessThan(6 * LEAST_OPERATIONS);
    expect(lines.filter((line) => line.includes("operations"))).toHaveLength(30);
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

  it("keeps in the inbox the hash of what each message was sent as, also of those that wait there", async () => {
    expect(await wrongHashes((text) => rows(text))).toEqual([]);
    const [held] = await rows<{
      n: number;
      waiting: number;
    }>(`select count(*)::int as n, count(*) filter (where state = 'recorded')::int as waiting
      from onceboard.inbox_messages where source = 'onceboard'`);
    expect(held?.n).toBeGreaterThan(1_000);
    expect(held?.waiting).toBeGreaterThan(0);
  });

  it("has rolled up what replays would have cost, in hours and minutes (CHART-6)", async () => {
    const [told] = await rows(`select count(*)::text as n, sum(r.amount_minor)::text as sum
      from onceboard.idempotency_events e join onceboard.idempotency_requests r on r.operation_id = e.operation_id
      where e.outcome = 'replayed' and e.status < 300 and r.amount_minor is not null and e.at < date_trunc('day', now(), 'UTC')`);
    const [rolled] =
      await rows(`select sum(count)::text as n, sum(sum_minor)::text as sum from onceboard.metric_suppressed
      where unit = 'hour' and bucket < date_trunc('day', now(), 'UTC')`);
    expect(rolled).toEqual(told);
    expect(await rows("select 1 from onceboard.metric_suppressed where unit = 'minute' limit 1")).toHaveLength(1);
  });

  it("is made once: the same again does nothing, another size is refused", async () => {
    expect(await fill()).toMatchObject({ done: false, rows: {} });
    await expect(fill({ operations: 2 * LEAST_OPERATIONS })).rejects.toThrow("has a seed of 5000 operations already");
    await expect(fill({ operations: 10 })).rejects.toThrow("at least 5000");
  });

  it("refuses a database with traffic that was not seeded", async () => {
    await rows(`insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version,
        state, body_day, created_at, updated_at, expires_at, purge_after)
      select 'globex', 'o', 'k', gen_random_uuid(), 'p', 'f', 1, '1', 'COMPLETED', current_date, now(), now(), now(), now()`);
    await expect(fill({ tenant: "initech" })).rejects.toThrow("--force");
    expect(await rows("select 1 from onceboard.tenants where id = 'initech'")).toEqual([]);
  });

  it("gives a day that has just begun its few rows", () => {
    const days = seedDays(new Date("2026-11-22T00:00:30Z"), 10_000);
    expect(days).toHaveLength(30);
    expect(days.at(-1)).toMatchObject({ day: "2026-11-22", seconds: 30 });
    expect(days.reduce((sum, { count }) => sum + count, 0)).toBe(10_000);
    expect(days.at(-1)?.count).toBeLessThan(1_000);
  });
});
