import { spawn } from "node:child_process";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import { execute } from "@/engine/execute/execute";
import { recoverDue } from "@/engine/recover/recover-due";
import { createStripeProvider } from "./provider/stripe/adapter";
import { startStripeSandbox, type StripeSandbox } from "./stripe-sandbox/server";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

const SECRET = "sk_test_canary_0123456789";
let stripe: StripeSandbox;
let env: TestEnvironment;
beforeAll(async () => {
  stripe = await startStripeSandbox({ port: 0 });
  env = await createTestEnvironment({ providerTimeoutMs: 800 }, () =>
    createStripeProvider({ secretKey: SECRET, apiBase: stripe.url }),
  );
});
afterAll(async () => {
  await env.close();
  await stripe.close();
});
beforeEach(() => control("reset", {}));
// What one test leaves unknown must not fall due in the next.
afterEach(() => env.rows("update onceboard.idempotency_open set next_check_at = null"));

async function control(path: string, body?: unknown): Promise<unknown> {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(`${stripe.url}/_control/${path}`, init);
  expect(response.status).toBe(200);
  return response.json();
}
const faults = (body: unknown) => control("faults", body);
interface Made {
  readonly id: string;
  readonly amount: number;
  readonly status: string;
  readonly metadata: Record<string, string>;
}
const ledger = () =>
  control("ledger") as Promise<{ payments: Made[]; refunds: Made[]; requests: Record<string, number> }>;
/** Payments that Stripe took for a merchant reference. */
const taken = async (key: string) =>
  (await ledger()).payments.filter((made) => made.metadata["reference"] === `ref-${key}`);
const requests = async () => Object.values((await ledger()).requests);

function pay(key: string, amountMinor = 4200n, instance = "test-1"): Promise<ExecuteAnswer> {
  const command = { accountId: "acc_1", amountMinor, currency: "EUR", merchantReference: `ref-${key}`, channel: "web" };
  return execute(env.context({ instance }), env.operations.createPayment, { key, command, receivedAt: 0 });
}
async function paid(key: string): Promise<string> {
  const answer = await pay(key);
  if (answer.outcome !== "executed") throw new Error(answer.outcome);
  return (JSON.parse(answer.response.body.toString()) as { paymentId: string }).paymentId;
}
function refund(key: string, paymentId: string, amountMinor: bigint): Promise<ExecuteAnswer> {
  const command = { paymentId, accountId: "acc_1", amountMinor, currency: "EUR", reason: undefined };
  return execute(env.context(), env.operations.createRefund, { key, command, receivedAt: 0 });
}
function voidOf(key: string, paymentId: string): Promise<ExecuteAnswer> {
  const command = { paymentId, accountId: "acc_1", amountMinor: 4200n, currency: "EUR" };
  return execute(env.context(), env.operations.voidPayment, { key, command, receivedAt: 0 });
}
async function state(key: string): Promise<{ id: string; state: string; finding: string | null }> {
  const [row] = await env.rows<{ id: string; state: string; finding: string | null }>(
    `select r.operation_id as id, r.state, o.last_finding as finding from onceboard.idempotency_requests r
     left join onceboard.idempotency_open o using (tenant_id, operation_id) where r.key = $1`,
    key,
  );
  if (row === undefined) throw new Error(`no operation ${key}`);
  return row;
}
async function older(key: string, by: string): Promise<void> {
  const { id } = await state(key);
  for (const change of [
    `update onceboard.idempotency_open set opened_at = opened_at - interval '${by}' where operation_id = $1`,
    `update onceboard.provider_requests set sent_at = sent_at - interval '${by}' where operation_id = $1`,
    `update payments.payments set created_at = created_at - interval '${by}' where operation_id = $1`,
  ])
    await env.rows(change, id);
}
async function recover(key: string) {
  await env.rows("update onceboard.idempotency_open set next_check_at = clock_timestamp() where key = $1", key);
  return recoverDue(env.context({ instance: "worker-1" }), env.registry, { limit: 5 });
}
const replayed = (status: number) => ({ outcome: "replayed", response: { status } });

describe("PROVIDER-1 through Stripe", () => {
  it("pays, refunds and voids once each, and replays what it answered", async () => {
    const paymentId = await paid("p1");
    expect(await pay("p1")).toMatchObject(replayed(201));
    expect(await refund("r1", paymentId, 1000n)).toMatchObject({ outcome: "executed", response: { status: 201 } });
    expect(await refund("r1", paymentId, 1000n)).toMatchObject(replayed(201));
    const other = await paid("p2");
    expect(await voidOf("v1", other)).toMatchObject({ outcome: "executed", response: { status: 200 } });
    expect(await voidOf("v1", other)).toMatchObject(replayed(200));
    const { payments, refunds } = await ledger();
    expect(payments.map((made) => [made.amount, made.status])).toEqual([
      [4200, "succeeded"],
      [4200, "succeeded"],
    ]);
    expect(refunds.map((made) => made.amount)).toEqual([1000, 4200]);
    expect(await requests()).toEqual([1, 1, 1, 1]);
    const [row] = await env.rows<{ provider_reference: string; provider_key: string }>(
      "select provider_reference, provider_key from payments.payments where id = $1",
      paymentId,
    );
    expect(row?.provider_reference).toBe(payments[0]?.id);
    expect(payments[0]?.metadata["onceboard_key"]).toBe(row?.provider_key);
  });

  it("REFUSAL-1 a decline is a refusal that binds, with the bank's word", async () => {
    const declined = await pay("poor", 4251n);
    expect(declined).toMatchObject({ outcome: "executed", response: { status: 402 } });
    expect(await pay("poor", 4251n)).toMatchObject(replayed(402));
    const body = declined.outcome === "executed" ? declined.response.body.toString() : "";
    expect(body).toContain("payment.insufficient_funds");
    expect((await state("poor")).state).toBe("FAILED_REPLAYABLE");
    expect(await requests()).toEqual([1]);
  });

  it("CONFLICT-1 another command under the key is a conflict, and Stripe is not asked", async () => {
    await paid("conflict");
    expect(await pay("conflict", 4300n)).toMatchObject({ outcome: "conflict", differingFields: ["amount"] });
    expect(await requests()).toEqual([1]);
  });
});

describe("a lost answer of Stripe", () => {
  it.each(["timeout_after_accept", "reset_after_accept", "garbage"])(
    "RECOVERY-2 %s: the look-up settles it, with one charge in Stripe's ledger and one request",
    async (fault) => {
      const key = `lost-${fault}`;
      await faults({ [fault]: true });
      expect(await pay(key)).toMatchObject({ outcome: "refused", error: { certainty: "indefinite" } });
      await faults({ [fault]: false });
      expect(await pay(key)).toMatchObject({ outcome: "unknown" });
      expect(await recover(key)).toMatchObject({ settled: 1 });
      expect(await pay(key)).toMatchObject(replayed(201));
      expect(await taken(key)).toHaveLength(1);
      expect(await requests()).toEqual([1]);
    },
  );

  it("RECOVERY-5 search that lags frees nothing and sends nothing: the list shows the payment", async () => {
    await faults({ timeout_after_accept: 1, search_lag_ms: 3_600_000 });
    await pay("lagging");
    expect(await recover("lagging")).toMatchObject({ settled: 1 });
    expect(await taken("lagging")).toHaveLength(1);
    expect(await requests()).toEqual([1]);
  });

  it("RECOVERY-5 nor when the list is away: unreachable, however long ago it was sent", async () => {
    await faults({ timeout_after_accept: 1, search_lag_ms: 3_600_000, list_down: true });
    await pay("blind");
    await older("blind", "1 hour");
    expect(await recover("blind")).toMatchObject({ unknown: 1 });
    expect(await state("blind")).toMatchObject({
      state: "UNKNOWN_REQUIRES_RECOVERY",
      finding: "the provider answered 500",
    });
    await faults({ list_down: false });
    expect(await recover("blind")).toMatchObject({ settled: 1 });
    expect(await requests()).toEqual([1]);
  });

  it("RECOVERY-3 a request that never arrived goes out again under the same key, once", async () => {
    await faults({ timeout_before: 1 });
    await pay("never");
    expect(await recover("never")).toMatchObject({ settled: 1 });
    expect(await taken("never")).toHaveLength(1);
    expect(await requests()).toEqual([2]);
  });

  it("RECOVERY-4 and when it stays away for long the key is free, and the next attempt pays once", async () => {
    await faults({ timeout_before: 1 });
    await pay("gone");
    await older("gone", "11 minutes");
    expect(await recover("gone")).toMatchObject({ released: 1 });
    expect((await state("gone")).state).toBe("FAILED_RETRYABLE");
    expect(await pay("gone")).toMatchObject({ outcome: "executed", response: { status: 201 } });
    expect(await taken("gone")).toHaveLength(1);
  });

  it("RECOVERY-2 a kept 500 after the effect is settled by the look-up, not by repeating it", async () => {
    await faults({ error_after_accept: 1 });
    await pay("frozen");
    expect((await state("frozen")).state).toBe("UNKNOWN_REQUIRES_RECOVERY");
    expect(await recover("frozen")).toMatchObject({ settled: 1 });
    expect(await taken("frozen")).toHaveLength(1);
    expect(await requests()).toEqual([1]);
  });

  it("CERTAINTY-1 a kept 500 without an effect is replayed to the repeated request and stays unknown until it is old", async () => {
    await faults({ error_frozen: 1 });
    await pay("empty");
    expect(await recover("empty")).toMatchObject({ unknown: 1 });
    expect((await state("empty")).finding).toBe("the provider answered 500, replayed from its first try");
    await older("empty", "11 minutes");
    expect(await recover("empty")).toMatchObject({ released: 1 });
    expect(await taken("empty")).toHaveLength(0);
  });

  it("RECOVERY-2 refunds and voids are found among those of their charge", async () => {
    const refunded = await paid("r-base");
    const voided = await paid("v-base");
    await faults({ timeout_after_accept: 2 });
    await refund("r-lost", refunded, 700n);
    await voidOf("v-lost", voided);
    expect(await recover("r-lost")).toMatchObject({ settled: 1 });
    expect(await recover("v-lost")).toMatchObject({ settled: 1 });
    expect(await refund("r-lost", refunded, 700n)).toMatchObject(replayed(201));
    expect(await voidOf("v-lost", voided)).toMatchObject(replayed(200));
    expect((await ledger()).refunds.map((made) => made.amount)).toEqual([700, 4200]);
    expect(await requests()).toEqual([1, 1, 1, 1]);
  });

  it("CERTAINTY-7 another command under our key at Stripe contradicts, and is never freed", async () => {
    await faults({ timeout_before: 1 });
    await pay("stolen");
    const [open] = await env.rows<{ provider_key: string }>(
      "select provider_key from onceboard.idempotency_open where key = 'stolen'",
    );
    await fetch(`${stripe.url}/v1/payment_intents`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${SECRET}`,
        "idempotency-key": open?.provider_key ?? "",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: "amount=1&currency=eur&confirm=true&payment_method=pm_card_visa",
    });
    expect(await recover("stolen")).toMatchObject({ unknown: 1 });
    expect((await state("stolen")).finding).toBe("the provider has another command under this key");
    await older("stolen", "1 hour");
    expect(await recover("stolen")).toMatchObject({ unknown: 1 });
    expect((await state("stolen")).state).toBe("UNKNOWN_REQUIRES_RECOVERY");
  });

  it("CERTAINTY-2 what Stripe refuses before it acts frees the key; a refusal that no retry heals says so", async () => {
    await faults({ rate_limit: 1 });
    expect(await pay("limited")).toMatchObject({
      outcome: "refused",
      error: { code: "dependency.unavailable", retryable: true, retryAfter: 1 },
    });
    expect((await state("limited")).state).toBe("FAILED_RETRYABLE");
    expect(await pay("limited")).toMatchObject({ outcome: "executed" });
    const paymentId = await paid("no-reference");
    await env.rows("update payments.payments set provider_reference = 'a person said so' where id = $1", paymentId);
    expect(await refund("unnamed", paymentId, 100n)).toMatchObject({
      outcome: "refused",
      error: { code: "dependency.refused", retryable: false, certainty: "definite" },
    });
    expect((await state("unnamed")).state).toBe("FAILED_RETRYABLE");
  });
});

describe("a caller killed while Stripe answers", () => {
  it("RECOVERY-2 with -9 after the charge: recovery settles with the same key, one charge", async () => {
    await faults({ timeout_after_accept: 1 });
    const args = [env.url, stripe.url, env.encryptionKeys, "killed", "ref-killed", SECRET];
    const child = spawn(process.execPath, ["--import", "tsx", "tests/support/pay-once.ts", ...args], {
      stdio: "ignore",
    });
    const ended = new Promise<NodeJS.Signals | null>((resolve) =>
      child.once("exit", (_code, signal) => resolve(signal)),
    );
    await expect.poll(async () => (await taken("killed")).length, { timeout: 20_000 }).toBe(1);
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
    expect((await state("killed")).state).toBe("IN_PROGRESS");
    expect((await pay("killed")).outcome).toBe("in_progress");
    await env.rows(
      "update onceboard.idempotency_open set locked_until = clock_timestamp() - interval '1 second' where key = 'killed'",
    );
    const workers = ["worker-1", "worker-2"].map((instance) =>
      recoverDue(env.context({ instance }), env.registry, { limit: 5 }),
    );
    const settled = (await Promise.all(workers)).reduce((sum, result) => sum + result.settled, 0);
    expect(settled).toBe(1);
    expect(await pay("killed")).toMatchObject(replayed(201));
    expect(await taken("killed")).toHaveLength(1);
    expect(await requests()).toEqual([1]);
  });
});
