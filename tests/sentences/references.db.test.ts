import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resolveAction } from "@/console/actions/operation-actions";
import { readReference } from "@/console/read/operations/read-reference";
import { engineContext, type EngineContext } from "@/engine/context";
import { execute } from "@/engine/execute/execute";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

const receivedAt = 0;

let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
  await execute(env.context(), env.operations.createAccount, {
    key: uuidv7(),
    command: { accountId: "acc_1", currency: "EUR" },
    receivedAt,
  });
});
afterAll(() => env.close());

function operator(): EngineContext {
  return engineContext(env.context(), {
    tenantId: "acme",
    actor: {
      kind: "operator",
      id: "op-1",
      name: "Mira Okafor",
      role: "admin",
      confirmation: { fresh: true, by: ["password"] },
    },
    requestId: "req-reference",
  });
}

async function sentenceOf(reference: string): Promise<string | undefined> {
  const ctx = operator();
  await env.context().answers.flush();
  return (await readReference(ctx, { reference }))?.verdict.text;
}

/** A payment that the provider took, or not, and never answered. */
async function lost(reference: string, fault: string): Promise<string> {
  await env.faults({ [fault]: 1, lookup_down: 1, no_webhook: 1 });
  const key = uuidv7();
  await execute(env.context(), env.operations.createPayment, {
    key,
    command: { accountId: "acc_1", amountMinor: 8_450n, currency: "EUR", merchantReference: reference, channel: "web" },
    receivedAt,
  }).catch(() => undefined);
  await env.faults({});
  const [row] = await env.rows<{ id: string }>(
    "select operation_id as id from onceboard.idempotency_requests where key = $1",
    key,
  );
  return row?.id ?? "none";
}

function resolve(operationId: string, decision: "succeeded" | "failed") {
  const request = {
    action: "operations.resolve",
    idempotencyKey: uuidv7(),
    input: { decision },
    subject: { type: "operation", id: operationId },
    reason: "read in the provider's dashboard",
    receivedAt,
  } as const;
  return resolveAction(operator(), env.registry, request, {
    operationId,
    decision,
    evidence: ["document"],
    reason: request.reason,
  });
}

describe("REFERENCE-1 what a person settled is said to be settled by hand", () => {
  it.each([
    ["succeeded", "Recorded as charged once: its only key was settled by hand as charged."],
    ["failed", "Recorded as not charged: its only key was settled by hand as not charged."],
  ] as const)("as %s, through the console's own action", async (decision, sentence) => {
    const reference = `order-${decision}`;
    const operationId = await lost(reference, "timeout_before");
    expect(await sentenceOf(reference)).toBe("Charged at most once: its only key is unknown.");
    await resolve(operationId, decision);
    expect(await sentenceOf(reference)).toContain(
      `${sentence} The provider has not confirmed what was settled by hand.`,
    );
  });
});
