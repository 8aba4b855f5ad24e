import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { recordStatements, type Statement } from "@/db/testing/record-statements";
import { AppError } from "@/domain/errors";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import { execute } from "@/engine/execute/execute";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

const COUNT = 8;
const BAD = 3;

let env: TestEnvironment;
let taken: () => Statement[];
/** A pool for each test: where a request undid a shared transaction, its operation goes alone for a second. */
let db: Database;
beforeAll(async () => {
  env = await createTestEnvironment();
});
afterAll(() => env.close());
beforeEach(async () => {
  db = createDatabase({ url: env.url, max: 20 });
  taken = recordStatements(db);
  await pay(`warm-up ${randomUUID()}`);
});
afterEach(() => db.close());

type Pay = TestEnvironment["operations"]["createPayment"];

function pay(key: string, definition: Pay = env.operations.createPayment, accountId = "acc_1"): Promise<ExecuteAnswer> {
  const command = { accountId, amountMinor: 1000n, currency: "EUR", merchantReference: `ref-${key}`, channel: "web" };
  return execute({ ...env.context(), db }, definition, { key, command, receivedAt: performance.now() });
}

const newKeys = (): string[] => Array.from({ length: COUNT }, (_, n) => `${String(n)}-${randomUUID()}`);

/** What each key left: its payment, what the provider was asked and what it did. */
async function left(keys: readonly string[]): Promise<string[]> {
  const rows = await env.rows<{
    key: string;
    state: string;
    status: string | null;
    provider_key: string | null;
    calls: bigint;
  }>(
    `select r.key, r.state, p.status, p.provider_key,
       (select count(*) from onceboard.provider_requests q where q.tenant_id = r.tenant_id and q.operation_id = r.operation_id) as calls
     from onceboard.idempotency_requests r left join payments.payments p using (tenant_id, operation_id)
     where r.key = any ($1) order by r.key`,
    keys,
  );
  const charged = (await env.ledger()).map(({ providerKey }) => providerKey);
  return rows.map(({ state, status, provider_key, calls }) => {
    const charges = charged.filter((one) => one === provider_key).length;
    return `${state}, payment ${status ?? "none"}, ${String(calls)} calls, ${String(charges)} charges`;
  });
}

const PAID = "COMPLETED, payment succeeded, 1 calls, 1 charges";
const others = (word: string): string[] => Array.from({ length: COUNT }, (_, n) => (n === BAD ? word : PAID));

describe("payments of the same turn", () => {
  it("TOGETHER-1 are prepared in one transaction, and each is charged and answered once", async () => {
    const keys = newKeys();
    taken();
    const answers = await Promise.all(keys.map((key) => pay(key)));
    const texts = taken().map(({ text }) => text);
    expect(texts.filter((text) => text.includes("onceboard.prepare_provider("))).toHaveLength(1);
    // Answers of the provider come when they come; alone there would be two for each.
    expect(texts.filter((text) => text === "commit").length).toBeLessThanOrEqual(COUNT + 1);
    const references = answers.map((answer) =>
      "response" in answer
        ? (JSON.parse(answer.response.body.toString()) as { merchantReference: string }).merchantReference
        : answer.outcome,
    );
    expect(references).toEqual(keys.map((key) => `ref-${key}`));
    expect(await left(keys)).toEqual(others(PAID));
  });

  it("TOGETHER-2 stand beside one that is refused before anything is sent", async () => {
    const keys = newKeys();
    const { createPayment } = env.operations;
    const definition: Pay = {
      ...createPayment,
      prepare: async (ctx, tx, claim, command) => {
        const prepared = await createPayment.prepare(ctx, tx, claim, command);
        if (claim.key === keys[BAD]) throw new AppError("account.odd", 422, "No");
        return prepared;
      },
    };
    const answers = await Promise.all(keys.map((key) => pay(key, definition)));
    expect(answers[BAD]).toMatchObject({ outcome: "refused", error: { code: "account.odd" } });
    expect(await left(keys)).toEqual(others("FAILED_RETRYABLE, payment none, 0 calls, 0 charges"));
  });

  it("TOGETHER-2 stand beside one that another owner took over while it settled", async () => {
    const keys = newKeys();
    const { createPayment } = env.operations;
    const definition: Pay = {
      ...createPayment,
      settle: async (ctx, tx, claim, outcome) => {
        if (claim.key === keys[BAD])
          await env.rows(
            "update onceboard.idempotency_open set fence = 7, owner = 'rival' where operation_id = $1",
            claim.operationId,
          );
        return createPayment.settle(ctx, tx, claim, outcome);
      },
    };
    const answers = await Promise.all(keys.map((key) => pay(key, definition)));
    expect(answers.map(({ outcome }) => outcome)).toEqual(keys.map((_, n) => (n === BAD ? "in_progress" : "executed")));
    expect(await left(keys)).toEqual(others("IN_PROGRESS, payment pending, 1 calls, 1 charges"));
  });

  it.each(["prepare", "settle"] as const)(
    "TOGETHER-3 find out by their keys when the connection dies in %s, and nobody is charged twice",
    async (step) => {
      const keys = newKeys();
      const { createPayment } = env.operations;
      let killed = false;
      const kill = async (tx: { query(config: { text: string }): Promise<{ rows: unknown[] }> }): Promise<void> => {
        if (killed) return;
        killed = true;
        const { rows } = await tx.query({ text: "select pg_backend_pid() as pid" });
        await env.rows("select pg_terminate_backend($1)", (rows[0] as { pid: number }).pid);
      };
      const definition: Pay = {
        ...createPayment,
        prepare: async (ctx, tx, claim, command) => {
          const prepared = await createPayment.prepare(ctx, tx, claim, command);
          if (step === "prepare") await kill(tx);
          return prepared;
        },
        settle: async (ctx, tx, claim, outcome) => {
          const settlement = await createPayment.settle(ctx, tx, claim, outcome);
          if (step === "settle") await kill(tx);
          return settlement;
        },
      };
      await Promise.allSettled(keys.map((key) => pay(key, definition)));
      expect(killed).toBe(true);
      const states = await left(keys);
      // Whoever was in the transaction of the dead connection: sent nothing, or is left to recovery with one charge.
      for (const state of states)
        expect([
          PAID,
          "FAILED_RETRYABLE, payment none, 0 calls, 0 charges",
          "UNKNOWN_REQUIRES_RECOVERY, payment pending, 1 calls, 1 charges",
        ]).toContain(state);
      await Promise.allSettled(keys.map((key) => pay(key)));
      for (const state of await left(keys)) expect(state).toMatch(/[01] charges$/);
    },
  );
});
