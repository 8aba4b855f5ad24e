import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "../testing/environment";
import { retain, type RetainMemory } from "./retain";
import { STRETCH_KEYS } from "./walk";

/** Keys whose window is over and that are kept: six stretches, and some. */
const KEPT = 6 * STRETCH_KEYS + 1_000;

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
  await keys("kept", KEPT, { endedHoursAgo: 1_000, purge: "now() + interval '50 days'" });
  await env.rows("analyze onceboard.idempotency_requests");
});
afterAll(() => env.close());

interface Ends {
  /** Of the first; each further key ends a millisecond later. */
  readonly endedHoursAgo: number;
  readonly purge: string;
  readonly state?: string;
}

/** Keys of other days without a body, as retention left them. */
async function keys(name: string, count: number, { endedHoursAgo, purge, state = "EXPIRED" }: Ends): Promise<void> {
  await env.rows(
    `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version, state, body_day,
       body_purged_at, created_at, updated_at, completed_at, expires_at, purge_after)
     select '${TENANT}', 'orders.place', '${name}-' || n, gen_random_uuid(), 'till', '\\x00', 1, '1', '${state}', t.ended::date, t.ended, t.ended - interval '24 hours', t.ended, t.ended, t.ended, ${purge}
     from generate_series(1, ${String(count)}) n
     cross join lateral (select now() - interval '${String(endedHoursAgo)} hours' + n * interval '1 millisecond' as ended) t`,
  );
}

const left = async (name: string): Promise<number> =>
  (await env.rows("select 1 from onceboard.idempotency_requests where key like $1", `${name}-%`)).length;

/** Rows of keys that were read by an index while `work` ran, by the server's own count. */
async function readBy(work: () => Promise<unknown>): Promise<number> {
  const count = async (): Promise<number> => {
    await env.db.pool.query({ text: "select pg_stat_force_next_flush()" });
    await env.rows("select pg_stat_force_next_flush()");
    const [row] = await env.rows<{ read: string }>(
      "select idx_tup_fetch + seq_tup_read as read from pg_stat_user_tables where relname = 'idempotency_requests'",
    );
    return Number(row?.read);
  };
  const before = await count();
  await work();
  return (await count()) - before;
}

describe("retention beside many keys that are kept", () => {
  it("RETENTION-11 looks at no more of them in a tick, however many there are", async () => {
    const memory: RetainMemory = new Map();
    // The first tick of a process walks all of them once.
    expect(await retain(env.context(), memory)).toMatchObject({ expired: 0, purgedOperations: 0, done: true });
    const few = await readBy(() => retain(env.context(), memory));
    await keys("more", KEPT, { endedHoursAgo: 900, purge: "now() + interval '50 days'" });
    const many = await readBy(() => retain(env.context(), memory));
    // A stretch at the front and one behind it, each for where it ends and for what is due in it.
    expect(few).toBeLessThan(5 * STRETCH_KEYS);
    expect(many).toBeLessThan(5 * STRETCH_KEYS);
  });

  it("RETENTION-11 deletes what is due behind keys that are kept longer, a stretch in each tick", async () => {
    await keys("due", 20, { endedHoursAgo: 800, purge: "now() - interval '1 minute'" });
    const memory: RetainMemory = new Map();
    const purged: number[] = [];
    for (let tick = 0; tick < (2 * KEPT) / STRETCH_KEYS + 1; tick += 1)
      purged.push((await retain(env.context(), memory)).purgedOperations);
    expect(await left("due")).toBe(0);
    expect(await left("kept")).toBe(KEPT);
    // Not by the walk at the front, which ends where nothing is due.
    expect(purged.slice(0, 3)).toEqual([0, 0, 0]);
  });

  it("deletes all that is due at the front in one tick, several stretches of it", async () => {
    const batches = 3;
    await keys("front", batches * 500 + 7, { endedHoursAgo: 3_000, purge: "now() - interval '1 minute'" });
    expect(await retain(env.context(), new Map())).toMatchObject({ purgedOperations: batches * 500 + 7, done: true });
    expect(await left("front")).toBe(0);
  });

  it("expires keys of any age in the walk of a new process, and what was open when the walk came by once it is settled", async () => {
    await keys("late", 3, { endedHoursAgo: 1_200, purge: "now() + interval '50 days'", state: "COMPLETED" });
    const open = await env.operation({ state: "UNKNOWN_REQUIRES_RECOVERY", ageHours: 1_100 });
    const memory: RetainMemory = new Map();
    expect(await retain(env.context(), memory)).toMatchObject({ expired: 3, done: true });
    await env.rows(
      "update onceboard.idempotency_requests set state = 'COMPLETED', completed_at = now() where operation_id = $1",
      open,
    );
    expect(await retain(env.context(), memory)).toMatchObject({ expired: 1 });
  });

  it("stops between two batches when the process ends", async () => {
    await keys("ending", 1_200, { endedHoursAgo: 3_000, purge: "now() - interval '1 minute'" });
    const stop = { rest: () => Promise.resolve(false), over: () => true };
    expect(await retain(env.context(), new Map(), stop)).toMatchObject({ purgedOperations: 1_000, done: false });
    expect(await left("ending")).toBe(200);
  });
});
