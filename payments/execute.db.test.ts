import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import { execute } from "@/engine/execute/execute";
import type { EngineContext } from "@/engine/context";
import { readRefundCommand } from "./create-refund";
import { readVoidCommand } from "./void-payment";
import type { CreatePaymentCommand } from "./commands";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
});
afterAll(() => env.close());

const receivedAt = 0;
function command(reference: string, amountMinor = 1000n): CreatePaymentCommand {
  return { accountId: "acc_1", amountMinor, currency: "EUR", merchantReference: reference, channel: "web" };
}
function pay(key: string, body: CreatePaymentCommand, ctx: EngineContext = env.context()): Promise<ExecuteAnswer> {
  return execute(ctx, env.operations.createPayment, { key, command: body, receivedAt });
}
function bodyOf(answer: ExecuteAnswer): string {
  if (answer.outcome !== "executed" && answer.outcome !== "replayed")
    throw new Error(`no response in ${answer.outcome}`);
  return answer.response.body.toString();
}
async function count(table: string, where: string, ...values: unknown[]): Promise<number> {
  const [row] = await env.rows<{ n: number }>(`select count(*)::int as n from ${table} where ${where}`, ...values);
  return row?.n ?? -1;
}

describe("a key", () => {
  it("REPLAY-1 MESH-5 executes once and replays the same bytes", async () => {
    const first = await pay("once", command("ref-once"));
    const second = await pay("once", command("ref-once"));
    expect([first.outcome, second.outcome]).toEqual(["executed", "replayed"]);
    expect(bodyOf(second)).toBe(bodyOf(first));
    expect(await count("payments.payments", "merchant_reference = 'ref-once'")).toBe(1);
    expect(
      await count(
        "onceboard.outbox_messages",
        "operation_id = (select operation_id from payments.payments where merchant_reference = 'ref-once')",
      ),
    ).toBe(1);
  });

  it("KEY-3 KEY-4 belongs to one tenant, and tells another principal nothing", async () => {
    const mine = await pay("shared", command("ref-shared"));
    const theirs = await pay("shared", command("ref-shared"), env.context({ tenant: "globex" }));
    expect([mine.outcome, theirs.outcome]).toEqual(["executed", "executed"]);
    const other = await pay("shared", command("ref-shared"), env.context({ client: "partner-lumen" }));
    expect(other).toEqual({ outcome: "conflict", operation: undefined, differingFields: [] });
  });

  it("CONFLICT-1 CONFLICT-4 with another command is a conflict whose two commands are kept sealed", async () => {
    await pay("cart", command("ref-cart", 1000n));
    const answer = await pay("cart", command("ref-cart", 10000n));
    expect(answer).toMatchObject({ outcome: "conflict", differingFields: ["amount"] });
    const events = await env.rows<{ command: Buffer; detail: { differingFields: string[] } }>(
      "select command, detail from onceboard.idempotency_events where type = 'conflict' and detail->'differingFields' ? 'amount'",
    );
    expect(events).toHaveLength(1);
    expect(events[0]?.command.includes("100.00")).toBe(false);
    expect(await count("payments.payments", "merchant_reference = 'ref-cart'")).toBe(1);
  });

  it("CONFLICT-1 conflicts also while the first one runs", async () => {
    await env.faults({ slow_ms: 150 });
    const running = pay("busy", command("ref-busy"));
    await expect.poll(() => count("onceboard.idempotency_open", "key = 'busy'")).toBe(1);
    const same = await pay("busy", command("ref-busy"));
    const other = await pay("busy", command("ref-busy", 5n));
    expect([same.outcome, other.outcome]).toEqual(["in_progress", "conflict"]);
    expect((await running).outcome).toBe("executed");
    await env.faults({ slow_ms: 0 });
  });

  it("KEY-11 past its window is told as expired, never executed again", async () => {
    await pay("old", command("ref-old"));
    await env.rows("update onceboard.idempotency_requests set expires_at = clock_timestamp() where key = 'old'");
    expect((await pay("old", command("ref-old"))).outcome).toBe("expired");
    expect(await count("payments.payments", "merchant_reference = 'ref-old'")).toBe(1);
  });

  it("REPLAY-6 whose answer was purged is answered by reference and never executes again", async () => {
    await pay("purged", command("ref-purged"));
    await env.rows(
      "delete from onceboard.idempotency_bodies where operation_id = (select operation_id from payments.payments where merchant_reference = 'ref-purged')",
    );
    expect(await pay("purged", command("ref-purged"))).toMatchObject({
      outcome: "purged",
      resource: { type: "payment" },
    });
  });
});

describe("fifty at once", () => {
  it("KEY-1 KEY-2 make one effect; 49 answers are replay or in progress (provider path)", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => pay("storm", command("ref-storm"))));
    const outcomes = answers.map((answer) => answer.outcome);
    expect(outcomes.filter((outcome) => outcome === "executed")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "replayed" || outcome === "in_progress")).toHaveLength(49);
    expect(await count("payments.payments", "merchant_reference = 'ref-storm'")).toBe(1);
    const [payment] = await env.rows<{ provider_key: string }>(
      "select provider_key from payments.payments where merchant_reference = 'ref-storm'",
    );
    expect((await env.ledger()).filter((row) => row.providerKey === payment?.provider_key)).toHaveLength(1);
  });

  it("KEY-2 LOCAL-1 make one effect (local path)", async () => {
    const open = () =>
      execute(env.context(), env.operations.createAccount, {
        key: "acc-storm",
        command: { accountId: "acc_storm", currency: "EUR" },
        receivedAt,
      });
    const outcomes = (await Promise.all(Array.from({ length: 50 }, open))).map((answer) => answer.outcome);
    expect(outcomes.filter((outcome) => outcome === "executed")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "replayed" || outcome === "in_progress")).toHaveLength(49);
    expect(await count("payments.accounts", "id = 'acc_storm'")).toBe(1);
    expect(await count("onceboard.outbox_messages", "aggregate_id = 'acc_storm'")).toBe(1);
  });

  it("PAYMENT-2 refunds with fifty keys never give back more than was paid", async () => {
    const payment = JSON.parse(bodyOf(await pay("to-refund", command("ref-refund", 1000n)))) as { paymentId: string };
    const refund = async (index: number) => {
      const ctx = env.context();
      const refundCommand = await readRefundCommand(ctx, {
        paymentId: payment.paymentId,
        amount: 300,
        reason: undefined,
      });
      return execute(ctx, env.operations.createRefund, {
        key: `refund-${String(index)}`,
        command: refundCommand,
        receivedAt,
      });
    };
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => refund(index)));
    const statuses = answers.map((answer) => (answer.outcome === "executed" ? answer.response.status : 0));
    expect(statuses.filter((status) => status === 201)).toHaveLength(3);
    expect(statuses.filter((status) => status === 422)).toHaveLength(47);
    expect(await env.rows("select refunded_minor from payments.payments where id = $1", payment.paymentId)).toEqual([
      { refunded_minor: 900n },
    ]);
  });
});

describe("a claim that is not committed", () => {
  it("KEY-9 keeps a second first request waiting for a bounded time, then says in progress", async () => {
    const holder = await env.owner.pool.connect();
    try {
      await holder.query("begin");
      await holder.query(
        `insert into onceboard.idempotency_requests (tenant_id, operation, key, operation_id, principal, fingerprint, fingerprint_version,
           api_version, state, body_day, created_at, updated_at, expires_at, purge_after)
         values ('acme', 'accounts.create', 'held', gen_random_uuid(), 'till-web', '\\x00', 1, 'v', 'IN_PROGRESS', current_date,
           now(), now(), now() + interval '1 day', now() + interval '1 day')`,
      );
      const command = { accountId: "acc_held", currency: "EUR" };
      const answer = await execute(env.context(), env.operations.createAccount, {
        key: "held",
        command,
        receivedAt,
      });
      expect(answer).toMatchObject({ outcome: "in_progress", operation: undefined });
    } finally {
      await holder.query("rollback");
      holder.release();
    }
  });
});

describe("refusals", () => {
  it("REFUSAL-1 insufficient funds bind: replayed with the same bytes", async () => {
    const first = await pay("poor", command("ref-poor", 1051n));
    const second = await pay("poor", command("ref-poor", 1051n));
    expect(first).toMatchObject({
      outcome: "executed",
      response: { status: 402 },
      operation: { state: "FAILED_REPLAYABLE" },
    });
    expect(second.outcome).toBe("replayed");
    expect(bodyOf(second)).toBe(bodyOf(first));
  });

  it("PAYMENT-3 a new key for the same merchant reference is told which payment it was", async () => {
    const first = JSON.parse(bodyOf(await pay("mr-1", command("ref-mr")))) as { paymentId: string };
    const second = await pay("mr-2", command("ref-mr"));
    expect(JSON.parse(bodyOf(second))).toMatchObject({
      code: "payment.duplicate_reference",
      paymentId: first.paymentId,
    });
  });

  it("CERTAINTY-2 PROVIDER-2 a provider that surely did nothing lets the same key run again, under the same provider key", async () => {
    await env.faults({ rate_limit: 1 });
    const refused = await pay("again", command("ref-again"));
    expect(refused).toMatchObject({ outcome: "refused", operation: { state: "FAILED_RETRYABLE" } });
    await env.faults({ rate_limit: 0 });
    const done = await pay("again", command("ref-again"));
    expect(done.outcome).toBe("executed");
    const keys = await env.rows<{ provider_key: string }>(
      "select distinct provider_key from onceboard.provider_requests where operation_id = (select operation_id from payments.payments where merchant_reference = 'ref-again')",
    );
    expect(keys).toHaveLength(1);
  });

  it("PAYMENT-1 a void is symmetric: once, replayed, and not after a refund", async () => {
    const payment = JSON.parse(bodyOf(await pay("to-void", command("ref-void")))) as { paymentId: string };
    const doVoid = async (key: string) => {
      const ctx = env.context();
      return execute(ctx, env.operations.voidPayment, {
        key,
        command: await readVoidCommand(ctx, payment),
        receivedAt,
      });
    };
    expect(await doVoid("void-1")).toMatchObject({ outcome: "executed", response: { status: 200 } });
    expect(await doVoid("void-1")).toMatchObject({ outcome: "replayed", response: { status: 200 } });
    expect(await doVoid("void-2")).toMatchObject({ outcome: "executed", response: { status: 409 } });
  });
});
