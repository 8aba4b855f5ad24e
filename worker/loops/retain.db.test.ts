import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEngineTestEnvironment, type EngineTestEnvironment } from "@/engine/testing/environment";
import { retainLoop } from "./retain";

const TENANTS = ["acme", "globex", "initech"];
/** Of each tenant: three batches and some, so that nobody is done in one turn. */
const DUE = 1_700;

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
  await env.rows(
    "insert into onceboard.tenants (id, name) select t, t from unnest($1::text[]) t on conflict do nothing",
    TENANTS,
  );
  await env.rows(
    `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version, api_version, state, body_day,
       created_at, updated_at, completed_at, expires_at, purge_after)
     select t, 'orders.place', 'due-' || n, gen_random_uuid(), 'till', '\\x00', 1, '1', 'COMPLETED', at::date, at - interval '1 day', at, at, at, at + interval '50 days'
     from unnest($1::text[]) t cross join generate_series(1, ${String(DUE)}) n
     cross join lateral (select now() - interval '3 hours' + n * interval '1 millisecond' as at) w`,
    TENANTS,
  );
});
afterAll(() => env.close());

const expired = async () =>
  (
    await env.rows<{ count: number }>(
      `select (count(*) filter (where r.state = 'EXPIRED'))::int as count from onceboard.idempotency_requests r group by r.tenant_id order by r.tenant_id`,
    )
  ).map(({ count }) => count);

describe("the loop of retention", () => {
  it("RETENTION-11 ends its tick when its time is over, and every tenant has its turn before one has a second", async () => {
    const loop = retainLoop(60_000, { tickMs: 0 });
    const tick = () => loop.tick({ engine: env.base });
    expect(await tick()).toMatchObject({ expired: 500, left: 3 });
    expect(await expired()).toEqual([500, 0, 0]);
    await tick();
    expect(await expired()).toEqual([500, 500, 0]);
    await tick();
    expect(await expired()).toEqual([500, 500, 500]);
    await tick();
    expect(await expired()).toEqual([1_000, 500, 500]);
    expect(loop.busy(await tick())).toBe(true);
    // With time enough the rest of all of them goes in one.
    const last = await retainLoop(60_000).tick({ engine: env.base });
    expect(last).toMatchObject({ expired: 3 * DUE - 2_500, left: 0 });
    expect(await expired()).toEqual([DUE, DUE, DUE]);
  });
});
