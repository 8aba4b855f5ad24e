import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import type { EngineContext } from "@/engine/context";
import { answerStatus, type ExecuteAnswer } from "@/engine/execute/answer";
import { execute } from "@/engine/execute/execute";
import { retain } from "@/engine/retention/retain";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

/** What the form of a policy says of keys that were claimed before the change (`carryOver`), on real keys. */
let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
});
afterAll(() => env.close());
afterEach(async () => {
  await env.rows("delete from onceboard.operation_policies");
  await env.faults({ slow_ms: 0, rate_limit: 0, timeout_after_accept: 0 });
});

async function decide(overrides: Partial<OperationPolicy>): Promise<EngineContext> {
  await env.rows(
    `insert into onceboard.operation_policies (tenant_id, operation, overrides, updated_by) values ('acme', 'payments.create', $1, 'test')
     on conflict (tenant_id, operation) do update set overrides = excluded.overrides`,
    JSON.stringify(overrides),
  );
  const ctx = env.context();
  ctx.policies.forget("acme");
  return ctx;
}
/** Declined by the provider. */
const DECLINED = 1_051n;
function pay(ctx: EngineContext, key: string, amountMinor = 1_000n): Promise<ExecuteAnswer> {
  const command = { accountId: "acc_1", amountMinor, currency: "EUR", merchantReference: `ref-${key}`, channel: "web" };
  return execute(ctx, env.operations.createPayment, { key, command, receivedAt: performance.now() });
}
const bodyOf = (answer: ExecuteAnswer): string =>
  "response" in answer ? answer.response.body.toString() : answer.outcome;
/** Bodies as if they had been kept so long ago, in the partition of their day. */
async function agedBy(interval: string): Promise<void> {
  await env.rows(
    `create table onceboard.idempotency_bodies_past partition of onceboard.idempotency_bodies
     for values from ('2000-01-01') to ('${new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)}')`,
  );
  const day = `((now() - ${interval}) at time zone 'utc')::date`;
  await env.rows(`update onceboard.idempotency_bodies set created_at = now() - ${interval}, day = ${day}`);
  await env.rows(`update onceboard.idempotency_requests set body_day = ${day}`);
}
const leaseOf = async (key: string) =>
  (
    await env.rows<{ until: string }>(
      "select locked_until::text as until from onceboard.idempotency_open where key = $1",
      key,
    )
  )[0]?.until;

describe("TRUTH-1 a changed policy and the keys of before it", () => {
  it("a shorter time for bodies takes the older ones: a retry in its window gets 410 with the name of what was made", async () => {
    const before = await decide({ ttlHours: 48, bodyTtlHours: 96 });
    await pay(before, "made");
    await pay(before, "refused", DECLINED);
    await agedBy("interval '30 hours'");
    await retain(before, new Map());
    expect(await pay(before, "made")).toMatchObject({ outcome: "replayed" });
    const after = await decide({ ttlHours: 24, bodyTtlHours: 24 });
    await retain(after, new Map());
    const [made, refused] = [await pay(after, "made"), await pay(after, "refused", DECLINED)];
    for (const answer of [made, refused]) expect(answerStatus(answer, { mismatchStatus: 409 }).status).toBe(410);
    expect(made).toMatchObject({ outcome: "purged", resource: { type: "payment" } });
    expect(refused).toMatchObject({ outcome: "purged", resource: undefined });
  });

  it("what ended keeps its answer, however replays, refusals and failures are treated now", async () => {
    const first = env.context();
    const [made, refused] = [await pay(first, "kept"), await pay(first, "kept-no", DECLINED)];
    const after = await decide({ replay: "reference", refusals: "not_binding" });
    for (const [answer, again] of [
      [made, await pay(after, "kept")],
      [refused, await pay(after, "kept-no", DECLINED)],
    ] as const) {
      expect(again).toMatchObject({ outcome: "replayed", by: "stored" });
      expect(bodyOf(again)).toBe(bodyOf(answer));
    }
    const reference = await decide({ replay: "reference" });
    await pay(reference, "reference");
    expect(await pay(await decide({}), "reference")).toMatchObject({ outcome: "replayed", by: "reference" });
  });

  it("a lease that runs ends when it would have, and what is asked meanwhile is answered by the policy of now", async () => {
    await env.faults({ slow_ms: 350 });
    const running = pay(env.context(), "running");
    await expect.poll(() => leaseOf("running")).toBeDefined();
    const until = await leaseOf("running");
    const after = await decide({ leaseSeconds: 300, inFlight: "accepted" });
    expect(await pay(after, "running")).toMatchObject({ outcome: "in_progress", mode: "accepted" });
    expect(await leaseOf("running")).toBe(until);
    expect((await running).outcome).toBe("executed");
  });

  it("requests under older keys get the status, the waits and the runs of the policy of now", async () => {
    const first = env.context();
    await pay(first, "older");
    await env.faults({ timeout_after_accept: 1 });
    await pay(first, "lost");
    await env.faults({ timeout_after_accept: 0, rate_limit: 1 });
    expect(await pay(first, "failed")).toMatchObject({ outcome: "refused" });
    await env.faults({ rate_limit: 0 });
    const after = await decide({ mismatchStatus: 422, unknownRetryAfter: 77, maxAttempts: 1 });
    expect(answerStatus(await pay(after, "older", 2_000n), { mismatchStatus: 422 }).status).toBe(422);
    await after.answers.flush();
    expect(await env.rows("select status from onceboard.idempotency_events where type = 'conflict'")).toEqual([
      { status: 422 },
    ]);
    expect(await pay(after, "lost")).toMatchObject({ outcome: "unknown", retryAfterSeconds: 77 });
    expect(await pay(after, "failed")).toMatchObject({ error: { code: "idempotency.attempts_exhausted" } });
  });
});
