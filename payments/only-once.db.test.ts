import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import { execute } from "@/engine/execute/execute";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import { reconcileOperation } from "@/engine/recover/reconcile";
import { resolveOperation } from "@/engine/recover/resolve";
import type { RefundCommand } from "./create-refund";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

/** What another key may do to a payment that has a refund: the policy `newKey` of refunds.create. */
let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
});
afterAll(() => env.close());
afterEach(async () => {
  await env.rows("delete from onceboard.operation_policies");
  await env.faults({ timeout_after_accept: 0, rate_limit: 0 });
});

/** Of several processes: each has its own instance, and all their connections are of one pool of sixty. */
async function decide(overrides: Partial<OperationPolicy>): Promise<void> {
  await env.rows("delete from onceboard.operation_policies");
  await env.rows(
    `insert into onceboard.operation_policies (tenant_id, operation, overrides, updated_by) values ('acme', 'refunds.create', $1::jsonb, 'test')`,
    JSON.stringify(overrides),
  );
  env.context().policies.forget("acme");
}

async function paid(reference: string): Promise<string> {
  const command = {
    accountId: "acc_1",
    amountMinor: 1_000n,
    currency: "EUR",
    merchantReference: reference,
    channel: "web",
  };
  const key = `pay ${reference}`;
  await execute(env.context(), env.operations.createPayment, { key, command, receivedAt: performance.now() });
  const [row] = await env.rows<{ id: string }>(
    "select id from payments.payments where merchant_reference = $1",
    reference,
  );
  return row?.id ?? "";
}

const refund = (paymentId: string, key: string, amountMinor = 300n, instance = "test-1"): Promise<ExecuteAnswer> => {
  const command: RefundCommand = { paymentId, amountMinor, currency: "EUR", accountId: "acc_1", reason: undefined };
  return execute(env.context({ instance }), env.operations.createRefund, {
    key,
    command,
    receivedAt: performance.now(),
  });
};
const refundsOf = (paymentId: string) =>
  env.rows<{ id: string; status: string; operation_id: string }>(
    "select id, status, operation_id from payments.refunds where payment_id = $1 order by created_at",
    paymentId,
  );
const kept = (answer: ExecuteAnswer): unknown =>
  "response" in answer ? { outcome: answer.outcome, code: answer.errorCode, body: bodyOf(answer) } : answer;
const bodyOf = (answer: ExecuteAnswer): Record<string, unknown> =>
  "response" in answer ? (JSON.parse(answer.response.body.toString()) as Record<string, unknown>) : {};
const state = async (key: string): Promise<string | undefined> =>
  (await env.rows<{ state: string }>("select state from onceboard.idempotency_requests where key = $1", key))[0]?.state;

describe("ONCE-1 another key for a payment that has a refund", () => {
  it("refunds again up to what is left, as long as nobody decided otherwise", async () => {
    const paymentId = await paid("again");
    for (const key of ["again 1", "again 2"]) expect((await refund(paymentId, key)).outcome).toBe("executed");
    expect(kept(await refund(paymentId, "again 3", 500n))).toMatchObject({ code: "refund.exceeds_remaining" });
    expect(await refundsOf(paymentId)).toHaveLength(2);
  });

  it("is refused under `once`, for good, and told which refund there is; the first key is still a replay", async () => {
    await decide({ newKey: "once" });
    const paymentId = await paid("once");
    expect((await refund(paymentId, "once 1")).outcome).toBe("executed");
    const second = await refund(paymentId, "once 2");
    const [first] = await refundsOf(paymentId);
    const told = { code: "refund.only_once", status: 409, refundId: first?.id, refundOperationId: first?.operation_id };
    expect(kept(second)).toMatchObject({ outcome: "executed", code: "refund.only_once", body: told });
    expect(await state("once 2")).toBe("FAILED_REPLAYABLE");
    expect(kept(await refund(paymentId, "once 2"))).toMatchObject({ outcome: "replayed", body: told });
    expect((await refund(paymentId, "once 1")).outcome).toBe("replayed");
    expect(await refundsOf(paymentId)).toHaveLength(1);
    // Another payment has its own one.
    expect((await refund(await paid("once, other"), "once 3")).outcome).toBe("executed");
  });

  it("frees its key where refusals do not bind", async () => {
    await decide({ newKey: "once", refusals: "not_binding" });
    const paymentId = await paid("free");
    await refund(paymentId, "free 1");
    expect(await refund(paymentId, "free 2")).toMatchObject({
      outcome: "refused",
      error: { code: "refund.only_once" },
    });
    expect(await state("free 2")).toBe("FAILED_RETRYABLE");
    await decide({ newKey: "again" });
    expect((await refund(paymentId, "free 2")).outcome).toBe("executed");
  });

  it("counts what was refunded before it was decided", async () => {
    const paymentId = await paid("before");
    for (const key of ["before 1", "before 2"]) await refund(paymentId, key);
    await decide({ newKey: "once" });
    expect(kept(await refund(paymentId, "before 3"))).toMatchObject({ code: "refund.only_once" });
    expect((await refund(paymentId, "before 2")).outcome).toBe("replayed");
  });
});

describe("ONCE-2 exactly one refund", () => {
  it("is made of twenty new keys at once, each on a connection of its own", async () => {
    await decide({ newKey: "once" });
    const paymentId = await paid("race");
    const before = (await env.ledger()).filter(({ kind }) => kind === "refund").length;
    // Held until all of them wait for the payment: then every one decides after all have begun.
    const holder = await env.owner.pool.connect();
    await holder.query("begin");
    await holder.query({ text: "select 1 from payments.payments where id = $1 for update", values: [paymentId] });
    const asked = Array.from({ length: 20 }, (_, at) =>
      refund(paymentId, `race ${String(at)}`, 100n, `process-${String(at % 4)}`),
    );
    const waiting = () =>
      env.rows("select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'");
    await expect.poll(waiting).toHaveLength(20);
    await holder.query("commit");
    holder.release();
    const answers = await Promise.all(asked);
    const made = answers.filter((answer) => answer.outcome === "executed" && answer.errorCode === undefined);
    expect(made).toHaveLength(1);
    for (const answer of answers.filter((each) => each !== made[0])) {
      const code =
        answer.outcome === "refused" ? answer.error.code : "response" in answer ? answer.errorCode : answer.outcome;
      expect(["refund.only_once", "payment.not_settled"]).toContain(code);
    }
    expect(await refundsOf(paymentId)).toMatchObject([{ status: "succeeded" }]);
    expect((await env.ledger()).filter(({ kind }) => kind === "refund")).toHaveLength(before + 1);
  });

  it("stays while the outcome of the first is unknown: a second key may come again, and is refused once it took effect", async () => {
    await decide({ newKey: "once" });
    const paymentId = await paid("unknown");
    await env.faults({ timeout_after_accept: 1 });
    const lost = await refund(paymentId, "unknown 1");
    await env.faults({ timeout_after_accept: 0 });
    expect(await state("unknown 1")).toBe("UNKNOWN_REQUIRES_RECOVERY");
    const [first] = await refundsOf(paymentId);
    expect(await refund(paymentId, "unknown 2")).toMatchObject({
      outcome: "refused",
      error: { code: "payment.not_settled", retryable: true, retryAfter: 2, extensions: { refundId: first?.id } },
    });
    expect(await state("unknown 2")).toBe("FAILED_RETRYABLE");
    await reconcileOperation(env.context(), env.registry, { operationId: lost.operation?.operationId ?? "" });
    expect(await state("unknown 1")).toBe("COMPLETED");
    expect(kept(await refund(paymentId, "unknown 2"))).toMatchObject({ code: "refund.only_once" });
    expect(await refundsOf(paymentId)).toHaveLength(1);
  });

  it("is not used up by a refund that the provider declined, or never took", async () => {
    await decide({ newKey: "once" });
    const paymentId = await paid("failed");
    await env.faults({ rate_limit: 1 });
    expect(await refund(paymentId, "failed 1")).toMatchObject({ outcome: "refused" });
    await env.faults({ rate_limit: 0 });
    expect(await state("failed 1")).toBe("FAILED_RETRYABLE");
    await env.faults({ timeout_after_accept: 1 });
    const lost = await refund(paymentId, "declined");
    await env.faults({ timeout_after_accept: 0 });
    const operationId = lost.operation?.operationId ?? "";
    const evidence = ["the provider's desk said so"];
    await resolveOperation(env.context(), env.registry, {
      operationId,
      decision: "failed",
      evidence,
      reason: "a test",
    });
    expect(await refundsOf(paymentId)).toMatchObject([{ status: "failed" }]);
    expect(kept(await refund(paymentId, "failed 2"))).toMatchObject({ outcome: "executed", code: undefined });
    expect(kept(await refund(paymentId, "failed 1"))).toMatchObject({ code: "refund.only_once" });
    expect((await refundsOf(paymentId)).map(({ status }) => status)).toEqual(["failed", "succeeded"]);
  });
});
