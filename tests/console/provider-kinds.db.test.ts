import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import type { EngineContext } from "@/engine/context";
import { execute } from "@/engine/execute/execute";
import { listAttention } from "@/console/read/operations/list-attention";
import { readOperation } from "@/console/read/operations/read-operation";
import { reconcileOperation } from "@/engine/recover/reconcile";
import { recoverDue } from "@/engine/recover/recover-due";
import { resolveOperation } from "@/engine/recover/resolve";
import { createSandboxProvider, type SandboxKind } from "@/payments/provider/sandbox-adapter";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

/**
 * What recovery does about a lost answer, for each kind of provider there is. The
 * sandbox plays all of them; its ledger counts what really reached it.
 */
let env: TestEnvironment;
const open = (as: SandboxKind) => async () => {
  env = await createTestEnvironment({ providerTimeoutMs: 800 }, (url) => createSandboxProvider({ url, as }));
};
const close = () => env.close();
// What one test leaves unknown must not fall due in the next.
afterEach(() => env.rows("update onceboard.idempotency_open set next_check_at = null"));
const calm = () => env.faults({ timeout_after_accept: 0, timeout_before: 0, rate_limit: 0, lookup_down: 0 });

function pay(key: string): Promise<ExecuteAnswer> {
  const command = {
    accountId: "acc_1",
    amountMinor: 4200n,
    currency: "EUR",
    merchantReference: `ref-${key}`,
    channel: "web",
  };
  return execute(env.context(), env.operations.createPayment, { key, command, receivedAt: 0 });
}
/** Pays and loses the answer. */
async function lost(key: string, fault: "timeout_after_accept" | "timeout_before"): Promise<void> {
  await env.faults({ [fault]: 1 });
  expect(await pay(key)).toMatchObject({ outcome: "refused", error: { certainty: "indefinite" } });
  await calm();
}
const recover = () => recoverDue(env.context({ instance: "worker-1" }), env.registry, { limit: 5 });

interface State {
  readonly id: string;
  readonly state: string;
  readonly planned: boolean | null;
  readonly finding: string | null;
}
async function state(key: string): Promise<State> {
  const [row] = await env.rows<State>(
    `select r.operation_id as id, r.state, o.next_check_at is not null as planned, o.last_finding as finding
     from onceboard.idempotency_requests r left join onceboard.idempotency_open o using (tenant_id, operation_id)
     where r.key = $1`,
    key,
  );
  if (row === undefined) throw new Error(`no operation ${key}`);
  return row;
}
async function set(key: string, change: string): Promise<void> {
  await env.rows(`update onceboard.idempotency_open set ${change} where key = $1`, key);
}
const due = (key: string) => set(key, "next_check_at = clock_timestamp()");
async function older(key: string, by: string): Promise<void> {
  await set(key, `opened_at = opened_at - interval '${by}'`);
  const { id } = await state(key);
  await env.rows(
    `update onceboard.provider_requests set sent_at = sent_at - interval '${by}' where operation_id = $1`,
    id,
  );
}
/** What the provider saw of it: requests that reached it, and effects. */
async function seen(key: string): Promise<{ requests: number; effects: number }> {
  const { id } = await state(key);
  const [row] = await env.rows<{ provider_key: string }>(
    "select provider_key from onceboard.provider_requests where operation_id = $1 limit 1",
    id,
  );
  const name = row?.provider_key ?? "";
  const ledger = (await (await fetch(`${env.sandboxUrl}/_control/ledger?providerKey=${name}`)).json()) as {
    entries: unknown[];
    requests: Record<string, number>;
  };
  return { requests: ledger.requests[name] ?? 0, effects: ledger.entries.length };
}
async function lookUps(key: string): Promise<number> {
  const { id } = await state(key);
  return (await env.rows("select 1 from onceboard.provider_requests where operation_id = $1 and kind = 'lookup'", id))
    .length;
}
const operator = (): EngineContext => ({
  ...env.context(),
  actor: {
    kind: "operator",
    id: "o1",
    name: "Olga",
    role: "operator",
    confirmation: { fresh: true, by: ["password"] },
  },
});

describe("PROVIDER-4 a provider with neither key nor query", () => {
  beforeAll(open("sandbox-neither"));
  afterAll(close);
  beforeEach(calm);

  it("PROVIDER-5 a lost answer is unknown at once and for good: no look-up, nothing sent again, one stable answer", async () => {
    await lost("lost", "timeout_after_accept");
    expect(await state("lost")).toMatchObject({ state: "UNKNOWN_REQUIRES_RECOVERY", planned: false });
    expect(await recover()).toMatchObject({ taken: 0 });
    const again = await pay("lost");
    expect(again).toMatchObject({ outcome: "unknown" });
    expect(await pay("lost")).toEqual(again);
    expect(await seen("lost")).toEqual({ requests: 1, effects: 1 });
    expect(await lookUps("lost")).toBe(0);
  });

  it("an owner that died after the send leaves the same, once its lease is over", async () => {
    await lost("died", "timeout_before");
    const { id } = await state("died");
    await env.rows("update onceboard.idempotency_requests set state = 'IN_PROGRESS' where operation_id = $1", id);
    await set("died", "unknown_since = null, owner = 'dead-1', locked_until = clock_timestamp() - interval '1 second'");
    expect(await recover()).toMatchObject({ taken: 1, unknown: 1 });
    expect(await state("died")).toMatchObject({
      state: "UNKNOWN_REQUIRES_RECOVERY",
      planned: false,
      finding: "this provider can neither be asked nor sent the same key again",
    });
    expect(await seen("died")).toEqual({ requests: 1, effects: 0 });
  });

  it("an owner that died before the send had no effect here either: the key may run again", async () => {
    await lost("unsent", "timeout_before");
    const { id } = await state("unsent");
    await env.rows("update onceboard.idempotency_requests set state = 'IN_PROGRESS' where operation_id = $1", id);
    await set("unsent", "stage = 'LOCAL_PAYMENT_CREATED', locked_until = clock_timestamp() - interval '1 second'");
    expect(await recover()).toMatchObject({ released: 1 });
    expect((await state("unsent")).state).toBe("FAILED_RETRYABLE");
  });

  it("what surely had no effect frees the key as anywhere else", async () => {
    await env.faults({ rate_limit: 1 });
    await pay("limited");
    expect((await state("limited")).state).toBe("FAILED_RETRYABLE");
    await calm();
    expect(await pay("limited")).toMatchObject({ outcome: "executed" });
  });

  it("a person who asks learns that nobody can, and settles it with evidence; nothing is sent", async () => {
    await lost("person", "timeout_after_accept");
    const { id: operationId } = await state("person");
    expect(await reconcileOperation(env.context(), env.registry, { operationId, onlyAsk: true })).toMatchObject({
      changed: false,
      finding: "this provider can neither be asked nor sent the same key again",
    });
    const decision = { operationId, decision: "succeeded", evidence: ["statement 7"], reason: "It is there." } as const;
    expect(await resolveOperation(env.context(), env.registry, decision)).toMatchObject({ after: "COMPLETED" });
    expect(await pay("person")).toMatchObject({ outcome: "replayed", response: { status: 201 } });
    expect(await seen("person")).toEqual({ requests: 1, effects: 1 });
    expect(await lookUps("person")).toBe(0);
  });

  it("PROVIDER-4 the operation's page and the queue name the gap in words, and do not offer to ask", async () => {
    await lost("named", "timeout_after_accept");
    const { id: operationId } = await state("named");
    const page = await readOperation(operator(), { operationId });
    expect(page?.evidence?.gap).toBe(
      "This provider can neither be asked nor sent the same key again, so no machine can learn what became of it. " +
        "Only a person with evidence from the provider's own records settles it.",
    );
    expect(page?.verdict.text).toContain(
      "It can neither be asked nor sent the same key again: only a person settles this.",
    );
    expect(page?.leases).toMatchObject([{ fence: 1, ended: "released as unknown", tone: "doubt" }]);
    expect(page?.policy).toContainEqual({ label: "Give up asking", value: "at once: it cannot be asked" });
    const actions = Object.fromEntries((page?.actions ?? []).map((action) => [action.action, action]));
    expect(actions["reconcile"]).toMatchObject({ allowed: false, whyNot: "This provider cannot be asked." });
    expect(actions["resolve_succeeded"]?.allowed).toBe(true);
    const queue = await listAttention(operator(), {});
    const row = queue.list.kind === "page" ? queue.list.rows.find((one) => one.operationId === operationId) : undefined;
    expect(row).toMatchObject({
      known:
        "The provider can neither be asked nor sent the same key again: only a person with evidence settles it. No webhook.",
      cannotBeAsked: "This provider cannot be asked.",
    });
    expect(row?.nextCheckAt).toBeUndefined();
  });
});

describe("PROVIDER-6 a provider that dedupes and cannot be asked", () => {
  beforeAll(open("sandbox-dedupe-only"));
  afterAll(close);
  beforeEach(calm);

  it("PROVIDER-6 gets the same command under the same key, which answers with the first effect", async () => {
    await lost("lost", "timeout_after_accept");
    expect(await state("lost")).toMatchObject({ planned: true });
    await due("lost");
    expect(await recover()).toMatchObject({ settled: 1 });
    expect(await seen("lost")).toEqual({ requests: 2, effects: 1 });
    expect(await pay("lost")).toMatchObject({ outcome: "replayed", response: { status: 201 } });
    expect(await lookUps("lost")).toBe(0);
  });

  it("or makes the first one, when it never arrived", async () => {
    await lost("never", "timeout_before");
    await older("never", "5 hours");
    await due("never");
    expect(await recover()).toMatchObject({ settled: 1 });
    expect(await seen("never")).toEqual({ requests: 2, effects: 1 });
  });

  it("CERTAINTY-6 no effect of the repeated call says nothing about the first: the key is not freed", async () => {
    await lost("limited", "timeout_after_accept");
    await env.faults({ rate_limit: 1 });
    await due("limited");
    expect(await recover()).toMatchObject({ unknown: 1 });
    expect(await state("limited")).toMatchObject({ state: "UNKNOWN_REQUIRES_RECOVERY", planned: true });
    await older("limited", "1 hour");
    await due("limited");
    expect(await recover()).toMatchObject({ unknown: 1 });
    expect((await state("limited")).state).toBe("UNKNOWN_REQUIRES_RECOVERY");
    await calm();
    await due("limited");
    expect(await recover()).toMatchObject({ settled: 1 });
    expect((await seen("limited")).effects).toBe(1);
  });

  it("is never sent it again when the key may have been forgotten: then only a person settles it", async () => {
    await lost("late", "timeout_after_accept");
    await older("late", "23 hours 51 minutes");
    await due("late");
    expect(await recover()).toMatchObject({ unknown: 1 });
    expect(await state("late")).toMatchObject({
      state: "UNKNOWN_REQUIRES_RECOVERY",
      planned: false,
      finding: "this provider cannot be asked, and a repeated key could be a second effect by now",
    });
    expect(await seen("late")).toEqual({ requests: 1, effects: 1 });
    expect(await recover()).toMatchObject({ taken: 0 });
  });

  it("RECOVERY-2 an owner that died with the final word known and no answer kept is settled as well", async () => {
    await lost("confirmed", "timeout_after_accept");
    const { id } = await state("confirmed");
    await env.rows("update onceboard.idempotency_requests set state = 'IN_PROGRESS' where operation_id = $1", id);
    await set(
      "confirmed",
      "stage = 'PROVIDER_CONFIRMED', unknown_since = null, owner = 'dead-1', locked_until = clock_timestamp() - interval '1 second'",
    );
    expect(await recover()).toMatchObject({ settled: 1, fenced: 0 });
    expect(await pay("confirmed")).toMatchObject({ outcome: "replayed", response: { status: 201 } });
    expect((await seen("confirmed")).effects).toBe(1);
  });

  it("a person's question sends nothing, and the page says how it is", async () => {
    await lost("page", "timeout_after_accept");
    const { id: operationId } = await state("page");
    expect(await reconcileOperation(env.context(), env.registry, { operationId, onlyAsk: true })).toMatchObject({
      finding: "this provider cannot be asked",
      changed: false,
    });
    expect(await seen("page")).toEqual({ requests: 1, effects: 1 });
    expect(await state("page")).toMatchObject({ planned: true });
    const page = await readOperation(operator(), { operationId });
    expect(page?.evidence?.gap).toMatch(/^This provider cannot be asked\. For 24 h after the claim recovery sends/);
  });
});

describe("PROVIDER-7 a provider that can be asked and does not dedupe", () => {
  beforeAll(open("sandbox-query-only"));
  afterAll(close);
  beforeEach(calm);

  it("RECOVERY-2 found settles it without a second request", async () => {
    await lost("found", "timeout_after_accept");
    await due("found");
    expect(await recover()).toMatchObject({ settled: 1 });
    expect(await seen("found")).toEqual({ requests: 1, effects: 1 });
  });

  it("RECOVERY-4 absent is never sent again: it waits until nothing can arrive any more, then the key is free", async () => {
    await lost("absent", "timeout_before");
    await due("absent");
    expect(await recover()).toMatchObject({ unknown: 1 });
    expect(await state("absent")).toMatchObject({ planned: true, finding: "never received" });
    await older("absent", "9 minutes");
    await due("absent");
    expect(await recover()).toMatchObject({ unknown: 1 });
    await older("absent", "2 minutes");
    await due("absent");
    expect(await recover()).toMatchObject({ released: 1 });
    expect((await state("absent")).state).toBe("FAILED_RETRYABLE");
    expect(await seen("absent")).toEqual({ requests: 1, effects: 0 });
    expect(await pay("absent")).toMatchObject({ outcome: "executed" });
    expect((await seen("absent")).effects).toBe(1);
  });
});
