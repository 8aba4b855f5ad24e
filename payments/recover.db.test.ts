import { spawn } from "node:child_process";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { settlingEvidence } from "@/db/operations/settling-evidence";
import { complete } from "@/db/operations/complete";
import { markSent } from "@/db/provider/provider-calls";
import { takeOver } from "@/db/operations/take-over";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import { execute } from "@/engine/execute/execute";
import { recoverDue } from "@/engine/recover/recover-due";
import { reconcileOperation } from "@/engine/recover/reconcile";
import { resolveOperation } from "@/engine/recover/resolve";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
});
afterAll(() => env.close());
beforeEach(() =>
  env.faults({
    slow_ms: 0,
    timeout_after_accept: 0,
    timeout_before: 0,
    error_after_accept: 0,
    lookup_down: 0,
    processing: 0,
    garbage: 0,
  }),
);
// What one test leaves unknown must not fall due in the next.
afterEach(() => env.rows("update onceboard.idempotency_open set next_check_at = null"));

function pay(key: string, instance = "test-1"): Promise<ExecuteAnswer> {
  const command = {
    accountId: "acc_1",
    amountMinor: 4200n,
    currency: "EUR",
    merchantReference: `ref-${key}`,
    channel: "web",
  };
  return execute(env.context({ instance }), env.operations.createPayment, { key, command, receivedAt: 0 });
}
interface Row {
  readonly operation_id: string;
  readonly state: string;
  readonly fence: number;
}
async function operation(key: string): Promise<Row> {
  const [row] = await env.rows<Row>(
    "select operation_id, state, fence from onceboard.idempotency_requests where key = $1",
    key,
  );
  if (row === undefined) throw new Error(`no operation ${key}`);
  return row;
}
async function stale(key: string): Promise<void> {
  await env.rows(
    "update onceboard.idempotency_open set locked_until = clock_timestamp() - interval '1 second' where key = $1",
    key,
  );
}
async function due(key: string): Promise<void> {
  await env.rows("update onceboard.idempotency_open set next_check_at = clock_timestamp() where key = $1", key);
}
async function accepted(key: string): Promise<number> {
  const [payment] = await env.rows<{ provider_key: string }>(
    "select provider_key from payments.payments where merchant_reference = $1",
    `ref-${key}`,
  );
  return (await env.ledger()).filter((row) => row.providerKey === payment?.provider_key).length;
}
const worker = () => env.context({ instance: "worker-1" });

/** Leaves an operation as an owner that died at a stage would. */
async function abandoned(
  key: string,
  stage: "RECEIVED" | "LOCAL_PAYMENT_CREATED" | "PROVIDER_REQUEST_SENT",
): Promise<Row> {
  await env.faults(stage === "PROVIDER_REQUEST_SENT" ? { timeout_after_accept: 1 } : { timeout_before: 1 });
  await pay(key);
  await env.faults({ timeout_after_accept: 0, timeout_before: 0 });
  await env.rows("update onceboard.idempotency_requests set state = 'IN_PROGRESS' where key = $1", key);
  await env.rows(
    `update onceboard.idempotency_open set stage = $2, unknown_since = null, next_check_at = null, owner = 'dead-1',
       locked_until = clock_timestamp() - interval '1 second' where key = $1`,
    key,
    stage,
  );
  return operation(key);
}

describe("a lost answer", () => {
  it("CERTAINTY-1 is unknown, never failed; recovery settles it with the same provider key and one charge", async () => {
    await env.faults({ timeout_after_accept: 1 });
    const first = await pay("lost");
    expect(first).toMatchObject({ outcome: "refused", error: { code: "dependency.timeout", certainty: "indefinite" } });
    expect((await operation("lost")).state).toBe("UNKNOWN_REQUIRES_RECOVERY");
    expect(await pay("lost")).toMatchObject({ outcome: "unknown" });
    await env.faults({ timeout_after_accept: 0 });
    await due("lost");
    expect(await recoverDue(worker(), env.registry, { limit: 5 })).toMatchObject({ taken: 1, settled: 1 });
    expect(await pay("lost")).toMatchObject({ outcome: "replayed", response: { status: 201 } });
    expect(await accepted("lost")).toBe(1);
  });

  it.each(["error_after_accept", "garbage"])("CERTAINTY-1 an answer of kind %s is indefinite too", async (fault) => {
    await env.faults({ [fault]: 1 });
    await pay(`lost-${fault}`);
    await env.faults({ [fault]: 0 });
    expect((await operation(`lost-${fault}`)).state).toBe("UNKNOWN_REQUIRES_RECOVERY");
    await due(`lost-${fault}`);
    await recoverDue(worker(), env.registry, { limit: 5 });
    expect(await accepted(`lost-${fault}`)).toBe(1);
    expect((await operation(`lost-${fault}`)).state).toBe("COMPLETED");
  });

  it("RECOVERY-3 a request that never arrived is sent again under the same provider key", async () => {
    await env.faults({ timeout_before: 1 });
    await pay("never");
    await env.faults({ timeout_before: 0 });
    await due("never");
    expect(await recoverDue(worker(), env.registry, { limit: 5 })).toMatchObject({ settled: 1 });
    expect(await accepted("never")).toBe(1);
  });

  it("RECOVERY-5 a provider that cannot be asked leaves it unknown, with the next look-up planned", async () => {
    await env.faults({ timeout_after_accept: 1 });
    await pay("deaf");
    await env.faults({ timeout_after_accept: 0, lookup_down: 1 });
    await due("deaf");
    expect(await recoverDue(worker(), env.registry, { limit: 5 })).toMatchObject({ taken: 1, unknown: 1 });
    const [open] = await env.rows<{ checks: number; waits: boolean }>(
      "select checks, next_check_at > clock_timestamp() as waits from onceboard.idempotency_open where key = 'deaf'",
    );
    expect(open).toEqual({ checks: 1, waits: true });
    await env.faults({ lookup_down: 0 });
    await due("deaf");
    expect(await recoverDue(worker(), env.registry, { limit: 5 })).toMatchObject({ settled: 1 });
  });
});

const POST = (body: unknown, key: string) => ({
  method: "POST",
  headers: { "idempotency-key": key },
  body: JSON.stringify(body),
});
async function providerKey(key: string): Promise<string> {
  const [open] = await env.rows<{ provider_key: string }>(
    "select provider_key from onceboard.idempotency_open where key = $1",
    key,
  );
  return open?.provider_key ?? "";
}
/** Moves an operation and all that was sent for it into the past. */
async function older(key: string, by: string): Promise<void> {
  const { operation_id: id } = await operation(key);
  await env.rows(
    `update onceboard.idempotency_open set opened_at = opened_at - $2::interval where operation_id = $1`,
    id,
    by,
  );
  await env.rows(
    `update onceboard.provider_requests set sent_at = sent_at - $2::interval where operation_id = $1`,
    id,
    by,
  );
}
async function openRow(
  key: string,
): Promise<{ finding: string | null; planned: boolean; leased: boolean } | undefined> {
  const [row] = await env.rows<{ finding: string | null; planned: boolean; leased: boolean }>(
    `select last_finding as finding, next_check_at is not null as planned, locked_until is not null as leased
     from onceboard.idempotency_open where key = $1`,
    key,
  );
  return row;
}
async function requestsSeen(key: string): Promise<number> {
  const name = await providerKey(key);
  const response = await fetch(`${env.sandboxUrl}/_control/ledger?providerKey=${name}`);
  return ((await response.json()) as { requests: Record<string, number> }).requests[name] ?? 0;
}

describe("a provider that contradicts us", () => {
  it("CERTAINTY-5 keeps the outcome unknown for good: nothing is freed and nothing sent, whatever it says later", async () => {
    await env.faults({ timeout_before: 1 });
    await pay("contradicted");
    await env.faults({ timeout_before: 0 });
    const name = await providerKey("contradicted");
    // Somebody else made something under our key, with another amount.
    await fetch(`${env.sandboxUrl}/v1/charges`, POST({ amount: "9900", currency: "EUR", accountId: "acc_1" }, name));
    await due("contradicted");
    expect(await recoverDue(worker(), env.registry, { limit: 5 })).toMatchObject({ taken: 1, unknown: 1 });
    const { operation_id: id, state } = await operation("contradicted");
    expect(state).toBe("UNKNOWN_REQUIRES_RECOVERY");
    expect(await openRow("contradicted")).toMatchObject({ finding: "the provider has another amount or currency" });
    expect(
      await env.rows("select outcome from onceboard.provider_requests where operation_id = $1 and kind = 'lookup'", id),
    ).toEqual([{ outcome: "contradicting" }]);
    expect(await pay("contradicted")).toMatchObject({ outcome: "unknown" });
    // A provider that forgets it afterwards does not free the key either.
    await fetch(`${env.sandboxUrl}/_control/reset`, { method: "POST" });
    await older("contradicted", "1 hour");
    await due("contradicted");
    expect(await recoverDue(worker(), env.registry, { limit: 5 })).toMatchObject({ unknown: 1 });
    expect(await openRow("contradicted")).toMatchObject({
      finding: "the provider knew of it before and does not now",
    });
    expect(await accepted("contradicted")).toBe(0);
  });

  it("CERTAINTY-7 that has another command under our key frees nothing, though this call did nothing", async () => {
    const { createPayment } = env.operations;
    const send: typeof createPayment.send = async (ctx, id) => {
      const [row] = await env.rows<{ provider_key: string }>(
        "select provider_key from payments.payments where operation_id = $1",
        id,
      );
      const other = POST({ amount: "1", currency: "EUR", accountId: "acc_2" }, row?.provider_key ?? "");
      await fetch(`${env.sandboxUrl}/v1/charges`, other);
      return createPayment.send(ctx, id);
    };
    const command = {
      accountId: "acc_1",
      amountMinor: 4200n,
      currency: "EUR",
      merchantReference: "ref-reused",
      channel: "web",
    };
    const request = { key: "reused", command, receivedAt: 0 };
    const first = await execute(env.context(), { ...createPayment, send }, request);
    expect(first).toMatchObject({ outcome: "refused", error: { certainty: "indefinite" } });
    expect((await operation("reused")).state).toBe("UNKNOWN_REQUIRES_RECOVERY");
    expect(await openRow("reused")).toMatchObject({ finding: "the provider has another command under this key" });
  });
});

describe("the end of asking", () => {
  it("RECOVERY-6 comes 72 hours after the claim: then only a person asks, and still may", async () => {
    await env.faults({ timeout_after_accept: 1 });
    await pay("old");
    await env.faults({ timeout_after_accept: 0, lookup_down: 1 });
    await older("old", "71 hours 59 minutes");
    await due("old");
    expect(await recoverDue(worker(), env.registry, { limit: 5 })).toMatchObject({ unknown: 1 });
    expect(await openRow("old")).toMatchObject({ planned: true });
    await older("old", "2 minutes");
    await due("old");
    expect(await recoverDue(worker(), env.registry, { limit: 5 })).toMatchObject({ unknown: 1 });
    expect(await openRow("old")).toMatchObject({ planned: false, leased: false });
    expect(await recoverDue(worker(), env.registry, { limit: 5 })).toMatchObject({ taken: 0 });
    expect(await pay("old")).toMatchObject({ outcome: "unknown" });
    await env.faults({ lookup_down: 0 });
    const { operation_id: operationId } = await operation("old");
    expect(await reconcileOperation(env.context(), env.registry, { operationId, onlyAsk: true })).toMatchObject({
      after: "COMPLETED",
    });
    expect(await accepted("old")).toBe(1);
  });
});

describe("what a person asks", () => {
  it("ATTENTION-2 reads only: what never arrived is sent by recovery, not by the question", async () => {
    await env.faults({ timeout_before: 1 });
    await pay("asked");
    await env.faults({ timeout_before: 0 });
    const { operation_id: operationId } = await operation("asked");
    const asked = await reconcileOperation(env.context(), env.registry, { operationId, onlyAsk: true });
    expect(asked).toMatchObject({ after: "UNKNOWN_REQUIRES_RECOVERY", finding: "never received", changed: false });
    expect(await requestsSeen("asked")).toBe(1);
    expect(await openRow("asked")).toMatchObject({ planned: true });
    await due("asked");
    expect(await recoverDue(worker(), env.registry, { limit: 5 })).toMatchObject({ settled: 1 });
    expect(await accepted("asked")).toBe(1);
  });
});

describe("an attempt after a decline that did not bind", () => {
  it("RECOVERY-9 is judged by its own provider key: the decline before it says nothing about it", async () => {
    const policy = { refusals: "not_binding" } as const;
    const createPayment = { ...env.operations.createPayment, policy };
    const registry = { provider: () => createPayment as never };
    const try_ = () =>
      execute(env.context(), createPayment, {
        key: "second",
        command: {
          accountId: "acc_1",
          amountMinor: 4251n,
          currency: "EUR",
          merchantReference: "ref-second",
          channel: "web",
        },
        receivedAt: 0,
      });
    expect(await try_()).toMatchObject({ outcome: "refused", error: { code: "payment.insufficient_funds" } });
    await env.faults({ timeout_before: 1 });
    await try_();
    await env.faults({ timeout_before: 0, processing: 1 });
    expect(await providerKey("second")).toMatch(/_2$/);
    await due("second");
    await recoverDue(worker(), registry, { limit: 5 });
    expect(await openRow("second")).toMatchObject({ finding: "processing" });
    const { operation_id: operationId } = await operation("second");
    expect(await settlingEvidence(env.db.pool, "acme", operationId)).toMatchObject({ provider_declined: false });
  });
});

describe("a dead owner", () => {
  it.each(["RECEIVED", "LOCAL_PAYMENT_CREATED"] as const)(
    "RECOVERY-8 at %s had no effect: the key may run again, once",
    async (stage) => {
      const key = `dead-${stage}`;
      await abandoned(key, stage);
      expect(await recoverDue(worker(), env.registry, { limit: 5 })).toMatchObject({ released: 1 });
      expect((await operation(key)).state).toBe("FAILED_RETRYABLE");
      expect((await pay(key)).outcome).toBe("executed");
      expect(await accepted(key)).toBe(1);
    },
  );

  it("RECOVERY-10 is recovered by the retry that finds its lease stale", async () => {
    await abandoned("stale", "PROVIDER_REQUEST_SENT");
    expect(await pay("stale")).toMatchObject({ outcome: "replayed", response: { status: 201 } });
    expect(await accepted("stale")).toBe(1);
  });

  it("RECOVERY-2 killed with -9 after the provider accepted: recovery settles with the same provider key, one charge", async () => {
    await env.faults({ timeout_after_accept: 1 });
    const child = spawn(
      process.execPath,
      [
        "--import",
        "tsx",
        "tests/support/pay-once.ts",
        env.url,
        env.sandboxUrl,
        env.encryptionKeys,
        "killed",
        "ref-killed",
      ],
      {
        stdio: "ignore",
      },
    );
    const ended = new Promise<NodeJS.Signals | null>((resolve) =>
      child.once("exit", (_code, signal) => resolve(signal)),
    );
    await expect.poll(() => accepted("killed"), { timeout: 20_000 }).toBe(1);
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
    await env.faults({ timeout_after_accept: 0 });
    expect((await operation("killed")).state).toBe("IN_PROGRESS");
    expect((await pay("killed")).outcome).toBe("in_progress");
    await stale("killed");
    expect(await recoverDue(worker(), env.registry, { limit: 5 })).toMatchObject({ taken: 1, settled: 1 });
    expect(await pay("killed")).toMatchObject({ outcome: "replayed", response: { status: 201 } });
    expect(await accepted("killed")).toBe(1);
  });
});

describe("ownership", () => {
  it("RECOVERY-1 a take-over raced by 16 workers gives each row to one of them, with one more fence", async () => {
    const keys = Array.from({ length: 40 }, (_, index) => `race-${String(index)}`);
    await env.faults({ timeout_after_accept: 1 });
    await Promise.all(keys.map((key) => pay(key)));
    await env.faults({ timeout_after_accept: 0 });
    await env.rows("update onceboard.idempotency_open set next_check_at = clock_timestamp() where key like 'race-%'");
    const race = async (index: number) => {
      const mine: string[] = [];
      for (;;) {
        const taken = await takeOver(env.db.pool, {
          tenantId: "acme",
          owner: `worker-${String(index)}`,
          leaseMs: 30_000,
          limit: 3,
        });
        if (taken.length === 0) return mine;
        mine.push(...taken.map((row) => row.key));
      }
    };
    const taken = (await Promise.all(Array.from({ length: 16 }, (_, index) => race(index))))
      .flat()
      .filter((key) => key.startsWith("race-"));
    expect(taken.toSorted()).toEqual(keys.toSorted());
    expect(await env.rows("select distinct fence from onceboard.idempotency_requests where key like 'race-%'")).toEqual(
      [{ fence: 2 }],
    );
    await env.rows("delete from onceboard.idempotency_open where key like 'race-%'");
  });

  it("RECOVERY-7 retries and workers race for a stale lease: one of them asks, and nobody sends", async () => {
    const { operation_id: id, fence } = await abandoned("raced", "PROVIDER_REQUEST_SENT");
    const retries = Array.from({ length: 8 }, (_, index) => pay("raced", `api-${String(index)}`));
    const workers = Array.from({ length: 8 }, (_, index) =>
      recoverDue(env.context({ instance: `worker-${String(index)}` }), env.registry, { limit: 1 }),
    );
    const [answers] = await Promise.all([Promise.all(retries), Promise.all(workers)]);
    for (const { outcome } of answers) expect(["replayed", "in_progress"]).toContain(outcome);
    await expect.poll(async () => (await pay("raced")).outcome).toBe("replayed");
    expect(await operation("raced")).toMatchObject({ state: "COMPLETED", fence: fence + 1 });
    const calls = await env.rows(
      "select kind, count(*)::int as count from onceboard.provider_requests where operation_id = $1 group by kind order by kind",
      id,
    );
    expect(calls).toEqual([
      { kind: "charge", count: 1 },
      { kind: "lookup", count: 1 },
    ]);
    expect(await accepted("raced")).toBe(1);
  });

  it("STATE-3 a zombie's completion and its send change nothing after a take-over", async () => {
    const row = await abandoned("zombie", "PROVIDER_REQUEST_SENT");
    const [taken] = await takeOver(env.db.pool, {
      tenantId: "acme",
      owner: "worker-1",
      leaseMs: 30_000,
      limit: 1,
      operationId: row.operation_id,
    });
    expect(taken?.fence).toBe(row.fence + 1);
    const late = await complete(env.db.pool, {
      tenantId: "acme",
      operationId: row.operation_id,
      fence: row.fence,
      state: "COMPLETED",
      status: 201,
      schemaVersion: "v1",
      resourceType: undefined,
      resourceId: undefined,
      errorCode: undefined,
      replay: "stored",
      headers: {},
      bodySealed: Buffer.from("x"),
    });
    expect(late).toBe(false);
    expect(
      await markSent(env.db.pool, "acme", row.operation_id, row.fence, "00000000-0000-7000-8000-000000000000"),
    ).toBe(false);
    expect((await operation("zombie")).state).toBe("IN_PROGRESS");
    expect(
      await env.rows(
        "select 1 from onceboard.idempotency_bodies where operation_id = $1 and kind = 'response'",
        row.operation_id,
      ),
    ).toEqual([]);
    await stale("zombie");
    await recoverDue(worker(), env.registry, { limit: 5 });
    expect(await accepted("zombie")).toBe(1);
  });

  it("STATE-3 a paused owner that wakes after recovery is fenced, recorded, and the first result stands", async () => {
    await env.faults({ slow_ms: 300 });
    const slow = pay("paused", "paused-1");
    await expect
      .poll(
        async () =>
          (
            await env.rows(
              "select 1 from onceboard.idempotency_open where key = 'paused' and stage = 'PROVIDER_REQUEST_SENT'",
            )
          ).length,
      )
      .toBe(1);
    await stale("paused");
    const { operation_id: operationId } = await operation("paused");
    await env.faults({ slow_ms: 0 });
    await expect.poll(() => accepted("paused")).toBe(1);
    await recoverDue(worker(), env.registry, { limit: 5 });
    expect((await slow).outcome).toBe("in_progress");
    expect((await operation("paused")).state).toBe("COMPLETED");
    expect(
      await env.rows(
        "select fence from onceboard.idempotency_events where type = 'fenced' and operation_id = $1",
        operationId,
      ),
    ).toEqual([{ fence: 1 }]);
    expect(await accepted("paused")).toBe(1);
  });
});

describe("a person", () => {
  it("ATTENTION-2 reconciles now, though the next look-up is not due", async () => {
    await env.faults({ timeout_after_accept: 1 });
    await pay("by-hand");
    await env.faults({ timeout_after_accept: 0 });
    const { operation_id: operationId } = await operation("by-hand");
    expect(await reconcileOperation(env.context(), env.registry, { operationId })).toMatchObject({
      before: "UNKNOWN_REQUIRES_RECOVERY",
      after: "COMPLETED",
      finding: "succeeded",
      changed: true,
    });
    await expect(reconcileOperation(env.context(), env.registry, { operationId })).rejects.toMatchObject({
      code: "operation.not_open",
    });
    expect(await pay("by-hand")).toMatchObject({ outcome: "replayed", response: { status: 201 } });
  });

  it("ATTENTION-3 resolves with evidence; nothing is sent; retries get that answer", async () => {
    await env.faults({ timeout_after_accept: 1 });
    await pay("resolved");
    await env.faults({ timeout_after_accept: 0 });
    const { operation_id: operationId } = await operation("resolved");
    const input = {
      operationId,
      decision: "succeeded",
      reason: "The provider's support confirmed it.",
      evidence: ["ticket 4711"],
    } as const;
    await expect(resolveOperation(env.context(), env.registry, { ...input, evidence: [] })).rejects.toMatchObject({
      code: "validation.evidence",
    });
    expect(await resolveOperation(env.context(), env.registry, input)).toMatchObject({
      after: "COMPLETED",
      changed: true,
    });
    expect(await pay("resolved")).toMatchObject({ outcome: "replayed", response: { status: 201 } });
    expect(await accepted("resolved")).toBe(1);
  });
});
