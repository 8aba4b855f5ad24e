import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { engineContext } from "@/engine/context";
import { execute } from "@/engine/execute/execute";
import { resolveOperation } from "@/engine/recover/resolve";
import { readRefundCommand } from "@/payments/create-refund";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

/** What the form of a decision says that "It failed" stores. */
let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
});
afterAll(() => env.close());

function pay(key: string) {
  const command = { accountId: "acc_1", amountMinor: 4_200n, currency: "EUR", merchantReference: key, channel: "web" };
  const ctx = env.context();
  ctx.policies.forget("acme");
  return execute(ctx, env.operations.createPayment, { key, command, receivedAt: 0 });
}
async function refundOf(reference: string, key: string): Promise<void> {
  const [payment] = await env.rows<{ id: string }>(
    "select id from payments.payments where merchant_reference = $1",
    reference,
  );
  const command = await readRefundCommand(env.context(), { paymentId: payment?.id ?? "", amount: "2.00", reason: "x" });
  await execute(env.context(), env.operations.createRefund, { key, command, receivedAt: 0 });
}
/** Sent, with its answer lost, and then decided by a person. @returns how many rows of each kind it left */
async function failed(key: string, send: () => Promise<unknown>) {
  await env.faults({ timeout_before: 1 });
  await send();
  await env.faults({ timeout_before: 0 });
  const [row] = await env.rows<{ id: string }>(
    "select operation_id as id from onceboard.idempotency_requests where key = $1 and state = 'UNKNOWN_REQUIRES_RECOVERY'",
    key,
  );
  const operationId = row?.id ?? uuidv7();
  const actor = { kind: "operator", id: "op-2", name: "Mira Okafor", role: "operator" } as const;
  const confirmed = { ...actor, confirmation: { fresh: true, by: [] } };
  const ctx = engineContext(env.context(), { tenantId: "acme", actor: confirmed, requestId: "req" });
  ctx.policies.forget("acme");
  const evidence = { evidence: ["statement"], reason: "it is not on the statement" };
  await resolveOperation(ctx, env.registry, { operationId, decision: "failed", ...evidence });
  const count = async (rows: string): Promise<number> =>
    (await env.rows(`${rows} operation_id = $1`, operationId)).length;
  return {
    answers: await count("select 1 from onceboard.idempotency_bodies where kind = 'response' and"),
    entries: await count("select 1 from payments.ledger_entries where"),
    messages:
      (await count("select 1 from onceboard.outbox_messages where")) +
      (await count("select 1 from onceboard.outbox_history where")),
  };
}

describe("TRUTH-1 what a person stores who decides that it failed", () => {
  it("the failure as the answer of the key, no ledger entry and no message", async () => {
    expect(await failed("bound", () => pay("bound"))).toEqual({ answers: 1, entries: 0, messages: 0 });
    expect(await pay("bound")).toMatchObject({ outcome: "replayed", response: { status: 402 } });
  });

  it("of a refund alike", async () => {
    await pay("paid");
    const rows = await failed("refund", () => refundOf("paid", "refund"));
    expect(rows).toEqual({ answers: 1, entries: 0, messages: 0 });
  });

  it("no answer where refusals do not bind: the same key runs again", async () => {
    await env.rows(
      `insert into onceboard.operation_policies (tenant_id, operation, overrides, updated_by)
       values ('acme', 'payments.create', '{"refusals": "not_binding"}', 'test')`,
    );
    expect(await failed("free", () => pay("free"))).toEqual({ answers: 0, entries: 0, messages: 0 });
    expect(await pay("free")).toMatchObject({ outcome: "executed", response: { status: 201 } });
  });
});
