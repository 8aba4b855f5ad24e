import { v7 as uuidv7 } from "uuid";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { listAttention } from "@/console/read/operations/list-attention";
import { listOperations } from "@/console/read/operations/list-operations";
import { readConflict } from "@/console/read/operations/read-conflict";
import { readOperation } from "@/console/read/operations/read-operation";
import { takeOver } from "@/db/operations/take-over";
import { answerProvider, journalProviderRequest } from "@/db/provider/provider-calls";
import { engineContext, type EngineContext } from "@/engine/context";
import { answerEvent } from "@/engine/execute/answer-event";
import { execute } from "@/engine/execute/execute";
import { consume } from "@/engine/inbox/consume";
import { receive } from "@/engine/inbox/receive";
import { relay } from "@/engine/outbox/relay";
import { reconcileOperation } from "@/engine/recover/reconcile";
import { resolveOperation } from "@/engine/recover/resolve";
import { through } from "@/engine/testing/transports";
import { parseOperationFilters } from "@/presentation/filters/parsers";
import { formatDuration } from "@/presentation/format/display-time";
import { chainWords } from "@/presentation/operation/chain-words";
import type { OperationDetail } from "@/presentation/views/operations";
import { createConsumers } from "@/tests/support/payments";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

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
      "update payments.ledger_entries set posted_at = posted_at + interval '2 seconds' where operation_id = $1",
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

it("TRUTH-1 says that a key may run again below the runs of its policy only, and that nothing comes once they are used up", async () => {
  const key = uuidv7();
  const operationId = await unknown(key);
  await env.rows("select onceboard.fail_retryable('acme', $1, 1, 'transient.owner_lost')", operationId);
  const none = async () => (await read(operationId)).names.flatMap((name) => name.none ?? []);
  const said = async () => (await read(operationId)).verdict.text;
  expect(await said()).toMatch(/^Not executed\. The same key may run again\./);
  expect(await none()).toEqual(["none yet", "none yet"]);
  await env.rows(
    `insert into onceboard.operation_policies (tenant_id, operation, overrides, updated_by) values ('acme', 'payments.create', '{"maxAttempts": 1}', 'test')`,
  );
  env.context().policies.forget("acme");
  try {
    expect(await said()).toMatch(/^Not executed\. Its policy lets the key run no more: a retry is refused\./);
    expect(await none()).toEqual(["none", "none"]);
    expect(await pay(key)).toMatchObject({ outcome: "refused", error: { code: "idempotency.attempts_exhausted" } });
  } finally {
    await env.rows("delete from onceboard.operation_policies");
    env.context().policies.forget("acme");
  }
});

describe("TRUTH-3 what was settled by hand", () => {
  const EVIDENCE = "Settled by hand as succeeded on this evidence: bank statement; the provider has not confirmed it.";

  it("is not said to be executed: page, chain, names, list, export and conflict say by whom it was settled", async () => {
    const { key, operationId } = await settledByHand("succeeded");
    await pay(key, 9_900n);
    await settleAll();
    const detail = await read(operationId);
    expect(detail.verdict.text).toBe(
      `${EVIDENCE} Answered once, never with this outcome. Another command was refused once. Ledger posted.`,
    );
    expect(detail.verdict.clauses[0]?.tone).toBe("doubt");
    const [, operation, provider] = detail.chain.stations;
    expect(operation?.facts).toEqual(["settled by hand, fence 2"]);
    expect(provider).toMatchObject({ glyph: "unknown", facts: ["sent once, not confirmed"] });
    expect(detail.names).toContainEqual({ label: "Provider reference", none: "none, settled by hand" });
    expect(await exportedChain(key)).toBe(
      "key done, operation done, provider not confirmed, outbox done, inbox done, ledger done",
    );
    const conflict = detail.requests.find(({ outcome }) => outcome === "conflict")?.eventId ?? "none";
    expect((await readConflict(person(), { eventId: conflict }))?.verdict.text).toContain(
      "The first command was settled by hand as succeeded; the provider has not confirmed it.",
    );
  });

  it("as failed is no refusal of the provider", async () => {
    const { key, operationId } = await settledByHand("failed");
    const detail = await read(operationId);
    expect(detail.verdict.text).toBe(
      "Settled by hand as failed on this evidence: bank statement; the provider has not confirmed it. The refusal is final. Answered once, never with this outcome.",
    );
    expect(detail.chain.stations[2]).toMatchObject({ glyph: "unknown", facts: ["sent once, not confirmed"] });
    expect(await exportedChain(key)).toContain("provider not confirmed");
  });

  it("a signed webhook that comes later is the provider's word, for it or against it", async () => {
    const confirmed = await settledByHand("succeeded");
    await webhook(confirmed.operationId, "succeeded");
    const detail = await read(confirmed.operationId);
    expect(detail.verdict.text).toMatch(
      /^Executed once\. Settled by hand; the provider confirmed it by a signed webhook\. /,
    );
    expect(detail.chain.stations[2]?.facts).toEqual(["sent once, confirmed by a signed webhook"]);
    expect(await exportedChain(confirmed.key)).toContain("provider done");

    const against = await settledByHand("succeeded");
    await webhook(against.operationId, "declined");
    const { verdict } = await read(against.operationId);
    expect(verdict.text).toMatch(
      /^Settled by hand as succeeded on this evidence: bank statement; the provider says it failed\. /,
    );
    expect(verdict.clauses[0]?.tone).toBe("broken");
  });

  it("a look-up that answers late confirms it, too", async () => {
    const key = uuidv7();
    const operationId = await unknown(key);
    const id = uuidv7();
    const [taken] = await takeOver(env.db.pool, {
      tenantId: "acme",
      owner: "worker-9",
      leaseMs: 30_000,
      limit: 1,
      operationId,
      now: true,
    });
    const lookUp = { id, operationId, providerKey: taken?.provider_key ?? "none", fence: taken?.fence ?? 0 };
    await journalProviderRequest(env.db.pool, { tenantId: "acme", provider: "sandbox", kind: "lookup", ...lookUp });
    await env.rows(
      "update onceboard.idempotency_open set locked_until = clock_timestamp() - interval '1 second' where operation_id = $1",
      operationId,
    );
    await decide(operationId, "succeeded");
    await answerProvider(env.db.pool, {
      tenantId: "acme",
      requestId: id,
      outcome: "succeeded",
      reference: "np_late",
      detail: "succeeded",
    });
    expect((await read(operationId)).verdict.text).toMatch(
      /^Executed once\. Settled by hand; the provider confirmed it by a look-up\. /,
    );
  });

  it("a key that is retried a thousand times is still known to be settled by hand", async () => {
    const key = uuidv7();
    const operationId = await unknown(key);
    await env.rows(
      `insert into onceboard.idempotency_events
       select (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'at', e.at + make_interval(secs => n / 1e4)))).*
       from onceboard.idempotency_events e, generate_series(1, 1200) n where e.operation_id = $1 and e.outcome = 'unknown'`,
      operationId,
    );
    await decide(operationId, "succeeded");
    expect((await read(operationId)).verdict.text).toMatch(
      /^Settled by hand as succeeded on this evidence: bank statement; the provider has not confirmed it\. Answered at least \d+ times, never with this outcome\./,
    );
  });
});

describe("TRUTH-1 what is known of an outcome in doubt", () => {
  it("a person who keeps waiting is no look-up", async () => {
    const key = uuidv7();
    const operationId = await unknown(key);
    await env.faults({ lookup_down: 1 });
    await reconcileOperation(env.context(), env.registry, { operationId });
    await env.faults({ lookup_down: 0 });
    const evidence: string[] = [];
    await resolveOperation(person(), env.registry, { operationId, decision: "keep_waiting", evidence, reason: "wait" });
    const view = await listAttention(person(), {});
    const row = view.list.kind === "page" ? view.list.rows.find((each) => each.operationId === operationId) : undefined;
    expect(row?.known).toBe("Kept waiting by a person, asked once before. No webhook.");
  });
});

/** Sent, and no answer of the provider. */
async function unknown(key: string): Promise<string> {
  await env.faults({ timeout_before: 1 });
  await pay(key);
  await env.faults({ timeout_before: 0 });
  return operationIdOf(key);
}

async function decide(operationId: string, decision: "succeeded" | "failed"): Promise<void> {
  const evidence = ["bank statement"];
  await resolveOperation(person(), env.registry, { operationId, decision, evidence, reason: "seen" });
}

async function settledByHand(decision: "succeeded" | "failed"): Promise<{ key: string; operationId: string }> {
  const key = uuidv7();
  const operationId = await unknown(key);
  await decide(operationId, decision);
  return { key, operationId };
}

/** A signed event of the provider about the operation, as its endpoint records it. */
async function webhook(operationId: string, status: "succeeded" | "declined"): Promise<void> {
  const [call] = await env.rows<{ provider_key: string }>(
    "select provider_key from onceboard.provider_requests where operation_id = $1 limit 1",
    operationId,
  );
  const data = { id: "np_1", providerKey: call?.provider_key, status, metadata: { operationId } };
  const payload = { type: `charge.${status}`, data };
  await receive(env.context(), consumers(), {
    source: "provider",
    messageId: uuidv7(),
    type: payload.type,
    payload,
    payloadBytes: Buffer.from(JSON.stringify(payload)),
    headers: {},
  });
}

/** The chain of one key as the file of the operations list has it. */
async function exportedChain(key: string): Promise<string | undefined> {
  await env.context().answers.flush();
  const filters = parseOperationFilters({ key }).filters;
  const view = await listOperations(person(), { filters });
  if (view.kind !== "page") throw new Error("too broad");
  const [row] = view.rows;
  return row && chainWords(row.chain);
}
