import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordStatements, type Statement } from "@/db/testing/record-statements";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import { execute } from "@/engine/execute/execute";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

let env: TestEnvironment;
let taken: () => Statement[];

beforeAll(async () => {
  env = await createTestEnvironment();
  taken = recordStatements(env.db);
  // What a process reads once and keeps for a while (data keys, policies) belongs to no request.
  await pay("warm-up");
  await openAccount("warm-up");
});
afterAll(() => env.close());

async function pay(key: string, amountMinor = 4200n): Promise<ExecuteAnswer> {
  const command = { accountId: "acc_1", amountMinor, currency: "EUR", merchantReference: key, channel: "web" };
  return execute(env.context(), env.operations.createPayment, { key, command, receivedAt: performance.now() });
}

async function openAccount(accountId: string, currency = "EUR"): Promise<ExecuteAnswer> {
  const request = { key: accountId, command: { accountId, currency }, receivedAt: performance.now() };
  return execute(env.context(), env.operations.createAccount, request);
}

async function refund(key: string, paymentId: string): Promise<ExecuteAnswer> {
  const command = { paymentId, amountMinor: 100n, currency: "EUR", accountId: "acc_1", reason: undefined };
  return execute(env.context(), env.operations.createRefund, { key, command, receivedAt: performance.now() });
}

async function voidOf(key: string, paymentId: string): Promise<ExecuteAnswer> {
  const command = { paymentId, accountId: "acc_1", amountMinor: 4200n, currency: "EUR" };
  return execute(env.context(), env.operations.voidPayment, { key, command, receivedAt: performance.now() });
}

/** @returns what `work` sent, in order: functions by name, other statements by verb and table. */
async function statementsOf(outcome: ExecuteAnswer["outcome"], work: () => Promise<ExecuteAnswer>): Promise<string[]> {
  // Events of earlier requests are written now and not in the middle of this one.
  await env.context().answers.flush();
  taken();
  expect((await work()).outcome).toBe(outcome);
  const names = taken().map(({ text }) => nameOf(text));
  // A batch of events is written off the request's path and may come in between on a busy machine; a request's own come last.
  return names.filter((name, index) => name !== "record_events" || index === names.length - 1);
}

function nameOf(text: string): string {
  const [, called] = /onceboard\.([a-z_]+)\(/.exec(text) ?? [];
  const [, verb, table] = /^(insert into|update) (?:onceboard|payments)\.([a-z]+)/.exec(text) ?? [];
  return called ?? (verb && table ? `${verb.split(" ")[0] ?? verb} ${table}` : (text.split(" ")[0] ?? text));
}

async function paid(key: string): Promise<string> {
  const answer = await pay(key);
  if (answer.outcome !== "executed") throw new Error(answer.outcome);
  return (JSON.parse(answer.response.body.toString()) as { paymentId: string }).paymentId;
}

const LOCAL = ["begin", "claim", "insert accounts", "complete", "commit"];

describe("round trips to the database, from the claim to the answer", () => {
  it("are eleven for a payment: what prepare inserted is not read again, and a final answer is kept in one", async () => {
    expect(await statementsOf("executed", () => pay("first"))).toEqual([
      "claim",
      ...["begin", "insert payments", "prepare_provider", "commit"],
      "mark_sent",
      "confirm_provider",
      ...["begin", "update payments", "complete", "commit"],
    ]);
  });

  it("are thirteen for a refund and twelve for a void", async () => {
    const [refunded, voided] = [await paid("refunded"), await paid("voided")];
    expect(await statementsOf("executed", () => refund("r", refunded))).toHaveLength(13);
    expect(await statementsOf("executed", () => voidOf("v", voided))).toHaveLength(12);
  });

  it("are one for a replay, and one more for the evidence of a conflict", async () => {
    await pay("again");
    expect(await statementsOf("replayed", () => pay("again"))).toEqual(["claim"]);
    expect(await statementsOf("conflict", () => pay("again", 1n))).toEqual(["claim", "record_events"]);
  });

  it("are five for an account; its claim is part of the one transaction, also of a replay and of a conflict", async () => {
    expect(await statementsOf("executed", () => openAccount("one"))).toEqual(LOCAL);
    expect(await statementsOf("replayed", () => openAccount("one"))).toEqual(["begin", "claim", "commit"]);
    expect(await statementsOf("conflict", () => openAccount("one", "USD"))).toEqual([
      ...["begin", "claim", "commit"],
      "record_events",
    ]);
  });
});
