import { v7 as uuidv7 } from "uuid";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { readOperation } from "@/console/read/operations/read-operation";
import { engineContext, type EngineContext } from "@/engine/context";
import { answerEvent } from "@/engine/execute/answer-event";
import { execute } from "@/engine/execute/execute";
import { consume } from "@/engine/inbox/consume";
import { receive } from "@/engine/inbox/receive";
import { relay } from "@/engine/outbox/relay";
import { through } from "@/engine/testing/transports";
import { formatDuration } from "@/presentation/format/display-time";
import type { OperationDetail } from "@/presentation/views/operations";
import { createConsumers } from "./consumers";
import { createTestEnvironment, type TestEnvironment } from "./testing/environment";

/** What the page of one operation says, each sentence beside the rows that it is about. */
let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
});
afterAll(() => env.close());
afterEach(() => env.faults({ timeout_before: 0, error_after_accept: 0 }));

const pay = (key: string, amountMinor = 4_200n, merchantReference = `ref-${key}`) =>
  execute(env.context(), env.operations.createPayment, {
    key,
    command: { accountId: "acc_1", amountMinor, currency: "EUR", merchantReference, channel: "web" },
    receivedAt: 0,
  });

async function operationIdOf(key: string): Promise<string> {
  const [row] = await env.rows<{ operation_id: string }>(
    "select operation_id from onceboard.idempotency_requests where key = $1",
    key,
  );
  if (row === undefined) throw new Error(`no operation ${key}`);
  return row.operation_id;
}

function person(): EngineContext {
  return engineContext(env.context(), {
    tenantId: "acme",
    actor: {
      kind: "operator",
      id: "op-2",
      name: "Mira Okafor",
      role: "operator",
      confirmation: { fresh: true, by: ["password"] },
    },
    requestId: "req-person",
  });
}

async function read(operationId: string): Promise<OperationDetail> {
  const ctx = person();
  await ctx.answers.flush();
  const detail = await readOperation(ctx, { operationId });
  if (detail === undefined) throw new Error("no such operation");
  return detail;
}

/** A duplicate that came while its owner worked: recorded as the request path records it. */
function refusedInProgress(operationId: string): void {
  const ctx = env.context();
  const row = { operation_id: operationId, fence: 1, attempts: 1, asked_at: new Date() };
  const answer = { outcome: "in_progress", status: 409, code: "idempotency.in_progress" } as const;
  ctx.answers.add(
    answerEvent(ctx, row, { receivedAt: performance.now() }, { ...answer, operation: "payments.create" }),
  );
}

const consumers = () => createConsumers(env.registry);
const inProcess = through(async (delivery, ctx) => {
  await receive(ctx, consumers(), {
    source: "onceboard",
    messageId: delivery.id,
    type: delivery.type,
    payload: JSON.parse(delivery.body),
    payloadBytes: Buffer.from(delivery.body),
    headers: {},
  });
  return { kind: "acknowledged" };
});
async function settleAll(): Promise<void> {
  while ((await relay(env.context(), inProcess)).claimed > 0);
  while ((await consume(env.context(), consumers())).claimed > 0);
}

describe("TRUTH-1 the answers of a key", () => {
  it("byte-equal is said of the answers that were served, with their number; the others are named", async () => {
    const key = uuidv7();
    await pay(key);
    await pay(key);
    const operationId = await operationIdOf(key);
    refusedInProgress(operationId);
    await settleAll();
    expect((await read(operationId)).verdict.text).toBe(
      "Executed once. Answered twice, byte-equal. Other requests: 1 in progress. Ledger posted.",
    );
  });

  it("a replay whose answer was purged is not counted among the byte-equal ones", async () => {
    const key = uuidv7();
    await pay(key);
    await pay(key);
    const operationId = await operationIdOf(key);
    await settleAll();
    await env.rows("select onceboard.purge_bodies('acme', 0, 1, $1)", operationId);
    await pay(key);
    expect((await read(operationId)).verdict.text).toBe(
      "Executed once. Answered twice, byte-equal. Other requests: 1 without the stored answer. Ledger posted.",
    );
  });
});

describe("TRUTH-1 durations of the chain", () => {
  it("each is the difference of the two times that stand at its ends", async () => {
    const key = uuidv7();
    await pay(key);
    const operationId = await operationIdOf(key);
    await settleAll();
    // The relay was away for a while, and so was the ledger's consumer.
    await env.rows(
      "update onceboard.inbox_messages set received_at = received_at + interval '400 milliseconds' where operation_id = $1",
      operationId,
    );
    await env.rows(
      "update onceboard.ledger_entries set posted_at = posted_at + interval '2 seconds' where operation_id = $1",
      operationId,
    );
    await env.rows("update onceboard.provider_requests set answered_at = sent_at where operation_id = $1", operationId);
    const { stations } = (await read(operationId)).chain;
    const shown = stations.flatMap(({ name, time, way }, index) => {
      const next = stations[index + 1]?.time;
      return way?.duration === undefined ? [] : [{ name, duration: way.duration, ends: [time, next] }];
    });
    expect(shown.map(({ name }) => name)).toEqual(expect.arrayContaining(["Provider", "Outbox", "Inbox"]));
    for (const { name, duration, ends } of shown) expect(duration, name).toBe(formatDuration(spanOf(ends)));
  });
});

/** Milliseconds between two clocks of one day, "14:02:09.114". */
function spanOf([from, to]: readonly (string | undefined)[]): number {
  const ms = (clock: string | undefined): number => Date.parse(`2026-11-19T${clock ?? "none"}Z`);
  return ms(to) - ms(from);
}

describe("TRUTH-1 names that will never come", () => {
  it("a refused duplicate has no provider reference and no ledger entry, and none will come", async () => {
    const [first, second] = [uuidv7(), uuidv7()];
    await pay(first, 4_200n, "order-twice");
    await settleAll();
    await pay(second, 4_200n, "order-twice");
    const names = (await read(await operationIdOf(second))).names;
    expect(names.filter(({ none }) => none !== undefined)).toEqual([
      { label: "Provider key", none: "none, nothing was prepared" },
      { label: "Provider reference", none: "none" },
      { label: "Ledger entries", none: "none" },
    ]);
  });

  it("of an unknown outcome they may still come", async () => {
    const key = uuidv7();
    await env.faults({ error_after_accept: 1 });
    await pay(key);
    const names = (await read(await operationIdOf(key))).names;
    expect(names.filter(({ none }) => none !== undefined)).toEqual([
      { label: "Provider reference", none: "none yet" },
      { label: "Ledger entries", none: "none yet" },
    ]);
  });
});
