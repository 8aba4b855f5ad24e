import { v7 as uuidv7 } from "uuid";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import type { EngineContext } from "@/engine/context";
import { withDeadline } from "@/db/deadline";
import { execute } from "@/engine/execute/execute";
import { AppError } from "@/domain/errors";
import type { LocalOperation } from "@/engine/execute/operation";
import type { CreateAccountCommand, CreatePaymentCommand } from "./commands";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

/** Every way in which a policy changes what a caller gets, on the real paths. */
let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
});
afterAll(() => env.close());
afterEach(async () => {
  await env.rows("delete from onceboard.operation_policies");
  await env.faults({ slow_ms: 0, rate_limit: 0, timeout_after_accept: 0 });
});

const receivedAt = () => performance.now();
const command = (reference: string, amountMinor = 1_000n): CreatePaymentCommand => ({
  accountId: "acc_1",
  amountMinor,
  currency: "EUR",
  merchantReference: reference,
  channel: "web",
});

async function decide(operation: string, overrides: Partial<OperationPolicy>): Promise<EngineContext> {
  await env.rows(
    `insert into onceboard.operation_policies (tenant_id, operation, overrides, updated_by) values ('acme', $1, $2::jsonb, 'test')`,
    operation,
    JSON.stringify(overrides),
  );
  const ctx = env.context();
  ctx.policies.forget("acme");
  return ctx;
}
const pay = (ctx: EngineContext, key: string, body: CreatePaymentCommand, budgetMs?: number): Promise<ExecuteAnswer> =>
  withDeadline(performance.now() + (budgetMs ?? Infinity), () =>
    execute(ctx, env.operations.createPayment, { key, command: body, receivedAt: receivedAt() }),
  );
const bodyOf = (answer: ExecuteAnswer): string =>
  "response" in answer ? answer.response.body.toString() : answer.outcome;
const stateOf = async (key: string): Promise<string | undefined> =>
  (await env.rows<{ state: string }>("select state from onceboard.idempotency_requests where key = $1", key))[0]?.state;
const open = (key: string) => env.rows("select 1 from onceboard.idempotency_open where key = $1", key);

describe("in flight (INFLIGHT-1)", () => {
  it("INFLIGHT-2 wait: the second caller gets the first one's answer when it comes within the wait", async () => {
    const ctx = await decide("payments.create", { inFlight: "wait", waitMs: 5_000 });
    await env.faults({ slow_ms: 250 });
    const first = pay(ctx, "wait", command("wait"));
    await expect.poll(() => open("wait")).toHaveLength(1);
    const second = await pay(ctx, "wait", command("wait"));
    expect(second.outcome).toBe("replayed");
    expect(bodyOf(second)).toBe(bodyOf(await first));
  });

  it("wait: a caller's own budget ends it sooner, and it is told to come again", async () => {
    const ctx = await decide("payments.create", { inFlight: "wait", waitMs: 10_000 });
    await env.faults({ slow_ms: 900 });
    const first = pay(ctx, "budget", command("budget"));
    await expect.poll(() => open("budget")).toHaveLength(1);
    const second = await pay(ctx, "budget", command("budget"), 400);
    expect(second).toMatchObject({ outcome: "in_progress", mode: "conflict" });
    await first;
  });

  it("accepted: 202 and where to look; conflict is the default", async () => {
    await env.faults({ slow_ms: 250 });
    const ctx = await decide("payments.create", { inFlight: "accepted" });
    const first = pay(ctx, "accepted", command("accepted"));
    await expect.poll(() => open("accepted")).toHaveLength(1);
    expect(await pay(ctx, "accepted", command("accepted"))).toMatchObject({ outcome: "in_progress", mode: "accepted" });
    await first;
  });
});

describe("failures and refusals (POLICY-2)", () => {
  const refusing: LocalOperation<CreateAccountCommand> = {
    ...accountDefinition(),
    run: () => Promise.reject(new AppError("account.closed", 409, "The bank closed today")),
  };
  function accountDefinition(): LocalOperation<CreateAccountCommand> {
    return {
      name: "accounts.create",
      path: "local",
      apiVersion: "1",
      schemaVersion: "1",
      policy: {},
      fields: ({ accountId, currency }) => ({ accountId, currency }),
      describe: ({ accountId, currency }) => ({ accountId, currency }),
      run: () => Promise.reject(new Error("not meant to run")),
    };
  }
  const account = { accountId: "acc_x", currency: "EUR" };
  const openAccount = (ctx: EngineContext, key: string) =>
    execute(ctx, refusing, { key, command: account, receivedAt: receivedAt() });

  it("LOCAL-2 retryable: a thrown refusal leaves no record, the key may be used again", async () => {
    await expect(openAccount(env.context(), "loose")).rejects.toMatchObject({ code: "account.closed" });
    expect(await stateOf("loose")).toBeUndefined();
  });

  it("strict: the same failure is kept and is the answer of this key for good", async () => {
    const ctx = await decide("accounts.create", { failures: "strict" });
    const first = await openAccount(ctx, "strict");
    const second = await openAccount(ctx, "strict");
    expect([first.outcome, second.outcome, await stateOf("strict")]).toEqual([
      "executed",
      "replayed",
      "FAILED_REPLAYABLE",
    ]);
    expect(bodyOf(second)).toBe(bodyOf(first));
    expect(bodyOf(first)).toContain("account.closed");
  });

  it("CERTAINTY-8 strict: a transient error is never frozen", async () => {
    const ctx = await decide("payments.create", { failures: "strict" });
    await env.faults({ rate_limit: 1 });
    expect((await pay(ctx, "strict-down", command("strict-down"))).outcome).toBe("refused");
    expect(await stateOf("strict-down")).toBe("FAILED_RETRYABLE");
    await env.faults({ rate_limit: 0 });
    expect((await pay(ctx, "strict-down", command("strict-down"))).outcome).toBe("executed");
  });

  it("REFUSAL-1 binding: insufficient funds is the answer of the key, also when the balance has changed", async () => {
    const first = await pay(env.context(), "declined", command("declined", 1_051n));
    const second = await pay(env.context(), "declined", command("declined", 1_051n));
    expect([first.outcome, second.outcome]).toEqual(["executed", "replayed"]);
    expect(bodyOf(second)).toBe(bodyOf(first));
  });

  it("REFUSAL-2 not binding: the same key tries again, under a new name at the provider, and the money moves at most once", async () => {
    const ctx = await decide("payments.create", { refusals: "not_binding" });
    expect(await pay(ctx, "again", command("again", 1_151n))).toMatchObject({
      outcome: "refused",
      error: { code: "payment.insufficient_funds" },
    });
    expect(await stateOf("again")).toBe("FAILED_RETRYABLE");
    expect((await pay(ctx, "again", command("again", 1_151n))).outcome).toBe("refused");
    const keys = await env.rows<{ provider_key: string }>(
      `select p.provider_key from onceboard.provider_requests p join onceboard.idempotency_requests r using (tenant_id, operation_id)
       where r.key = 'again' order by p.prepared_at`,
    );
    const [one, two] = keys.map((row) => row.provider_key);
    expect(two).toBe(`${one ?? ""}_2`);
    expect(await env.rows("select 1 from payments.payments where merchant_reference = 'again'")).toEqual([]);
  });

  it("STATE-7 the ceiling on attempts ends it: a new key is safe", async () => {
    const ctx = await decide("payments.create", { maxAttempts: 2 });
    await env.faults({ rate_limit: 1 });
    for (const key of ["ceiling", "ceiling"]) await pay(ctx, key, command("ceiling"));
    await env.faults({ rate_limit: 0 });
    expect(await pay(ctx, "ceiling", command("ceiling"))).toMatchObject({
      outcome: "refused",
      error: { code: "idempotency.attempts_exhausted", extensions: { safeNewKey: true } },
    });
  });
});

describe("replay (REPLAY-4)", () => {
  it("by reference: nothing of the answer is stored, a replay shows the resource as it is now and says so", async () => {
    const ctx = await decide("payments.create", { replay: "reference" });
    const first = await pay(ctx, "reference", command("reference"));
    expect(first).toMatchObject({ outcome: "executed", by: "stored" });
    expect(
      await env.rows(
        `select 1 from onceboard.idempotency_bodies b join onceboard.idempotency_requests r using (tenant_id, operation_id)
         where r.key = 'reference' and b.kind = 'response'`,
      ),
    ).toEqual([]);
    await env.rows("update payments.payments set status = 'voided' where merchant_reference = 'reference'");
    const second = await pay(ctx, "reference", command("reference"));
    expect(second).toMatchObject({ outcome: "replayed", by: "reference", response: { status: 201 } });
    expect(JSON.parse(bodyOf(second))).toMatchObject({ status: "voided" });
  });

  it("by reference: a refusal has nothing to look at, so it is kept", async () => {
    const ctx = await decide("payments.create", { replay: "reference" });
    const first = await pay(ctx, "reference-no", command("reference-no", 1_251n));
    const second = await pay(ctx, "reference-no", command("reference-no", 1_251n));
    expect(second).toMatchObject({ outcome: "replayed", by: "stored" });
    expect(bodyOf(second)).toBe(bodyOf(first));
  });

  it("REPLAY-6 an answer that is too large to keep is told by reference, and nothing runs again", async () => {
    let runs = 0;
    const large: LocalOperation<CreateAccountCommand> = {
      name: "accounts.create",
      path: "local",
      apiVersion: "1",
      schemaVersion: "1",
      policy: {},
      fields: ({ accountId, currency }) => ({ accountId, currency }),
      describe: () => ({}),
      run: () => {
        runs += 1;
        const body = Buffer.alloc(1_048_577, "x");
        const response = { status: 201, headers: { "content-type": "text/plain" }, body };
        return Promise.resolve({ state: "COMPLETED", resource: { type: "account", id: "acc_large" }, response });
      },
    };
    const ask = () =>
      execute(env.context(), large, {
        key: "large",
        command: { accountId: "acc_large", currency: "EUR" },
        receivedAt: receivedAt(),
      });
    expect((await ask()).outcome).toBe("executed");
    expect(await ask()).toMatchObject({ outcome: "purged", why: "too_large", resource: { id: "acc_large" } });
    expect(runs).toBe(1);
  });

  it("REPLAY-2 keeps only the headers that a replay may repeat", async () => {
    const chatty: LocalOperation<CreateAccountCommand> = {
      name: "accounts.create",
      path: "local",
      apiVersion: "1",
      schemaVersion: "1",
      policy: {},
      fields: ({ accountId, currency }) => ({ accountId, currency }),
      describe: () => ({}),
      run: () =>
        Promise.resolve({
          state: "COMPLETED",
          response: {
            status: 200,
            headers: {
              "content-type": "text/plain",
              etag: '"1"',
              "set-cookie": "a=b",
              date: "now",
              traceparent: "00-1",
            },
            body: Buffer.from("ok"),
          },
        }),
    };
    const ask = () =>
      execute(env.context(), chatty, {
        key: "chatty",
        command: { accountId: "a", currency: "EUR" },
        receivedAt: receivedAt(),
      });
    await ask();
    expect(await ask()).toMatchObject({
      outcome: "replayed",
      response: { headers: { "content-type": "text/plain", etag: '"1"' } },
    });
    const second = await ask();
    expect("response" in second && Object.keys(second.response.headers).sort()).toEqual(["content-type", "etag"]);
  });
});

describe("after the window (KEY-11)", () => {
  const expire = (key: string) =>
    env.rows(
      "update onceboard.idempotency_requests set expires_at = clock_timestamp() - interval '1 second' where key = $1",
      key,
    );

  it("reject: 410, whatever the key's state", async () => {
    await pay(env.context(), "late", command("late"));
    await expire("late");
    expect((await pay(env.context(), "late", command("late"))).outcome).toBe("expired");
  });

  it("execute: a new operation under the same key; the old one stays, with its body readable", async () => {
    const ctx = await decide("payments.create", { expired: "execute" });
    const first = await pay(ctx, "late-run", command("late-run-1"));
    await expire("late-run");
    // Another command under the same key is still a conflict: what the key meant is known.
    expect((await pay(ctx, "late-run", command("late-run-2"))).outcome).toBe("conflict");
    await env.rows("update payments.payments set merchant_reference = null where merchant_reference = 'late-run-1'");
    const second = await pay(ctx, "late-run", command("late-run-1"));
    expect(second.outcome).toBe("executed");
    const rows = await env.rows<{ key: string; state: string; operation_id: string }>(
      "select key, state, operation_id from onceboard.idempotency_requests where key like 'late-run%' order by created_at",
    );
    expect(rows.map((row) => row.state)).toEqual(["EXPIRED", "COMPLETED"]);
    const [old] = rows;
    expect(old?.key).toBe(`late-run (expired ${old?.operation_id ?? ""})`);
    const [body] = await env.rows<{ body: Buffer }>(
      "select body from onceboard.idempotency_bodies where operation_id = $1 and kind = 'response'",
      old?.operation_id,
    );
    const subject = {
      tenantId: "acme",
      operation: "payments.create",
      key: old?.key ?? "",
      operationId: old?.operation_id ?? "",
    };
    const opened = await ctx.keyring.open(body?.body ?? Buffer.alloc(0), subject, "response");
    expect(opened.toString()).toBe(bodyOf(first));
  });

  it("KEY-12 a UUIDv7 key older than all records is told as expired although nothing is stored about it", async () => {
    const old = uuidv7({ msecs: Date.now() - 31 * 86_400_000 });
    expect(await pay(env.context(), old, command("forgotten"))).toEqual({ outcome: "expired", operation: undefined });
    expect(await stateOf(old)).toBeUndefined();
    // Younger than the metadata: if it had been used, its row would still be there.
    const young = uuidv7({ msecs: Date.now() - 29 * 86_400_000 });
    expect((await pay(env.context(), young, command("remembered"))).outcome).toBe("executed");
    // Known rows answer for themselves, whatever their key's time says.
    const known = uuidv7({ msecs: Date.now() - 31 * 86_400_000 });
    const longer = await decide("payments.create", { metadataTtlDays: 60 });
    expect((await pay(longer, known, command("known"))).outcome).toBe("executed");
    await env.rows("delete from onceboard.operation_policies");
    longer.policies.forget("acme");
    expect((await pay(longer, known, command("known"))).outcome).toBe("replayed");
  });
});

it("KEY-10 a policy fixes the window, the lease and the metadata of keys that are claimed under it", async () => {
  const ctx = await decide("payments.create", {
    ttlHours: 48,
    bodyTtlHours: 96,
    metadataTtlDays: 60,
    leaseSeconds: 45,
  });
  await pay(ctx, "window", command("window"));
  const [row] = await env.rows<{ hours: number; days: number }>(
    `select (extract(epoch from expires_at - created_at) / 3600)::int as hours,
       (extract(epoch from purge_after - created_at) / 86400)::int as days from onceboard.idempotency_requests where key = 'window'`,
  );
  expect(row).toEqual({ hours: 48, days: 60 });
  const shorter = await execute(ctx, env.operations.createPayment, {
    key: "shorter",
    command: command("shorter"),
    receivedAt: receivedAt(),
    ttlSeconds: 60,
  });
  expect("operation" in shorter && shorter.operation).toMatchObject({ state: "COMPLETED" });
  const [short] = await env.rows<{ s: number }>(
    "select extract(epoch from expires_at - created_at)::int as s from onceboard.idempotency_requests where key = 'shorter'",
  );
  expect(short?.s).toBe(60);
});
