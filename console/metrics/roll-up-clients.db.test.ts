import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { recordEvents, type EventInsert } from "@/db/operations/record-events";
import { listClients } from "@/console/read/access/list-clients";
import { readClient } from "@/console/read/access/read-client";
import { clientsOfKey } from "@/console/read/operations/clients-of-key";
import { rolledEvent, emptyRollUps } from "@/console/testing/roll-up-world";
import { rollUp } from "./roll-up";
import { createEngineTestEnvironment, TENANT, type EngineTestEnvironment } from "@/engine/testing/environment";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const VIEWER = { kind: "operator", id: "op-1", name: "Vic", role: "viewer" } as const;
let env: EngineTestEnvironment;
/** The hour before the one that runs: closed, so it becomes one row. */
let hour: number;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());
beforeEach(async () => {
  hour = Math.floor(Date.now() / HOUR) * HOUR - HOUR;
  await emptyRollUps(env, hour);
  await env.rows("truncate onceboard.api_clients");
});

/** One after the other, as callers come: each knows how long after the one before it came. */
const add = async (...events: EventInsert[]) => {
  for (const one of events) await recordEvents(env.db.pool, [one]);
};
/** A key that was first used at `at` and stands for an operation. */
async function operationAt(at: number, ttlHours = 24): Promise<string> {
  const id = await env.operation({ ttlHours });
  await env.rows(
    "update onceboard.idempotency_requests set created_at = $2, expires_at = $3 where operation_id = $1",
    id,
    new Date(at),
    new Date(at + ttlHours * HOUR),
  );
  return id;
}
const sums = (client = "till") =>
  env.rows<{ measure: string; count: number; sum: number }>(
    "select measure, sum(count)::int as count, sum(sum) as sum from onceboard.metric_clients where tenant_id = $1 and client = $2 group by 1 order by 1",
    TENANT,
    client,
  );
const conflict = (fields: readonly string[], foreignPrincipal = false) =>
  ({ outcome: "conflict", type: "conflict", detail: { differingFields: fields, foreignPrincipal } }) as const;

/** A busy hour of two clients with everything that a report card tells. */
async function busyHour(start: number): Promise<void> {
  for (let index = 0; index < 6; index += 1) {
    const first = start + index * 7 * MINUTE + 1_000;
    const operationId = await operationAt(first);
    const client = index % 3 === 2 ? "web" : "till";
    const of = (after: number, over: Partial<EventInsert>) =>
      rolledEvent(first + after, { operationId, client, ...over });
    await add(
      of(0, {}),
      of(40, { outcome: "in_progress", type: "in_progress" }),
      of(2_000, { outcome: "replayed", type: "replayed" }),
      of(2_050, conflict(["amount"])),
      of(65_000, index === 0 ? conflict([], true) : conflict(["accountId"])),
      of(70_000, { outcome: "unknown", type: "unknown", code: "idempotency.outcome_unknown" }),
    );
  }
  const late = await operationAt(start + 5_000 - 48 * HOUR, 24);
  await add(
    rolledEvent(start + 5_000, { operationId: late, outcome: "expired_retry", type: "expired_retry" }),
    rolledEvent(start + 6_000, { operation: "admin.outbox.requeue" }),
    rolledEvent(start + 7_000, { attempt: 2 }),
    rolledEvent(start + 8_000, { outcome: "unknown", type: "unknown", code: "dependency.timeout" }),
  );
}

/** The same numbers by a query that nobody would run on a page: each event against all others of its operation. */
const PLAIN = `with answers as (
    select e.*, (e.outcome in ('replayed', 'conflict', 'in_progress', 'expired_retry')
        or (e.outcome = 'unknown' and e.code = 'idempotency.outcome_unknown') or e.attempt > 1) as again,
      (select max(b.at) from onceboard.idempotency_events b where b.operation_id = e.operation_id and b.client = e.client and b.at < e.at) as before
    from onceboard.idempotency_events e where e.tenant_id = $1 and e.client = $2 and e.outcome is not null and e.operation not like 'admin.%')
  select count(*) filter (where again)::int as again,
    count(*) filter (where again and e.at - e.before < interval '100 milliseconds')::int as fast,
    (count(*) filter (where again and r.expires_at <= e.at))::int as late,
    round(sum(extract(epoch from e.at - r.created_at) * 1000) filter (where again))::float8 as distance,
    round(max(extract(epoch from e.at - r.created_at) * 1000) filter (where again))::float8 as longest,
    count(distinct e.operation_id) filter (where e.outcome = 'conflict')::int as keys,
    count(*) filter (where e.outcome = 'executed')::int as executed, count(*) filter (where e.outcome = 'conflict')::int as conflicts
  from answers e left join onceboard.idempotency_requests r on r.operation_id = e.operation_id`;
interface Plain {
  readonly again: number;
  readonly fast: number;
  readonly late: number;
  readonly distance: number;
  readonly longest: number;
  readonly keys: number;
  readonly executed: number;
  readonly conflicts: number;
}

describe("REPORT-1 how clients use their keys", () => {
  it.each(["till", "web"])("the roll-up of %s says what a plain query over its events says", async (client) => {
    await busyHour(hour);
    await rollUp(env.context());
    const [plain] = await env.rows<Plain>(PLAIN, TENANT, client);
    expect(plain?.again).toBeGreaterThan(9);
    expect(plain?.fast).toBeGreaterThan(3);
    const rows = new Map((await sums(client)).map((row) => [row.measure, row]));
    const count = (measure: string): number => rows.get(measure)?.count ?? 0;
    expect({
      again: count("again"),
      fast: count("fast"),
      late: count("after_window"),
      distance: Math.round(rows.get("again")?.sum ?? 0),
      longest: Math.round(rows.get("distance_max")?.sum ?? 0),
      keys: count("conflict_keys"),
      executed: count("outcome:executed"),
      conflicts: count("outcome:conflict"),
    }).toEqual(plain);
    const powers = [...rows.values()].filter(({ measure }) => measure.startsWith("distance:"));
    expect(powers.reduce((sum, row) => sum + row.count, 0)).toBe(plain?.again);
    expect(await env.rows("select distinct bucket from onceboard.metric_clients")).toEqual([
      { bucket: new Date(hour) },
    ]);
  });

  it("a power of two of milliseconds begins its own distance, however small or large", async () => {
    const operationId = await operationAt(hour);
    const far = await operationAt(hour - 2 ** 31, 24 * 90);
    const again = { outcome: "replayed", type: "replayed" } as const;
    for (const after of [0, 1, 2, 3, 4, 7, 8, 1_023, 1_024, 2 ** 20])
      await add(rolledEvent(hour + after, { operationId, ...again }));
    await add(rolledEvent(hour, { operationId: far, ...again }));
    await rollUp(env.context());
    const distances = (await sums()).filter(({ measure }) => measure.startsWith("distance:"));
    expect(Object.fromEntries(distances.map(({ measure, count }) => [measure, count]))).toEqual({
      "distance:00": 2,
      "distance:01": 2,
      "distance:02": 2,
      "distance:03": 1,
      "distance:09": 1,
      "distance:10": 1,
      "distance:20": 1,
      "distance:31": 1,
    });
  });

  it("minutes of the hour that runs add up to the same as its hour does later", async () => {
    await busyHour(hour);
    await env.rows("select onceboard.roll_up($1, $2, $3, 150)", TENANT, new Date(hour), new Date(hour + 59 * MINUTE));
    const buckets = await env.rows<{ bucket: Date }>("select distinct bucket from onceboard.metric_clients");
    expect(buckets.length).toBeGreaterThan(5);
    const counted = (rows: Awaited<ReturnType<typeof sums>>) =>
      rows.filter(({ measure }) => measure !== "distance_max").map(({ measure, count }) => ({ measure, count }));
    const byMinute = counted(await sums());
    await rollUp(env.context());
    expect(await env.rows("select distinct bucket from onceboard.metric_clients")).toHaveLength(1);
    expect(counted(await sums())).toEqual(byMinute);
  });

  it("running again, or two at once, leaves the same rows; a late event makes its hour right again", async () => {
    const operationId = await operationAt(hour + 1_000);
    await add(rolledEvent(hour + 1_000, { operationId }));
    await Promise.all([rollUp(env.context()), rollUp(env.context())]);
    const once = await sums();
    await env.rows("update onceboard.metric_buckets set stale = true where bucket >= $1", new Date(hour));
    await rollUp(env.context());
    expect(await sums()).toEqual(once);
    await add(rolledEvent(hour + 90_000, { operationId, ...conflict(["amount"]) }));
    await rollUp(env.context());
    expect(await sums()).toMatchObject(
      expect.arrayContaining([
        { measure: "again", count: 1, sum: 89_000 },
        { measure: "conflict:amount", count: 1, sum: 0 },
      ]) as object,
    );
  });

  it("a key that had its first conflict in an earlier hour is not counted a second time", async () => {
    const operationId = await operationAt(hour - 2 * HOUR);
    await add(
      rolledEvent(hour - 30 * MINUTE, { operationId, ...conflict(["amount"]) }),
      rolledEvent(hour + MINUTE, { operationId, ...conflict(["amount"]) }),
    );
    await env.rows("update onceboard.metric_buckets set bucket = $1", new Date(hour - HOUR - MINUTE));
    await rollUp(env.context());
    expect((await sums()).find(({ measure }) => measure === "conflict_keys")).toMatchObject({ count: 1 });
    expect((await sums()).find(({ measure }) => measure === "outcome:conflict")).toMatchObject({ count: 2 });
  });
});

describe("REPORT-2 requests that left no operation", () => {
  it("are counted in batches, added up, and written on close", async () => {
    const { refusals } = env.context();
    const one = { tenantId: TENANT, client: "till", code: "idempotency.key_missing" };
    for (let index = 0; index < 3; index += 1) refusals.add(one);
    refusals.add({ ...one, code: "idempotency.key_invalid" });
    await refusals.flush();
    refusals.add(one);
    await refusals.close();
    expect(await env.rows("select client, code, count from onceboard.metric_refusals order by code")).toEqual([
      { client: "till", code: "idempotency.key_invalid", count: 1 },
      { client: "till", code: "idempotency.key_missing", count: 4 },
    ]);
  });
});

describe("REPORT-1 the clients page", () => {
  it("has a row per client, worst first, with what it did at the door and in conflict, whether it is kept here or not", async () => {
    await busyHour(hour);
    await rollUp(env.context());
    await env.rows(
      "insert into onceboard.api_clients (tenant_id, id, name, scopes) values ($1, 'c1', 'till', '{payments}'), ($1, 'c2', 'idle', '{payments}')",
      TENANT,
    );
    const { refusals } = env.context();
    refusals.add({ tenantId: TENANT, client: "idle", code: "idempotency.key_missing" });
    await refusals.flush();
    const view = await listClients(env.context({ actor: VIEWER }), { range: "24h" });
    expect(view.rows.map(({ client, registered }) => [client, registered])).toEqual([
      ["till", true],
      ["web", false],
      ["idle", true],
    ]);
    expect(view.rows[0]).toMatchObject({ conflicts: 8, conflictKeys: 4, executed: 5, noKey: 0, afterWindow: 1 });
    expect(view.rows[2]?.verdict.text).toBe("Sends no key: 1 request refused.");
    expect(view.whyNot).toContain("needs the role admin");
  });

  it("ranks each client that is kept here with the first names, and says so where there are more", async () => {
    const hours = (names: readonly string[]) =>
      env.rows(
        `insert into onceboard.metric_clients (tenant_id, bucket, client, measure, count, sum)
         select $1, $2, name, 'outcome:executed', 3, 0 from unnest($3::text[]) name`,
        TENANT,
        new Date(hour),
        names,
      );
    const services = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => `service-${String(from + index)}`);
    await env.rows(
      "insert into onceboard.api_clients (tenant_id, id, name, scopes) values ($1, 'c1', 'till', '{payments}')",
      TENANT,
    );
    await hours(["till", ...services(101, 299)]);
    const list = () => listClients(env.context({ actor: VIEWER }), { range: "24h" });
    const all = await list();
    expect([all.rows.length, all.cut]).toEqual([200, false]);
    expect(all.verdict.text).toBe("200 clients. All used their keys well in 24 h.");
    await hours(services(300, 302));
    const { refusals } = env.context();
    refusals.add({ tenantId: TENANT, client: "service-302", code: "idempotency.key_missing" });
    await refusals.flush();
    const some = await list();
    expect([some.rows.length, some.cut]).toEqual([201, true]);
    expect(some.rows.find(({ client }) => client === "till")).toMatchObject({ requests: 3, executed: 3 });
    // Of a name that is not ranked nothing is said, also not what was refused.
    expect(some.rows.map(({ client }) => client)).not.toContain("service-302");
    expect(some.verdict.text).toBe("201 clients are ranked, not all.");
  });

  it("tells one client in detail: its bars add up, its conflicts are linked, its haste is shown, and what to do", async () => {
    await busyHour(hour);
    await rollUp(env.context());
    const detail = await readClient(env.context({ actor: VIEWER }), { client: "till", range: "24h" });
    expect(detail?.series.find(({ name }) => name === "conflict")?.total).toBe(8);
    expect(detail?.buckets).toHaveLength(24);
    expect(detail?.conflicts[0]?.eventIds).toHaveLength(8);
    expect(detail?.fastRetries.length).toBeGreaterThan(3);
    expect(detail?.fastRetries.every(({ gapMs }) => gapMs < 100)).toBe(true);
    expect(detail?.advice.map(({ name }) => name)).toContain("conflict");
    expect(await readClient(env.context({ actor: VIEWER }), { client: "nobody", range: "24h" })).toBeUndefined();
  });

  it("says who used a key within its last window, before its answer is taken away", async () => {
    const now = Date.now();
    const operationId = await operationAt(now - 2 * HOUR);
    await add(
      rolledEvent(now - 2 * HOUR, { operationId }),
      rolledEvent(now - HOUR, { operationId, outcome: "replayed", type: "replayed" }),
      rolledEvent(now - 10 * MINUTE, { operationId, client: "web", ...conflict([], true) }),
    );
    const ctx = env.context({ actor: VIEWER });
    const view = await clientsOfKey(ctx, { operationId });
    expect(view).toMatchObject({ windowHours: 24, open: true });
    expect(view?.callers.map(({ client, requests, lastOutcome }) => [client, requests, lastOutcome])).toEqual([
      ["web", 1, "conflict"],
      ["till", 2, "replayed"],
    ]);
    expect(await clientsOfKey(ctx, { operationId: uuidv7() })).toBeUndefined();
  });
});
