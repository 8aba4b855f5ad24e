import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { REFERENCE_BY_HAND } from "@/domain/idempotency/provider-capabilities";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import { execute } from "@/engine/execute/execute";
import { resolveOperation } from "@/engine/recover/resolve";
import { createRefund, readRefundCommand } from "./create-refund";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
});
afterAll(() => env.close());
beforeEach(() => env.faults({ timeout_after_accept: 0, timeout_before: 0, lookup_down: 0 }));

interface Made {
  readonly id: string;
  readonly operation_id: string;
  readonly provider_reference: string | null;
}

/** A payment whose answer was lost, settled by hand as succeeded. @param fault whether the provider has the charge */
async function settledByHand(
  key: string,
  fault: "timeout_after_accept" | "timeout_before",
  providerReference?: string,
): Promise<Made> {
  await env.faults({ [fault]: 1 });
  const command = { accountId: "acc_1", amountMinor: 4200n, currency: "EUR", merchantReference: key, channel: "web" };
  await execute(env.context(), env.operations.createPayment, { key, command, receivedAt: 0 });
  await env.faults({ [fault]: 0 });
  const made = await payment(key);
  await resolveOperation(env.context(), env.registry, {
    operationId: made.operation_id,
    decision: "succeeded",
    evidence: ["bank statement"],
    reason: "it is on the statement",
    providerReference,
  });
  return payment(key);
}

async function payment(key: string): Promise<Made> {
  const [row] = await env.rows<Made>(
    "select id, operation_id, provider_reference from payments.payments where merchant_reference = $1",
    key,
  );
  if (row === undefined) throw new Error("no payment");
  return row;
}

async function refund(key: string, paymentId: string, operation = env.operations.createRefund): Promise<ExecuteAnswer> {
  const command = await readRefundCommand(env.context(), { paymentId, amount: "10.00", reason: undefined });
  return execute(env.context(), operation, { key, command, receivedAt: 0 });
}

interface Kept {
  readonly id: string;
  readonly kind: string;
  readonly chargeReference?: string;
}
async function ledger(): Promise<readonly Kept[]> {
  return (await env.ledger()) as unknown as readonly Kept[];
}

describe("ATTENTION-6 a refund of a payment that was settled by hand", () => {
  it("keeps no reference that the provider did not give, and asks for it before it refunds", async () => {
    const made = await settledByHand("hand-1", "timeout_after_accept");
    expect(made.provider_reference).toBeNull();
    expect(await refund("hand-1-refund", made.id)).toMatchObject({ outcome: "executed", response: { status: 201 } });
    const rows = await ledger();
    const charge = rows.find(({ kind }) => kind === "charge");
    expect(rows.find(({ kind }) => kind === "refund")?.chargeReference).toBe(charge?.id);
  });

  it("sends the reference that the person named", async () => {
    const before = await ledger();
    const made = await settledByHand("hand-2", "timeout_after_accept", "ch_named");
    expect(made.provider_reference).toBe("ch_named");
    await refund("hand-2-refund", made.id);
    const sent = (await ledger()).filter(({ id }) => before.every((row) => row.id !== id));
    expect(sent.find(({ kind }) => kind === "refund")?.chargeReference).toBe("ch_named");
  });

  it("says what is missing where the provider has no such charge, and sends nothing", async () => {
    const made = await settledByHand("hand-3", "timeout_before");
    const before = (await ledger()).length;
    expect(await refund("hand-3-refund", made.id)).toMatchObject({
      outcome: "refused",
      error: {
        code: "dependency.refused",
        message:
          "The provider's reference of this payment is not known: it was settled by hand, and none was given. The provider has no such charge. Nothing was sent.",
      },
    });
    expect(await ledger()).toHaveLength(before);
  });

  it("may be retried under its key while the provider cannot be asked", async () => {
    const made = await settledByHand("hand-4", "timeout_after_accept");
    await env.faults({ lookup_down: 1 });
    expect(await refund("hand-4-refund", made.id)).toMatchObject({
      outcome: "refused",
      error: {
        code: "dependency.unavailable",
        retryable: true,
      },
    });
    await env.faults({ lookup_down: 0 });
    expect(await refund("hand-4-refund", made.id)).toMatchObject({ response: { status: 201 } });
  });

  it("never sends what an earlier release kept in its place", async () => {
    const made = await settledByHand("hand-5", "timeout_before");
    await env.rows("update payments.payments set provider_reference = $2 where id = $1", made.id, REFERENCE_BY_HAND);
    const before = (await ledger()).length;
    expect(await refund("hand-5-refund", made.id)).toMatchObject({
      outcome: "refused",
      error: { code: "dependency.refused" },
    });
    expect(await ledger()).toHaveLength(before);
  });

  it("asks nothing of a provider that cannot be asked", async () => {
    const made = await settledByHand("hand-6", "timeout_after_accept");
    const { provider } = env.operations.createRefund;
    const blind = createRefund({
      ...(provider as Parameters<typeof createRefund>[0]),
      queryable: false,
      lookUp: () => Promise.reject(new Error("was asked")),
    });
    expect(await refund("hand-6-refund", made.id, blind)).toMatchObject({
      outcome: "refused",
      error: {
        code: "dependency.refused",
        message: expect.stringContaining("This provider cannot be asked for it.") as string,
      },
    });
  });
});

describe("PROVIDER-10 every question to the provider is in the journal, also one about another operation", () => {
  /** Look-ups in the journal of a payment's own operation. */
  const asked = (made: Made) =>
    env.rows(
      `select p.state, p.outcome, p.provider_reference as reference, p.detail, p.provider_key = y.provider_key as "ownKey",
         p.answered_at >= p.sent_at as answered
       from onceboard.provider_requests p join payments.payments y on y.operation_id = p.operation_id
       where p.operation_id = $1 and p.kind = 'lookup' order by p.prepared_at`,
      made.operation_id,
    );
  const row = (outcome: string, detail: string, reference: string | null = null) => ({
    ...{ state: "answered", outcome, reference, detail, ownKey: true, answered: true },
  });

  it("what names the charge of a refund", async () => {
    const made = await settledByHand("ask-1", "timeout_after_accept");
    const before = await ledger();
    expect(await asked(made)).toEqual([]);
    await refund("ask-1-refund", made.id);
    const after = await ledger();
    const refunded = after.find(({ id }) => before.every((one) => one.id !== id));
    expect(await asked(made)).toEqual([row("succeeded", "succeeded", refunded?.chargeReference)]);
    const its = await env.rows(
      "select p.kind from onceboard.provider_requests p join onceboard.idempotency_requests r on r.operation_id = p.operation_id where r.key = 'ask-1-refund'",
    );
    expect(its).toEqual([{ kind: "refund" }]);
  });

  it("what names none, and what gets no answer", async () => {
    const none = await settledByHand("ask-2", "timeout_before");
    await refund("ask-2-refund", none.id);
    expect(await asked(none)).toEqual([row("absent", "never received")]);
    const dark = await settledByHand("ask-3", "timeout_after_accept");
    await env.faults({ lookup_down: 1 });
    await refund("ask-3-refund", dark.id);
    await env.faults({ lookup_down: 0 });
    await refund("ask-3-refund", dark.id);
    const [first, second, ...more] = await asked(dark);
    expect([first, second, more]).toMatchObject([{ state: "answered", reference: null }, { outcome: "succeeded" }, []]);
    expect(first).not.toMatchObject({ outcome: "succeeded" });
  });
});
