import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { v7 as uuidv7 } from "uuid";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import type { EngineContext } from "@/engine/context";
import { execute } from "@/engine/execute/execute";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

/** What the notes of the charts say that an answer is counted as, of real answers. */
let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
});
afterAll(() => env.close());
afterEach(async () => {
  await env.rows("delete from onceboard.operation_policies");
  await env.faults({ slow_ms: 0 });
});

async function decide(overrides: Partial<OperationPolicy>): Promise<EngineContext> {
  await env.rows(
    "insert into onceboard.operation_policies (tenant_id, operation, overrides, updated_by) values ('acme', 'payments.create', $1, 'test')",
    JSON.stringify(overrides),
  );
  const ctx = env.context();
  ctx.policies.forget("acme");
  return ctx;
}
/** Declined by the provider. */
const DECLINED = 1_051n;
function pay(key: string, { amountMinor = 1_000n, ctx = env.context(), receivedAt = performance.now() } = {}) {
  const command = { accountId: "acc_1", amountMinor, currency: "EUR", merchantReference: `ref-${key}`, channel: "web" };
  return execute(ctx, env.operations.createPayment, { key, command, receivedAt });
}
/** The newest answer, as the roll-up reads it. */
async function told(): Promise<readonly [outcome: string, status: number] | undefined> {
  await env.context().answers.flush();
  const [row] = await env.rows<{ outcome: string; status: number }>(
    "select outcome, status from onceboard.idempotency_events where outcome is not null order by at desc, id desc limit 1",
  );
  return row && [row.outcome, row.status];
}
const charges = async () => (await env.ledger()).length;

describe("TRUTH-1 what an answer is counted as", () => {
  it("executed: the first answer of a key, a success or a refusal for good, and no refusal that frees the key", async () => {
    await pay("first");
    expect(await told()).toEqual(["executed", 201]);
    await pay("refused", { amountMinor: DECLINED });
    expect(await told()).toEqual(["executed", 402]);
    await pay("freed", { amountMinor: DECLINED, ctx: await decide({ refusals: "not_binding" }) });
    expect((await told())?.[0]).toBe("failed");
  });

  it("replayed: the same command again, without another charge", async () => {
    await pay("again");
    const before = await charges();
    await pay("again");
    expect(await told()).toEqual(["replayed", 201]);
    expect(await charges()).toBe(before);
  });

  it("conflict: another command or another client under the key, refused and charged nothing", async () => {
    await pay("used");
    const before = await charges();
    await pay("used", { amountMinor: 2_000n });
    expect(await told()).toEqual(["conflict", 409]);
    await pay("used", { ctx: env.context({ client: "kiosk" }) });
    expect(await told()).toEqual(["conflict", 409]);
    expect(await charges()).toBe(before);
  });

  it.each([
    ["conflict", 409],
    ["accepted", 202],
  ] as const)("in progress: %s is told %i", async (inFlight, status) => {
    const ctx = await decide({ inFlight });
    await env.faults({ slow_ms: 300 });
    const first = pay(`busy-${inFlight}`);
    await expect
      .poll(() => env.rows("select 1 from onceboard.idempotency_open where key = $1", `busy-${inFlight}`))
      .toHaveLength(1);
    await pay(`busy-${inFlight}`, { ctx });
    expect(await told()).toEqual(["in_progress", status]);
    await first;
  });

  it("expired: a key whose window is over, and one that is older than all records", async () => {
    await pay("over");
    await env.rows("update onceboard.idempotency_requests set expires_at = clock_timestamp() where key = 'over'");
    await pay("over");
    expect(await told()).toEqual(["expired_retry", 410]);
    await pay(uuidv7({ msecs: Date.now() - 31 * 86_400_000 }));
    expect(await told()).toEqual(["expired_retry", 410]);
  });

  it("how long each took from its request, and the time from one request of a key to the next", async () => {
    await pay("timed", { receivedAt: performance.now() - 5_000 });
    await pay("timed", { receivedAt: performance.now() - 9_000 });
    await env.context().answers.flush();
    const [first, again] = await env.rows<{ latency: number; delay: number | null; between: number }>(
      `select e.latency_ms as latency, e.delay_ms as delay,
         (extract(epoch from e.at - min(e.at) over ()) * 1000)::int as between
       from onceboard.idempotency_events e join onceboard.idempotency_requests r using (operation_id)
       where r.key = 'timed' and e.outcome is not null order by e.at`,
    );
    expect(first?.latency).toBeGreaterThanOrEqual(5_000);
    expect(first?.latency).toBeLessThan(9_000);
    expect(again?.latency).toBeGreaterThanOrEqual(9_000);
    expect(first?.delay).toBeNull();
    // A claim is written to the microsecond, an answer to the millisecond.
    expect(Math.abs((again?.delay ?? NaN) - (again?.between ?? NaN))).toBeLessThanOrEqual(1);
  });
});
