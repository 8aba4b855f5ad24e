import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { resolveAction } from "@/console/actions/operation-actions";
import { decidePlan } from "@/console/plans/decide-plan";
import { proposeResolution } from "@/console/plans/kinds/propose-resolution";
import { createPlan } from "@/console/plans/create-plan";
import { readPlan } from "@/console/plans/read-plan";
import { runPlan } from "@/console/plans/run-plan";
import { readOperation } from "@/console/read/operations/read-operation";
import { selectOperatorRequests } from "@/db/recovery/operator-requests";
import type { ActionRequest } from "@/engine/actions/action-answer";
import { type Actor, engineContext, type EngineContext } from "@/engine/context";
import { execute } from "@/engine/execute/execute";
import { planSummary } from "@/presentation/plan/plan-summary";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

/** Minor units: from as much on two people decide. */
const LIMIT = 1_000_000n;
let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
  // Before anything reads which kinds there are: a process keeps that for a while.
  for (const [name, actions] of [
    ["invoices.issue", "{reconcile,resolve}"],
    ["invoices.look", "{reconcile}"],
  ])
    await env.rows(
      "select onceboard.register_operation_kind(p_name => $1, p_owner => 'billing', p_label => 'Invoice', p_path => 'provider', p_provider => 'mailhouse', p_dedupes_for_hours => 0, p_queryable => true, p_actions => $2)",
      ...[name, actions],
    );
});
afterAll(() => env.close());
beforeEach(async () => {
  await env.rows("delete from onceboard.single_acts");
  await env.rows("update onceboard.plans set state = 'aborted', started_at = null");
});

const person = (id: string): Actor => ({
  ...{ kind: "operator", id, name: id, role: "admin" },
  confirmation: { fresh: true, by: [] },
});
function as(actor: Actor, instance?: string): EngineContext {
  const base = env.context();
  const ctx = engineContext(base, { tenantId: base.tenantId, actor, requestId: "req" });
  return instance === undefined ? ctx : { ...ctx, instance };
}
const worker = (instance = "worker-1") => as({ kind: "system", id: "plans", name: "plans" }, instance);
const asked = (action: ActionRequest["action"], type: string, id: string): ActionRequest => ({
  action,
  idempotencyKey: uuidv7(),
  input: {},
  subject: { type, id },
  reason: "line 7 of the provider's statement",
  receivedAt: 0,
});

/** A payment that was sent and not answered. */
async function unknown(amountMinor = LIMIT): Promise<string> {
  await env.faults({ timeout_after_accept: 1 });
  const reference = uuidv7();
  const command = { accountId: "acc_1", amountMinor, currency: "EUR", merchantReference: reference, channel: "web" };
  await execute(env.context(), env.operations.createPayment, { key: reference, command, receivedAt: 0 });
  await env.faults({ timeout_after_accept: 0 });
  const [row] = await env.rows<{ id: string }>(
    "select operation_id as id from onceboard.idempotency_requests where key = $1",
    reference,
  );
  return row?.id ?? "";
}
const decision = (id: string, outcome: "succeeded" | "failed" = "succeeded") =>
  ({ resolves: id, decision: outcome, evidence: ["statement, line 7"], providerReference: "ch_1" }) as const;
const propose = async (id: string, outcome?: "succeeded" | "failed", who = person("dana")) => {
  const { answer } = await proposeResolution(as(who), asked("plans.create", "plan", "new"), decision(id, outcome));
  return String(answer.after["planId"]);
};
const approve = (plan: string, who = person("ben")) =>
  decidePlan(as(who), asked("plans.decide", "plan", plan), plan, { decision: "approve", start: true });
const state = async (id: string) =>
  (await env.rows<{ state: string }>("select state from onceboard.idempotency_requests where operation_id = $1", id))[0]
    ?.state;
const read = async (plan: string) => {
  const view = await readPlan(as(person("dana")), { id: plan, filters: { show: "all" } });
  if (view === undefined) throw new Error("no plan");
  return view;
};
const run = () => runPlan(worker(), { registry: env.registry });

it("PLAN-14 a decision about as much as one person may not decide is settled once a second one approves it", async () => {
  const id = await unknown();
  const alone = { operationId: id, decision: "succeeded", evidence: ["x"], reason: "r" } as const;
  await expect(
    resolveAction(as(person("dana")), env.registry, asked("operations.resolve", "operation", id), alone),
  ).rejects.toMatchObject({ code: "plan.needed" });
  expect(await readOperation(as(person("dana")), { operationId: id })).toMatchObject({
    secondPersonFrom: { display: "€10,000.00" },
  });
  const plan = await propose(id);
  expect(await read(plan)).toMatchObject({
    kind: "resolve_operations",
    state: "awaiting_approval",
    approvalNeeded: expect.stringContaining("from that amount on two people decide") as string,
    chips: [
      { name: "decision", value: "it succeeded" },
      { name: "evidence", value: "statement, line 7" },
      { name: "provider's reference", value: "ch_1" },
    ],
    verdicts: [{ verdict: "by_hand", acts: true, count: 1 }],
  });
  await expect(approve(plan, person("dana"))).rejects.toMatchObject({ code: "plan.own_request" });
  expect(await run()).toMatchObject({ plans: 0 });
  expect(await state(id)).toBe("UNKNOWN_REQUIRES_RECOVERY");
  await approve(plan);
  expect(await run()).toMatchObject({ plans: 1, done: 1 });
  expect(await state(id)).toBe("COMPLETED");
  const [entry] = await env.rows<{ evidence: unknown }>(
    "select evidence from onceboard.audit_entries where action = 'operations.resolve' and subject_id = $1 and evidence ? 'planId'",
    id,
  );
  expect(entry?.evidence).toMatchObject({
    planId: plan,
    decidedBy: "operator:dana",
    startedBy: "operator:ben",
    decision: "succeeded",
    evidence: ["statement, line 7"],
  });
});

it("PLAN-14 of what a source says meanwhile, or somebody settled, nothing is decided over it", async () => {
  const [told, settled] = [await unknown(), await unknown(100n)];
  const [first, second] = [await propose(told, "failed"), await propose(settled)];
  await env.rows("update onceboard.provider_requests set outcome = 'succeeded' where operation_id = $1", told);
  await expect(propose(told, "failed")).rejects.toMatchObject({ code: "operation.contradicted" });
  await approve(first);
  expect(await run()).toMatchObject({ failed: 1 });
  expect((await read(first)).items.rows[0]?.outcome).toContain("operation.contradicted");
  expect(await state(told)).toBe("UNKNOWN_REQUIRES_RECOVERY");
  await resolveAction(as(person("cleo")), env.registry, asked("operations.resolve", "operation", settled), {
    ...{ operationId: settled, decision: "failed", evidence: ["seen"], reason: "declined" },
  });
  await approve(second);
  expect(await run()).toMatchObject({ skipped: 1 });
  expect((await read(second)).items.rows[0]).toMatchObject({ result: "settled" });
});

it("PLAN-14 a decision needs evidence and an open operation, and is not planned again without one", async () => {
  const id = await unknown();
  const none = { ...decision(id), evidence: [] };
  await expect(proposeResolution(as(person("dana")), asked("plans.create", "plan", "new"), none)).rejects.toMatchObject(
    { code: "validation.evidence" },
  );
  await expect(propose(uuidv7())).rejects.toMatchObject({ code: "operation.not_found" });
  const plan = await propose(id);
  await decidePlan(as(person("ben")), asked("plans.decide", "plan", plan), plan, { decision: "reject", start: false });
  await expect(
    createPlan(as(person("dana")), asked("plans.create", "plan", "new"), {
      ...{ kind: "requeue_dead_letters", scope: { by: "rerun", of: plan } },
    }),
  ).rejects.toMatchObject({ code: "plan.state" });
  expect(await state(id)).toBe("UNKNOWN_REQUIRES_RECOVERY");
});

/** An operation of a service in another language that was sent, and of which nobody knows what became. */
async function unknownOfService(operation: string): Promise<string> {
  const [id, request] = [uuidv7(), uuidv7()];
  const call = (text: string, ...values: unknown[]) =>
    env.rows(`select * from onceboard.${text.replace(":tenant", `'${env.context().tenantId}'`)}`, ...values);
  await call(
    "claim(p_tenant => :tenant, p_operation => $1, p_key => $2, p_operation_id => $3, p_principal => 'billing', p_fingerprint => 'f', p_owner => 'billing-1', p_amount => $4, p_currency => 'EUR')",
    ...[operation, uuidv7(), id, LIMIT],
  );
  await call("prepare_provider(:tenant, $1, 1, $2, 'mail_1', 'mailhouse', 'send')", id, request);
  await call("mark_sent(:tenant, $1, 1, $2)", id, request);
  await call("mark_unknown(:tenant, $1, 1)", id);
  return id;
}

it("PLAN-14 an operation of a service is asked of it once a second person approves, and never settled here", async () => {
  const id = await unknownOfService("invoices.issue");
  const alone = { operationId: id, decision: "succeeded", evidence: ["x"], reason: "r" } as const;
  const resolve = asked("operations.resolve", "operation", id);
  await expect(resolveAction(as(person("dana")), env.registry, resolve, alone)).rejects.toMatchObject({
    code: "plan.needed",
  });
  expect(await readOperation(as(person("dana")), { operationId: id })).toMatchObject({
    secondPersonFrom: { display: "€10,000.00" },
  });
  const [plan, second] = [await propose(id), await propose(id)];
  expect(await read(plan)).toMatchObject({
    state: "awaiting_approval",
    verdicts: [{ verdict: "ask_service", acts: true, count: 1 }],
  });
  const said = async (which: string) => planSummary(await read(which)).map(({ text }) => text);
  expect(await said(plan)).toContain("Its service would be asked to settle it as was decided.");
  expect(await said(plan)).not.toContain("1 would be settled as was decided.");
  await expect(approve(plan, person("dana"))).rejects.toMatchObject({ code: "plan.own_request" });
  await approve(plan);
  expect(await run()).toMatchObject({ plans: 1, done: 1 });
  expect(await state(id)).toBe("UNKNOWN_REQUIRES_RECOVERY");
  expect(await selectOperatorRequests(env.db.pool, env.context().tenantId, id)).toMatchObject([
    { action: "resolve", outcome: "succeeded", evidence: ["statement, line 7"], person: "operator:dana" },
  ]);
  expect(await said(plan)).toEqual(["Its service was asked to settle it as was decided."]);
  expect((await read(plan)).items.rows[0]).toMatchObject({ result: "asked", outcome: "Asked of its service." });
  const audits = await env.rows(
    "select after->>'request' as request, evidence->>'decidedBy' as by from onceboard.audit_entries where action = 'operations.resolve' and subject_id = $1 and evidence ? 'planId'",
    id,
  );
  expect(audits).toEqual([{ request: "open", by: "operator:dana" }]);
  // Its service has one request at a time.
  await approve(second);
  expect(await run()).toMatchObject({ failed: 1 });
  expect((await read(second)).items.rows[0]?.outcome).toContain("operation.request_open");
  await expect(propose(await unknownOfService("invoices.look"))).rejects.toMatchObject({
    code: "operation.not_offered",
  });
});
