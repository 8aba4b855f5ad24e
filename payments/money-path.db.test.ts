import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { LOCK_TIMEOUT_MS } from "@/db/session";
import { purgeBodiesBatch } from "@/db/bodies/purge-bodies";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import type { EngineContext } from "@/engine/context";
import { execute } from "@/engine/execute/execute";
import { reconcileOperation } from "@/engine/recover/reconcile";
import { recoverDue } from "@/engine/recover/recover-due";
import { resolveOperation } from "@/engine/recover/resolve";
import type { ProviderOperation } from "@/engine/execute/operation";
import type { CreatePaymentCommand } from "./commands";
import { readRefundCommand } from "./create-refund";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";
import { readVoidCommand } from "./void-payment";

let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
});
afterAll(() => env.close());
beforeEach(() => env.faults({ slow_ms: 0, timeout_after_accept: 0, timeout_before: 0, lookup_down: 0, processing: 0 }));

type Pay = ProviderOperation<CreatePaymentCommand>;
function pay(
  key: string,
  ctx: EngineContext = env.context(),
  definition: Pay = env.operations.createPayment,
): Promise<ExecuteAnswer> {
  const command = {
    accountId: "acc_1",
    amountMinor: 1000n,
    currency: "EUR",
    merchantReference: `ref-${key}`,
    channel: "web",
  };
  return execute(ctx, definition, { key, command, receivedAt: 0 });
}
async function paid(key: string): Promise<string> {
  const answer = await pay(key);
  if (answer.outcome !== "executed") throw new Error(answer.outcome);
  return (JSON.parse(answer.response.body.toString()) as { paymentId: string }).paymentId;
}
async function refund(key: string, paymentId: string, ctx: EngineContext = env.context()): Promise<ExecuteAnswer> {
  const command = await readRefundCommand(ctx, { paymentId, amount: 300, reason: undefined });
  return execute(ctx, env.operations.createRefund, { key, command, receivedAt: 0 });
}
async function voidOf(key: string, paymentId: string): Promise<ExecuteAnswer> {
  const ctx = env.context();
  return execute(ctx, env.operations.voidPayment, {
    key,
    command: await readVoidCommand(ctx, { paymentId }),
    receivedAt: 0,
  });
}
interface State {
  readonly operation_id: string;
  readonly state: string;
  readonly fence: number;
  readonly stage: string | null;
  readonly leased: boolean | null;
  readonly last_finding: string | null;
}
async function state(key: string): Promise<State> {
  const [row] = await env.rows<State>(
    `select r.operation_id, r.state, r.fence, o.stage, o.locked_until is not null as leased, o.last_finding
     from onceboard.idempotency_requests r left join onceboard.idempotency_open o using (tenant_id, operation_id) where r.key = $1`,
    key,
  );
  if (row === undefined) throw new Error(`no operation ${key}`);
  return row;
}
async function charges(key: string): Promise<number> {
  const [payment] = await env.rows<{ provider_key: string }>(
    "select provider_key from payments.payments where merchant_reference = $1",
    `ref-${key}`,
  );
  return (await env.ledger()).filter((row) => row.providerKey === payment?.provider_key).length;
}
async function open(key: string, set: string): Promise<void> {
  await env.rows(`update onceboard.idempotency_open set ${set} where key = $1`, key);
}
const DUE = "next_check_at = clock_timestamp()";
const STALE =
  "owner = 'dead', unknown_since = null, next_check_at = null, locked_until = clock_timestamp() - interval '1 second'";

/** A database whose nth COMMIT from now takes effect and then loses its acknowledgement. */
function losing(nth: number): Database {
  let commits = 0;
  const lost = async (client: { query: (...input: never[]) => Promise<unknown> }, input: unknown[]) => {
    const result = await client.query(...(input as never[]));
    if (input[0] === "commit") commits += 1;
    if (input[0] === "commit" && commits === nth)
      throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
    return result;
  };
  const connect = async () => {
    const client = await env.db.pool.connect();
    return new Proxy(client, {
      get: (target, name) => {
        if (name === "query") return (...input: unknown[]) => lost(target, input);
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
  };
  const pool = new Proxy(env.db.pool, {
    get: (target, name) => {
      if (name === "connect") return connect;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  return { ...env.db, pool };
}

describe("before anything was sent", () => {
  it("CERTAINTY-3 a lost COMMIT of the preparation keeps no reservation and no pending row", async () => {
    const paymentId = await paid("lost-prepare");
    const answer = await refund("lost-prepare-refund", paymentId, { ...env.context(), db: losing(1) });
    expect(answer).toMatchObject({ outcome: "refused", error: { code: "dependency.unavailable" } });
    expect((await state("lost-prepare-refund")).state).toBe("FAILED_RETRYABLE");
    expect(await env.rows("select refunded_minor from payments.payments where id = $1", paymentId)).toEqual([
      { refunded_minor: 0n },
    ]);
    expect(await env.rows("select 1 from payments.refunds where payment_id = $1", paymentId)).toEqual([]);
    expect(await refund("lost-prepare-refund", paymentId)).toMatchObject({
      outcome: "executed",
      response: { status: 201 },
    });
  });

  it("CERTAINTY-3 a database that breaks under the mark of sending frees the key at once: nothing was sent", async () => {
    const query = (config: { name?: string }) =>
      config.name === "mark_sent"
        ? Promise.reject(Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }))
        : env.db.pool.query(config as never);
    const pool = new Proxy(env.db.pool, {
      get: (target, name) => (name === "query" ? query : (Reflect.get(target, name) as unknown)),
    });
    const ctx = { ...env.context(), db: { ...env.db, pool } };
    await pay("unmarked", ctx).catch(() => undefined);
    expect((await state("unmarked")).state).toBe("FAILED_RETRYABLE");
    expect((await pay("unmarked")).outcome).toBe("executed");
    expect(await charges("unmarked")).toBe(1);
  });

  it("CERTAINTY-3 a bug in the preparation frees the key at once", async () => {
    const broken: Pay = { ...env.operations.createPayment, prepare: () => Promise.reject(new TypeError("a bug")) };
    expect(await pay("bug", env.context(), broken)).toMatchObject({
      outcome: "refused",
      error: { code: "transient.internal" },
    });
    expect(await state("bug")).toMatchObject({ state: "FAILED_RETRYABLE", stage: null });
    expect((await pay("bug")).outcome).toBe("executed");
  });
});

describe("what may run again", () => {
  it("RETENTION-1 keeps its command: purged early, its answer would outlive the purge", async () => {
    await env.faults({ rate_limit: 1 });
    await pay("purge-early");
    await env.faults({ rate_limit: 0 });
    const { operation_id: operationId } = await state("purge-early");
    const purge = () => purgeBodiesBatch(env.db.pool, { tenantId: "acme", bodyTtlHours: 0, limit: 1, operationId });
    expect(await purge()).toMatchObject({ operations: 0 });
    expect((await pay("purge-early")).outcome).toBe("executed");
    expect(await purge()).toMatchObject({ operations: 1, bodyRows: 2 });
  });
});

describe("after it was sent", () => {
  it("CERTAINTY-4 a lost COMMIT of the settlement is indefinite; the same key then replays; one charge", async () => {
    await expect(pay("lost-settle", { ...env.context(), db: losing(2) })).rejects.toMatchObject({
      certainty: "indefinite",
      retryable: true,
    });
    expect(await pay("lost-settle")).toMatchObject({ outcome: "replayed", response: { status: 201 } });
    expect(await charges("lost-settle")).toBe(1);
  });

  it("CERTAINTY-4 a failure of our own while settling is indefinite, gives the lease back, and recovery settles", async () => {
    const { createPayment } = env.operations;
    const broken: Pay = {
      ...createPayment,
      settle: () => Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })),
    };
    await expect(pay("own-failure", env.context(), broken)).rejects.toMatchObject({
      certainty: "indefinite",
      code: "dependency.unavailable",
    });
    expect(await state("own-failure")).toMatchObject({ state: "UNKNOWN_REQUIRES_RECOVERY", leased: false });
    await open("own-failure", DUE);
    await recoverDue(env.context(), env.registry, { limit: 5 });
    expect(await pay("own-failure")).toMatchObject({ outcome: "replayed", response: { status: 201 } });
    expect(await charges("own-failure")).toBe(1);
  });

  it("STATE-3 an owner that is overtaken between the confirmation and the settlement is fenced, not broken", async () => {
    const { createPayment } = env.operations;
    // A pool of its own, as another process has: on ours it would join the transaction that is open.
    const other = createDatabase({ url: env.url, max: 2 });
    const overtaken: Pay = {
      ...createPayment,
      settle: async (...input) => {
        await open("overtaken", STALE);
        await recoverDue({ ...env.context({ instance: "worker-1" }), db: other }, env.registry, { limit: 5 });
        return createPayment.settle(...input);
      },
    };
    expect((await pay("overtaken", env.context(), overtaken)).outcome).toBe("in_progress");
    await other.close();
    expect((await pay("overtaken")).outcome).toBe("replayed");
    expect(await charges("overtaken")).toBe(1);
  });
});

async function unknown(key: string, fault = "timeout_after_accept"): Promise<State> {
  await env.faults({ [fault]: 1 });
  await pay(key);
  await env.faults({ [fault]: 0 });
  return state(key);
}

describe("recovery", () => {
  it("one operation that cannot be recovered keeps nobody waiting and no lease", async () => {
    await unknown("poison");
    await unknown("patient");
    await open("poison", "next_check_at = clock_timestamp() - interval '1 minute'");
    await open("patient", DUE);
    const poison = await state("poison");
    const { createPayment } = env.operations;
    const settle: Pay["settle"] = (ctx, tx, claim, outcome) =>
      claim.operationId === poison.operation_id
        ? Promise.reject(new Error("a bug"))
        : createPayment.settle(ctx, tx, claim, outcome);
    const registry = { provider: () => ({ ...createPayment, settle }) as never };
    expect(await recoverDue(env.context(), registry, { limit: 5 })).toMatchObject({
      taken: 2,
      settled: 1,
      failed: 1,
    });
    expect(await state("poison")).toMatchObject({ state: "UNKNOWN_REQUIRES_RECOVERY", leased: false });
    await open("poison", DUE);
    await recoverDue(env.context(), env.registry, { limit: 5 });
    expect((await state("poison")).state).toBe("COMPLETED");
  });

  it("RECOVERY-4 absent frees the key only long after the last send, not after the claim", async () => {
    const { operation_id: id } = await unknown("late", "timeout_before");
    await open("late", `${DUE}, opened_at = clock_timestamp() - interval '20 minutes'`);
    await recoverDue(env.context(), env.registry, { limit: 5 });
    expect((await state("late")).state).toBe("UNKNOWN_REQUIRES_RECOVERY");
    await env.rows(
      "update onceboard.provider_requests set sent_at = clock_timestamp() - interval '20 minutes' where operation_id = $1",
      id,
    );
    await open("late", DUE);
    await recoverDue(env.context(), env.registry, { limit: 5 });
    expect((await state("late")).state).toBe("FAILED_RETRYABLE");
    expect(await charges("late")).toBe(0);
  });

  it("CERTAINTY-5 what the provider knew before and calls absent now is never freed and never sent again", async () => {
    const { operation_id: id } = await unknown("amnesia", "timeout_before");
    await env.rows(
      "update onceboard.provider_requests set outcome = 'processing', sent_at = clock_timestamp() - interval '20 minutes' where operation_id = $1",
      id,
    );
    await open("amnesia", `${DUE}, opened_at = clock_timestamp() - interval '20 minutes'`);
    await recoverDue(env.context(), env.registry, { limit: 5 });
    expect(await state("amnesia")).toMatchObject({
      state: "UNKNOWN_REQUIRES_RECOVERY",
      last_finding: "the provider knew of it before and does not now",
    });
    expect(await charges("amnesia")).toBe(0);
  });
});

describe("a person", () => {
  it("ATTENTION-4 who resolves what was never sent is refused and moves neither fence nor lease", async () => {
    await unknown("never-sent");
    await env.rows("update onceboard.idempotency_requests set state = 'IN_PROGRESS' where key = 'never-sent'");
    await open("never-sent", `${STALE}, stage = 'LOCAL_PAYMENT_CREATED'`);
    const before = await state("never-sent");
    const input = {
      operationId: before.operation_id,
      decision: "failed",
      evidence: ["ticket"],
      reason: "a ticket",
    } as const;
    await expect(resolveOperation(env.context(), env.registry, input)).rejects.toMatchObject({
      code: "operation.not_unknown",
    });
    expect(await state("never-sent")).toEqual(before);
    expect(await recoverDue(env.context(), env.registry, { limit: 5 })).toMatchObject({ released: 1 });
  });

  it("ATTENTION-3 who confirms a charge keeps the reference that the provider named, for its refunds", async () => {
    const { operation_id: operationId } = await unknown("referenced");
    await env.rows(
      "update onceboard.provider_requests set provider_reference = 'ch_known' where operation_id = $1",
      operationId,
    );
    const input = { operationId, decision: "succeeded", evidence: ["ticket"], reason: "a ticket" } as const;
    await resolveOperation(env.context(), env.registry, input);
    expect(
      await env.rows("select provider_reference from payments.payments where operation_id = $1", operationId),
    ).toEqual([{ provider_reference: "ch_known" }]);
  });

  it("ATTENTION-5 whose action fails while it settles leaves the operation unknown and without an owner", async () => {
    const { operation_id: operationId } = await unknown("half-way");
    const alongside = () => Promise.reject(new Error("the audit entry failed"));
    await expect(reconcileOperation(env.context(), env.registry, { operationId, alongside })).rejects.toThrow("audit");
    expect(await state("half-way")).toMatchObject({ state: "UNKNOWN_REQUIRES_RECOVERY", leased: false });
    const input = { operationId, decision: "succeeded", evidence: ["ticket"], reason: "a ticket", alongside } as const;
    await expect(resolveOperation(env.context(), env.registry, input)).rejects.toThrow("audit");
    expect(await state("half-way")).toMatchObject({ state: "UNKNOWN_REQUIRES_RECOVERY", leased: false });
    expect(await reconcileOperation(env.context(), env.registry, { operationId })).toMatchObject({
      after: "COMPLETED",
    });
  });
});

describe("a refund beside a void", () => {
  it("REFUSAL-3 does not bind a refusal to a void that may still fail", async () => {
    const paymentId = await paid("void-first");
    await env.faults({ timeout_before: 1 });
    await voidOf("void-first-void", paymentId);
    expect(await refund("void-first-refund", paymentId)).toMatchObject({
      outcome: "refused",
      error: { retryable: true },
    });
    expect(await voidOf("void-first-other", paymentId)).toMatchObject({
      outcome: "refused",
      error: { retryable: true },
    });
  });

  it("REFUSAL-3 does not bind the refusal of a void to a refund that may still fail", async () => {
    const paymentId = await paid("refund-first");
    await env.faults({ timeout_before: 1 });
    await refund("refund-first-refund", paymentId);
    expect(await voidOf("refund-first-void", paymentId)).toMatchObject({
      outcome: "refused",
      error: { retryable: true },
    });
  });
});

describe("the final answer of the provider", () => {
  it("is kept although a rival holds the operation for longer than a statement waits", async () => {
    const { createPayment } = env.operations;
    const rival = await env.owner.pool.connect();
    const send: Pay["send"] = async (ctx, operationId, call) => {
      const result = await createPayment.send(ctx, operationId, call as never);
      await rival.query("begin");
      await rival.query("select 1 from onceboard.idempotency_open where operation_id = $1 for update", [operationId]);
      return result;
    };
    const answered = () =>
      env.rows(
        `select 1 from onceboard.provider_requests p join onceboard.idempotency_requests r using (tenant_id, operation_id)
         where r.key = 'held' and p.state = 'answered' and p.outcome = 'succeeded'`,
      );
    try {
      const asking = pay("held", env.context(), { ...createPayment, send });
      await vi.waitFor(async () => expect(await answered()).toHaveLength(1), { timeout: 3 * LOCK_TIMEOUT_MS });
      await rival.query("rollback");
      expect((await asking).outcome).toBe("in_progress");
    } finally {
      rival.release();
    }
    expect((await state("held")).state).toBe("UNKNOWN_REQUIRES_RECOVERY");
    await open("held", DUE);
    await recoverDue(env.context(), env.registry, { limit: 5 });
    expect((await state("held")).state).toBe("COMPLETED");
    expect(await charges("held")).toBe(1);
  });
});
