import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyProof } from "@/client/verify-proof";
import type { ClaimStatus, SignedProof } from "@/presentation/proof/proof-statement";
import { consume } from "@/engine/inbox/consume";
import { engineContext } from "@/engine/context";
import { execute } from "@/engine/execute/execute";
import { createProofSigner } from "@/console/proof/proof-signer";
import { readProof } from "@/console/proof/read-proof";
import { reconcileOperation } from "@/engine/recover/reconcile";
import { receive } from "@/engine/inbox/receive";
import { relay } from "@/engine/outbox/relay";
import { through } from "@/engine/testing/transports";
import { resolveOperation } from "@/engine/recover/resolve";
import { createConsumers } from "@/tests/support/payments";
import { readRefundCommand } from "@/payments/create-refund";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";
import { readVoidCommand } from "@/payments/void-payment";

const DEPLOYMENT = "https://pay.example.com";
const signer = createProofSigner("a secret of this test, long enough to be one");
const receivedAt = 0;

let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
  await open("acc_1");
});
afterAll(() => env.close());

const open = (accountId: string, key = uuidv7()) =>
  execute(env.context(), env.operations.createAccount, {
    key,
    command: { accountId, currency: "EUR" },
    receivedAt,
  });
const pay = (key: string = uuidv7(), amountMinor = 4_200n) =>
  execute(env.context(), env.operations.createPayment, {
    key,
    command: { accountId: "acc_1", amountMinor, currency: "EUR", merchantReference: `ref-${key}`, channel: "web" },
    receivedAt,
  });
const operationOf = (answer: {
  readonly outcome: string;
  readonly operation?: { readonly operationId: string } | undefined;
}): string => answer.operation?.operationId ?? "none";

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
async function relayAll(): Promise<void> {
  while ((await relay(env.context(), inProcess)).claimed > 0);
}
async function settleAll(): Promise<void> {
  await relayAll();
  while ((await consume(env.context(), consumers())).claimed > 0);
}

/** What a viewer is given, every answer written first; checked to be signed. */
async function prove(operationId: string): Promise<SignedProof> {
  const ctx = engineContext(env.context(), {
    tenantId: "acme",
    actor: { kind: "operator", id: "op-1", name: "Vera Lindqvist", role: "viewer" },
    requestId: "req-proof",
  });
  await ctx.answers.flush();
  const view = await readProof(ctx, { operationId, signer, deployment: DEPLOYMENT });
  if (view === undefined) throw new Error("no such operation");
  expect(await verifyProof(JSON.parse(JSON.stringify(view.proof)), signer.jwk)).toBe(true);
  return view.proof;
}
const ofStatus = (proof: SignedProof, status: ClaimStatus): string[] =>
  proof.claims.filter((claim) => claim.status === status).map((claim) => claim.name);
const claimOf = (proof: SignedProof, name: string) => proof.claims.find((claim) => claim.name === name);

/** A payment whose answer was lost, settled by a person. */
async function decided(decision: "succeeded" | "failed"): Promise<string> {
  await env.faults({ timeout_before: 1 });
  const operationId = operationOf(await pay());
  await env.faults({});
  const ctx = engineContext(env.context(), {
    tenantId: "acme",
    actor: {
      kind: "operator",
      id: "op-2",
      name: "Mira Okafor",
      role: "operator",
      confirmation: { fresh: true, by: ["password"] },
    },
    requestId: "req-resolve",
  });
  const evidence = ["statement"];
  await resolveOperation(ctx, env.registry, { operationId, decision, evidence, reason: "it is on the statement" });
  await settleAll();
  return operationId;
}

/** A signed event of the provider about an operation, as its endpoint records it. */
async function webhook(operationId: string, status: "succeeded" | "declined"): Promise<void> {
  const [call] = await env.rows<{ provider_key: string }>(
    "select provider_key from onceboard.provider_requests where operation_id = $1 limit 1",
    operationId,
  );
  const payload = { data: { providerKey: call?.provider_key, status, metadata: { operationId } } };
  await receive(env.context(), consumers(), {
    source: "provider",
    messageId: uuidv7(),
    type: `charge.${status}`,
    payload,
    payloadBytes: Buffer.from(JSON.stringify(payload)),
    headers: {},
  });
}

/** A payment that is executed, replayed, disputed, published, handled and posted. */
async function paid(): Promise<string> {
  const key = uuidv7();
  const operationId = operationOf(await pay(key));
  await pay(key);
  await pay(key, 42_000n);
  await settleAll();
  await env.context().answers.flush();
  return operationId;
}

describe("PROOF-1 proofs of real operations", () => {
  it("PROOF-1 a payment: 3 requests, one of everything, and every id of it", async () => {
    const operationId = await paid();
    const proof = await prove(operationId);
    expect(proof.sentence).toBe(
      "Money moved once. 3 requests, 1 execution, 1 provider call, 1 event, 3 consumers, 1 ledger entry.",
    );
    expect(proof.verdict).toBe("proven");
    expect(proof).toMatchObject({ deployment: DEPLOYMENT, tenant: "acme", operationId });
    expect(proof.counts.requests).toMatchObject({ total: "3", executed: "1", replayed: "1", conflict: "1" });
    expect(claimOf(proof, "other_commands_never_ran")).toMatchObject({ counted: "0", status: "holds" });
    const [entry] = await env.rows<{ id: string }>(
      "select id from payments.ledger_entries where operation_id = $1",
      operationId,
    );
    expect(claimOf(proof, "one_ledger_entry")?.rows).toEqual([{ table: "entries", id: entry?.id }]);
    const [payment] = await env.rows<{ id: string; provider_key: string; provider_reference: string }>(
      "select id, provider_key, provider_reference from payments.payments where operation_id = $1",
      operationId,
    );
    const names = new Map(proof.identities.map(({ name, value }) => [name, value]));
    expect(names.get("Payment")).toBe(payment?.id);
    expect(names.get("Provider key")).toBe(payment?.provider_key);
    expect(names.get("Provider reference")).toBe(payment?.provider_reference);
    expect(names.get("Ledger entry")).toBe(entry?.id);
    expect(names.get("Receipt key")).toBe(`receipt_payment_${payment?.id ?? ""}`);
  });

  it("never shows a body: neither a command's fields nor the hash of an answer", async () => {
    const text = JSON.stringify(await prove(await paid()));
    expect(text).not.toContain('"channel"');
    expect(text).not.toMatch(/[0-9a-f]{64}/);
  });

  it("every row it names is there", async () => {
    const proof = await prove(await paid());
    const ids: Readonly<Record<string, string>> = {
      idempotency_requests: "operation_id",
      idempotency_bodies: "operation_id",
    };
    const rows = proof.claims.flatMap((claim) => claim.rows);
    expect(rows.length).toBeGreaterThan(15);
    for (const { table, id } of rows) {
      const tables = table === "outbox_messages" ? [table, "outbox_history"] : [table];
      const found = await Promise.all(
        tables.map((name) => env.rows(`select 1 from onceboard.${name} where ${ids[table] ?? "id"}::text = $1`, id)),
      );
      expect(found.flat().length, `${table} ${id}`).toBeGreaterThan(0);
    }
  });

  it("a refund, and a void", async () => {
    const [first, second] = [await pay(), await pay()];
    const paymentOf = async (answer: typeof first): Promise<string> =>
      (
        await env.rows<{ id: string }>("select id from payments.payments where operation_id = $1", operationOf(answer))
      )[0]?.id ?? "";
    const refund = await execute(env.context(), env.operations.createRefund, {
      key: uuidv7(),
      command: await readRefundCommand(env.context(), {
        paymentId: await paymentOf(first),
        amount: "2.00",
        reason: "broken",
      }),
      receivedAt,
    });
    const voided = await execute(env.context(), env.operations.voidPayment, {
      key: uuidv7(),
      command: await readVoidCommand(env.context(), { paymentId: await paymentOf(second) }),
      receivedAt,
    });
    await settleAll();
    expect(await prove(operationOf(refund))).toMatchObject({
      verdict: "proven",
      sentence:
        "Money was given back once. 1 request, 1 execution, 1 provider call, 1 event, 3 consumers, 1 ledger entry.",
    });
    expect(await prove(operationOf(voided))).toMatchObject({
      verdict: "proven",
      sentence:
        "The payment was voided once. 1 request, 1 execution, 1 provider call, 1 event, 2 consumers, 1 ledger entry.",
    });
    // The voided payment itself took effect once, and still did.
    expect(await prove(operationOf(second))).toMatchObject({ verdict: "proven" });
  });

  it("LOCAL-1 an account: the local path has no provider and no money", async () => {
    const accountId = `acc_${uuidv7()}`;
    const answer = await open(accountId);
    const again = await open(accountId);
    await settleAll();
    expect(await prove(operationOf(answer))).toMatchObject({
      verdict: "proven",
      sentence: "The account was opened once. 1 request, 1 execution, 1 event, 2 consumers.",
    });
    expect(await prove(operationOf(again))).toMatchObject({
      verdict: "proven",
      sentence: "No account was opened. The refusal is final. 1 request, 0 executions, 0 events.",
    });
  });

  it("a declined payment, and one whose reference was taken: no money moved", async () => {
    const declined = await pay(uuidv7(), 151n);
    const proof = await prove(operationOf(declined));
    expect(proof).toMatchObject({ verdict: "proven" });
    expect(proof.sentence).toBe(
      "No money moved. The refusal is final. 1 request, 0 executions, 1 provider call, 0 events, 0 ledger entries.",
    );
    const key = uuidv7();
    const command = {
      accountId: "acc_1",
      amountMinor: 100n,
      currency: "EUR",
      merchantReference: `dup-${key}`,
      channel: "web",
    };
    const request = (each: string) =>
      execute(env.context(), env.operations.createPayment, { key: each, command, receivedAt });
    await request(key);
    const refused = await prove(operationOf(await request(uuidv7())));
    expect(refused).toMatchObject({ verdict: "proven" });
    expect(claimOf(refused, "one_provider_key")).toMatchObject({ text: "The provider was never asked.", counted: "0" });
  });

  it("an unknown outcome is open; recovery makes it proven under the same provider key", async () => {
    await env.faults({ timeout_after_accept: 1 });
    const operationId = operationOf(await pay());
    await env.faults({});
    const before = await prove(operationId);
    expect(before).toMatchObject({ verdict: "open" });
    expect(before.sentence).toMatch(/^Not settled yet\. It is not known yet whether money moved\./);
    expect(before.missing[0]).toContain("a look-up or a person has to settle it");
    await reconcileOperation(env.context(), env.registry, { operationId });
    await settleAll();
    const after = await prove(operationId);
    expect(after).toMatchObject({ verdict: "proven" });
    expect(after.counts).toMatchObject({ executions: "1", takeovers: "1", lookUps: "1", providerCallsSent: "1" });
  });

  it("is open while its event waits, then while its consumer does", async () => {
    const operationId = operationOf(await pay());
    expect(await prove(operationId)).toMatchObject({
      verdict: "open",
      missing: expect.arrayContaining(["The event waits for its delivery."]) as unknown,
    });
    await relayAll();
    expect(await prove(operationId)).toMatchObject({
      verdict: "open",
      missing: expect.arrayContaining(["A consumer has not handled the event yet."]) as unknown,
    });
    await settleAll();
    expect(await prove(operationId)).toMatchObject({ verdict: "proven" });
  });

  it("TRUTH-3 a person's decision is named, and never taken for the provider's word", async () => {
    const operationId = await decided("succeeded");
    const proof = await prove(operationId);
    expect(proof).toMatchObject({ format: "onceboard-proof/2", verdict: "partial" });
    expect(proof.sentence).toBe(
      "Settled by hand as succeeded on this evidence: statement; the provider has not confirmed it. 1 request, 1 settlement by hand, 1 provider call, 1 event, 3 consumers, 1 ledger entry.",
    );
    expect(proof.notShown.join(" ")).toContain("Mira Okafor settled it with evidence");
    expect(proof.counts).toMatchObject({
      executions: "0",
      settledByHand: "1",
      providerCallsSent: "1",
      providerCallsAnswered: "0",
    });
    expect(proof.settledByHand).toMatchObject({
      by: "Mira Okafor",
      decision: "succeeded",
      evidence: ["statement"],
      provider: "not confirmed",
    });
    const texts = proof.claims.map(({ text }) => text);
    expect(claimOf(proof, "executed_once")).toBeUndefined();
    expect(claimOf(proof, "settled_by_hand")).toMatchObject({
      text: "Settled by hand as succeeded, once.",
      status: "holds",
    });
    expect(claimOf(proof, "one_payment")).toMatchObject({
      text: "One payment was booked by this decision.",
      status: "holds",
    });
    expect(texts).not.toContain("One payment took effect.");
    expect(proof.identities).toContainEqual({ name: "Provider reference", none: "none, settled by hand" });
  });

  it("TRUTH-3 a signed webhook that comes later confirms a person's decision, or breaks its proof", async () => {
    const confirmed = await decided("succeeded");
    await webhook(confirmed, "succeeded");
    const proof = await prove(confirmed);
    expect(proof.verdict).toBe("proven");
    expect(proof.sentence).toMatch(
      /^Money moved once\. Settled by hand; the provider confirmed it by a signed webhook\. 1 request, 1 execution, 1 settlement by hand, /,
    );
    const against = await decided("succeeded");
    await webhook(against, "declined");
    const broken = await prove(against);
    expect(broken.verdict).toBe("broken");
    expect(broken.settledByHand).toMatchObject({ provider: "contradicts it" });
    expect(ofStatus(broken, "fails")).toContain("provider_never_contradicts");
  });

  it("TRUTH-3 a decision that it failed proves no refusal of the provider", async () => {
    const proof = await prove(await decided("failed"));
    expect(proof).toMatchObject({ verdict: "partial" });
    expect(proof.sentence).toBe(
      "Settled by hand as failed on this evidence: statement; the provider has not confirmed it. The refusal is final. 1 request, 1 settlement by hand, 1 provider call, 0 events, 0 ledger entries.",
    );
    expect(claimOf(proof, "refused_once")).toBeUndefined();
  });

  it("TRUTH-3 a decision after more requests than a proof reads is still named", async () => {
    const operationId = await decided("succeeded");
    await env.rows(
      `insert into onceboard.idempotency_events
       select (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'at', e.at + make_interval(secs => n / 1e6)))).*
       from onceboard.idempotency_events e, generate_series(1, 1200) n where e.operation_id = $1 and e.outcome = 'unknown'`,
      operationId,
    );
    const proof = await prove(operationId);
    expect(proof.verdict).toBe("partial");
    expect(proof.sentence).toMatch(/^Settled by hand as succeeded on this evidence: statement; the provider has not/);
  });

  it("belongs to its tenant, and needs an id", async () => {
    const operationId = await paid();
    const other = env.context({ tenant: "globex" });
    const asOperator = engineContext(other, {
      tenantId: "globex",
      actor: { kind: "operator", id: "op-1", name: "Vera Lindqvist", role: "viewer" },
      requestId: "req",
    });
    expect(await readProof(asOperator, { operationId, signer, deployment: DEPLOYMENT })).toBeUndefined();
    expect(await readProof(asOperator, { operationId: "no-id", signer, deployment: DEPLOYMENT })).toBeUndefined();
    await expect(readProof(env.context(), { operationId, signer, deployment: DEPLOYMENT })).rejects.toMatchObject({
      code: "auth.forbidden",
    });
  });
});

describe("PROOF-2 a row that is broken by hand breaks the proof", () => {
  const again = (table: string, id: string, changes: string) =>
    `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object(${changes}))).* from ${table} t where ${id}`;
  const second = "'id', gen_random_uuid()";
  const damage: readonly (readonly [string, string, string])[] = [
    [
      "a second ledger entry",
      again("payments.ledger_entries", "operation_id = $1", `${second}, 'entry_type', 'correction'`),
      "one_ledger_entry",
    ],
    [
      "another amount in the ledger",
      "update payments.ledger_entries set amount_minor = amount_minor + 1 where operation_id = $1",
      "ledger_balances",
    ],
    ["no ledger entry", "delete from payments.ledger_entries where operation_id = $1", "one_ledger_entry"],
    [
      "an entry under another operation",
      "update payments.ledger_entries set operation_id = gen_random_uuid() where operation_id = $1",
      "one_ledger_entry",
    ],
    [
      "a second executed event",
      again("onceboard.idempotency_events", "operation_id = $1 and outcome = 'executed'", second),
      "executed_once",
    ],
    [
      "a replay of other bytes",
      "update onceboard.idempotency_events set served_hash = '\\x00' where operation_id = $1 and outcome = 'replayed'",
      "replays_same_bytes",
    ],
    [
      "a kept answer of other bytes",
      "update onceboard.idempotency_events set served_hash = '\\x00' where operation_id = $1 and served_hash is not null",
      "one_kept_answer",
    ],
    [
      "a second provider key",
      again(
        "onceboard.provider_requests",
        "operation_id = $1",
        `${second}, 'provider_key', 'provider_payment_other', 'outcome', 'indefinite', 'provider_reference', null`,
      ),
      "one_provider_key",
    ],
    [
      "a second provider reference",
      again("onceboard.provider_requests", "operation_id = $1", `${second}, 'provider_reference', 'np_other'`),
      "provider_acted_once",
    ],
    [
      "a call for another amount",
      "update onceboard.provider_requests set amount_minor = 1 where operation_id = $1",
      "all_of_the_first_command",
    ],
    [
      "no event",
      "with gone as (delete from onceboard.outbox_history where operation_id = $1) delete from onceboard.inbox_messages where operation_id = $1",
      "one_event",
    ],
    ["a second event", again("onceboard.outbox_history", "operation_id = $1", second), "one_event"],
    [
      "an event that no consumer has",
      "delete from onceboard.inbox_messages where operation_id = $1",
      "each_consumer_once",
    ],
    [
      "no receipt though its consumer is done",
      "delete from onceboard.notifications where operation_id = $1",
      "each_notification_once",
    ],
    [
      "a second receipt",
      again(
        "onceboard.notifications",
        "operation_id = $1",
        `${second}, 'notification_key', 'receipt_again_' || operation_id`,
      ),
      "each_notification_once",
    ],
    [
      "a payment that failed after all",
      "update payments.payments set status = 'failed' where operation_id = $1",
      "one_payment",
    ],
    [
      "a payment of another account",
      "update payments.payments set account_id = 'acc_2' where operation_id = $1",
      "all_of_the_first_command",
    ],
    [
      "a write of a lost owner",
      again(
        "onceboard.idempotency_events",
        "operation_id = $1 and type = 'claimed'",
        `${second}, 'type', 'taken_over', 'fence', 2`,
      ),
      "only_the_last_owner_wrote",
    ],
  ];
  it.each(damage)("%s", async (_what, sql, name) => {
    const operationId = await paid();
    expect((await prove(operationId)).verdict).toBe("proven");
    await env.rows(sql, operationId);
    const proof = await prove(operationId);
    expect(ofStatus(proof, "fails")).toContain(name);
    expect(proof.verdict).toBe("broken");
    expect(proof.sentence).toMatch(/^Proof failed\. /);
  });
});

describe("PROOF-3 evidence that is gone", () => {
  it("a purged body: what can no longer be shown is said", async () => {
    const operationId = await paid();
    await env.rows("select onceboard.purge_bodies('acme', 0, 1, $1)", operationId);
    const proof = await prove(operationId);
    expect(proof).toMatchObject({ verdict: "partial" });
    expect(ofStatus(proof, "not_shown")).toEqual(["one_kept_answer"]);
    expect(proof.notShown[0]).toMatch(/^The kept answer was purged on \d{4}-/);
  });

  it("an answer whose key is destroyed, or that a service sealed by itself, is not shown", async () => {
    const operationId = await paid();
    const day = new Date().toISOString().slice(0, 10);
    const [key] = await env.rows<{ wrapped: Buffer }>(
      "select wrapped from onceboard.data_keys where tenant_id = 'acme' and purpose = 'body' and day = $1::date",
      day,
    );
    const keep = (wrapped: Buffer | null) =>
      env.rows(
        `update onceboard.data_keys set wrapped = $2, destroyed_at = case when $2::bytea is null then now() end
         where tenant_id = 'acme' and purpose = 'body' and day = $1::date`,
        ...[day, wrapped],
      );
    const shown = async () => {
      env.context().keyring.forget("acme", day);
      const { verdict, notShown } = await prove(operationId);
      return [verdict, notShown];
    };
    await keep(null);
    expect(await shown()).toEqual(["partial", ["The key of the kept answer was destroyed."]]);
    await keep(key?.wrapped ?? null);
    expect(await shown()).toEqual(["proven", []]);
    await env.rows(
      "update onceboard.idempotency_bodies set body = '\\xff01' where operation_id = $1 and kind = 'response'",
      operationId,
    );
    expect(await shown()).toEqual(["partial", ["The kept answer could not be opened here."]]);
  });

  it("days before the first one that is still there: absence proves nothing", async () => {
    const operationId = await paid();
    await env.rows(
      "update onceboard.idempotency_requests set created_at = created_at - interval '100 days' where operation_id = $1",
      operationId,
    );
    await env.rows("delete from onceboard.idempotency_events where operation_id = $1", operationId);
    await env.rows("delete from onceboard.outbox_history where operation_id = $1", operationId);
    await env.rows("delete from onceboard.inbox_messages where operation_id = $1", operationId);
    const proof = await prove(operationId);
    expect(ofStatus(proof, "fails")).toEqual([]);
    expect(proof).toMatchObject({ verdict: "partial" });
    expect(ofStatus(proof, "not_shown")).toEqual(expect.arrayContaining(["executed_once", "one_event"]));
  });

  it("more events than are read: the proof says so", async () => {
    const operationId = await paid();
    await env.rows(
      `insert into onceboard.idempotency_events
       select (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'at', e.at + make_interval(secs => n)))).*
       from onceboard.idempotency_events e, generate_series(1, 1000) n where e.operation_id = $1 and e.outcome = 'replayed'`,
      operationId,
    );
    const proof = await prove(operationId);
    expect(proof).toMatchObject({ verdict: "partial" });
    expect(proof.notShown).toContain(
      "There are more than 1,000 events of this operation; only the first were looked at.",
    );
    expect(Number(proof.counts.requests.total)).toBeLessThanOrEqual(1_000);
  });
});

it("PROOF-7 reads one moment: what is committed during the reading is not seen in half", async () => {
  await env.faults({ timeout_after_accept: 1 });
  const operationId = operationOf(await pay());
  await env.faults({});
  const holder = await env.owner.pool.connect();
  await holder.query("begin; lock table onceboard.provider_requests in access exclusive mode");
  const proof = prove(operationId);
  // It has read the key row and waits for the journal.
  await expect
    .poll(() =>
      env.rows("select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"),
    )
    .toHaveLength(1);
  await env.rows(
    `insert into payments.ledger_entries (tenant_id, id, entry_type, source_id, operation_id, debit_account, credit_account, amount_minor, currency)
     select tenant_id, gen_random_uuid(), 'payment', id, operation_id, 'customer:acc_1', 'merchant:acme', amount_minor, currency
     from payments.payments where operation_id = $1`,
    operationId,
  );
  await holder.query("rollback");
  holder.release();
  expect(await proof).toMatchObject({ verdict: "open", counts: { ledgerEntries: "0" } });
  expect(await prove(operationId)).toMatchObject({ verdict: "broken", counts: { ledgerEntries: "1" } });
});
