import { spawn } from "node:child_process";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Actor, engineContext, type EngineContext } from "@/engine/context";
import type { ActionRequest } from "@/engine/actions/action-answer";
import { createPlan, type PlanWish } from "@/console/plans/create-plan";
import { decidePlan, startPlan } from "@/console/plans/decide-plan";
import { listApprovals } from "@/console/plans/list-approvals";
import { readPlan } from "@/console/plans/read-plan";
import { runPlan } from "@/console/plans/run-plan";
import { listOperations } from "@/console/read/operations/list-operations";
import { execute } from "@/engine/execute/execute";
import { frozenScope } from "@/presentation/filters/plan-scope";
import { NO_RESULTS } from "@/presentation/plan/plan-results";
import { parseOperationFilters } from "@/presentation/filters/parsers";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";
import type { ITEM_TABS } from "@/domain/plans/item-tabs";

let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
});
afterAll(() => env.close());
beforeEach(async () => {
  await env.faults({ timeout_after_accept: 0, timeout_before: 0, slow_ms: 0, lookup_down: 0 });
  await env.rows("update onceboard.plans set state = 'aborted', started_at = null");
  await env.rows("update onceboard.idempotency_open set next_check_at = null");
});

const person = (id: string, role: "operator" | "admin" | "approver"): Actor => ({
  kind: "operator",
  id,
  name: id,
  role,
  confirmation: { fresh: true, by: [] },
});
function as(actor: Actor, instance = "test-1"): EngineContext {
  const base = env.context({ instance });
  return engineContext({ ...base, instance }, { tenantId: base.tenantId, actor, requestId: "req" });
}
const dana = () => as(person("dana", "operator"));
const mira = () => as(person("mira", "approver"));
const worker = (instance = "worker-1") => as({ kind: "system", id: "plans", name: "plans" }, instance);

function asked(action: ActionRequest["action"], id = "new", key = uuidv7(), input = {}): ActionRequest {
  const subject = { type: "plan", id };
  return { action, idempotencyKey: key, input, subject, reason: "the provider is back", receivedAt: 0 };
}
async function plan(wish: PlanWish, key?: string): Promise<string> {
  const request = asked("plans.create", "new", key, { kind: wish.kind });
  return String((await createPlan(dana(), request, wish)).answer.after["planId"]);
}
async function read(id: string) {
  const view = await readPlan(dana(), { id, filters: { show: "all" } });
  if (view === undefined) throw new Error("no plan");
  return view;
}
async function run(id: string, ctx = worker()): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await env.rows("update onceboard.plans set locked_until = null where id = $1 and owner is null", id);
    if ((await runPlan(ctx, { registry: env.registry })).plans === 0) return;
  }
}
async function pay(key: string, amountMinor = 4200n): Promise<string> {
  const merchantReference = `ref-${key}`;
  const command = { accountId: "acc_1", amountMinor, currency: "EUR", merchantReference, channel: "web" };
  await execute(env.context(), env.operations.createPayment, { key, command, receivedAt: 0 });
  const [row] = await env.rows<{ operation_id: string }>(
    "select operation_id from onceboard.idempotency_requests where key = $1",
    key,
  );
  if (row === undefined) throw new Error("no operation");
  await env.rows("update onceboard.idempotency_open set next_check_at = null where key = $1", key);
  return row.operation_id;
}
async function lost(key: string, amountMinor?: bigint): Promise<string> {
  await env.faults({ timeout_after_accept: 1 });
  const id = await pay(key, amountMinor);
  await env.faults({ timeout_after_accept: 0 });
  return id;
}
/** An owner that died before the send. */
async function abandoned(key: string): Promise<string> {
  const id = await lost(key);
  await env.rows("update onceboard.idempotency_requests set state = 'IN_PROGRESS' where operation_id = $1", id);
  await env.rows(
    `update onceboard.idempotency_open set stage = 'LOCAL_PAYMENT_CREATED', unknown_since = null, owner = 'dead-1',
       locked_until = clock_timestamp() - interval '1 second' where operation_id = $1`,
    id,
  );
  return id;
}
const state = async (id: string) =>
  (await env.rows<{ state: string }>("select state from onceboard.idempotency_requests where operation_id = $1", id))[0]
    ?.state;
const ids = (kind: PlanWish["kind"], ...list: string[]): PlanWish => ({ kind, scope: { by: "ids", ids: list } });

describe("PLAN-1 a plan over operations", () => {
  it("ATTENTION-2 asks the provider about each, settles what it knows and sends no money", async () => {
    const first = await lost("plan-1");
    const known = await pay("plan-2");
    const stale = await abandoned("plan-3");
    const sent = (await env.ledger()).length;
    const id = await plan(ids("reconcile_operations", first, known, stale));
    const frozen = await read(id);
    const verdicts = new Map(frozen.items.rows.map((row) => [row.targetId, row.verdict]));
    expect([first, known, stale].map((each) => verdicts.get(each))).toEqual(["ask", "settled", "not_sent"]);
    expect(frozen.amounts).toMatchObject([{ minor: "4200", currency: "EUR" }]);
    await startPlan(dana(), asked("plans.start", id), id);
    await run(id);
    expect(await state(first)).toBe("COMPLETED");
    expect((await env.ledger()).length).toBe(sent);
    expect(await read(id)).toMatchObject({ state: "done", counts: { done: 1, skipped: 2, failed: 0, waiting: 0 } });
    const audits = await env.rows(
      "select 1 from onceboard.audit_entries where evidence ->> 'planId' = $1 and action = 'operations.reconcile'",
      id,
    );
    expect(audits).toHaveLength(1);
  });

  it("PLAN-7 tells what succeeded, what was declined and what nobody knows yet, per row, in the counts and in their views", async () => {
    const good = await lost("result-1");
    const bad = await lost("result-2", 1_051n);
    const moved = await lost("result-3");
    const id = await plan(ids("reconcile_operations", good, bad, moved));
    expect(await read(id)).toMatchObject({ results: { waiting: 3 } });
    const dark = await plan(ids("reconcile_operations", await lost("result-4")));
    await startPlan(dana(), asked("plans.start", id), id);
    await env.rows("update onceboard.idempotency_requests set state = 'COMPLETED' where operation_id = $1", moved);
    await run(id);
    await env.faults({ lookup_down: 1 });
    await startPlan(dana(), asked("plans.start", dark), dark);
    await run(dark);
    const view = await read(id);
    expect(view.results).toEqual({ ...NO_RESULTS, succeeded: 1, declined: 1, settled: 1 });
    expect(view.verdicts).toMatchObject([
      { verdict: "ask", acts: true, results: { succeeded: 1, declined: 1, settled: 1 } },
    ]);
    const result = new Map(view.items.rows.map((row) => [row.targetId, row.result]));
    expect([good, bad, moved].map((each) => result.get(each))).toEqual(["succeeded", "declined", "settled"]);
    const outcome = new Map(view.items.rows.map((row) => [row.targetId, row.outcome]));
    expect(outcome.get(bad)).toBe("Settled: it was declined.");
    const journal = "select outcome from onceboard.provider_requests where operation_id = $1 and outcome is not null";
    expect((await env.rows<{ outcome: string }>(journal, bad)).at(-1)).toEqual({ outcome: "declined" });
    expect((await read(dark)).results).toEqual({ ...NO_RESULTS, unknown: 1 });
    expect((await read(dark)).counts).toMatchObject({ done: 0, skipped: 1 });
    const shown = async (of: string, show: (typeof ITEM_TABS)[number]) =>
      (await readPlan(dana(), { id: of, filters: { show } }))?.items.rows.map(({ targetId }) => targetId);
    expect(await shown(id, "succeeded")).toEqual([good]);
    expect(await shown(id, "declined")).toEqual([bad]);
    expect(await shown(id, "settled")).toEqual([moved]);
    expect(await shown(id, "skipped")).toEqual([]);
    expect(await shown(id, "done")).toEqual([good, bad]);
    expect(await shown(dark, "unknown")).toHaveLength(1);
    expect(await shown(dark, "skipped")).toEqual([]);
  });

  it("PLAN-3 money in pieces is one sum: two plans of €6,000.00 by the same person need a second one", async () => {
    const pieces = [await lost("piece-1", 600_000n), await lost("piece-2", 600_000n)];
    const first = await plan(ids("reconcile_operations", pieces[0] ?? ""));
    const second = await plan(ids("reconcile_operations", pieces[1] ?? ""));
    expect(await read(first)).toMatchObject({ state: "ready" });
    expect(await read(second)).toMatchObject({
      state: "awaiting_approval",
      approvalNeeded:
        "€6,000.00 here and €6,000.00 in 1 more plan that the same person has ready or ran in the last hour make €12,000.00: €2,000.00 above €10,000.00, from which two people decide.",
    });
  });

  it("RECOVERY-8 gives a key free only where nothing was sent", async () => {
    const stale = await abandoned("plan-4");
    const sent = await lost("plan-5");
    const calls = () => env.rows("select * from onceboard.provider_requests order by id");
    const [journal, charged] = [await calls(), (await env.ledger()).length];
    const id = await plan(ids("release_operations", stale, sent));
    await startPlan(dana(), asked("plans.start", id), id);
    // What was true at the dry run is asked again: this one was sent meanwhile.
    await run(id);
    expect([await state(stale), await state(sent)]).toEqual(["FAILED_RETRYABLE", "UNKNOWN_REQUIRES_RECOVERY"]);
    const view = await read(id);
    expect(view).toMatchObject({ state: "done", counts: { done: 1, skipped: 1 } });
    expect(view.items.rows.find(({ targetId }) => targetId === stale)?.outcome).toBe(
      "No effect anywhere: it was released.",
    );
    for (const table of ["entries", "outbox_messages", "outbox_history", "inbox_messages"])
      expect(await env.rows(`select 1 from onceboard.${table} where operation_id = $1`, stale), table).toEqual([]);
    expect(await env.rows("select status from payments.payments where operation_id = $1", stale)).toEqual([]);
    expect(await calls()).toEqual(journal);
    expect((await env.ledger()).length).toBe(charged);
    expect(await pay("plan-4"), "the same command runs again under its key").toBe(stale);
    expect(await state(stale)).toBe("COMPLETED");
  });

  it("PLAN-4 judges again when it acts: what was sent after the dry run keeps its key", async () => {
    const stale = await abandoned("plan-6");
    const id = await plan(ids("release_operations", stale));
    await startPlan(dana(), asked("plans.start", id), id);
    await env.rows(
      "update onceboard.idempotency_open set stage = 'PROVIDER_REQUEST_SENT' where operation_id = $1",
      stale,
    );
    await run(id);
    expect(await state(stale)).toBe("IN_PROGRESS");
    const [row] = (await read(id)).items.rows;
    expect(row).toMatchObject({
      state: "skipped",
      changed: true,
      outcome: expect.stringContaining("It was sent") as string,
    });
  });

  it("RETENTION-5 purges bodies that are older than their policy keeps them, and leaves the others", async () => {
    const old = await pay("plan-7");
    const young = await pay("plan-8");
    await env.rows(
      "update onceboard.idempotency_bodies set created_at = created_at - interval '25 hours' where operation_id = $1",
      old,
    );
    const id = await plan(ids("purge_bodies", old, young));
    await startPlan(dana(), asked("plans.start", id), id);
    await run(id);
    const rows = await env.rows<{ operation_id: string; purged: boolean; kept: boolean }>(
      `select operation_id, body_purged_at is not null as purged, fingerprint is not null as kept
       from onceboard.idempotency_requests where operation_id = any ($1::uuid[])`,
      [old, young],
    );
    expect(rows.find((row) => row.operation_id === old)).toMatchObject({ purged: true, kept: true });
    expect(rows.find((row) => row.operation_id === young)).toMatchObject({ purged: false });
    const [done] = await env.rows<{ outcome: string }>(
      "select outcome from onceboard.plan_items where plan_id = $1 and target_id = $2",
      ...[id, old],
    );
    expect(done?.outcome).toMatch(
      /^2 bodies purged, [1-9]\d* bytes\. The fingerprint stays: the purge lets no key run again\.$/,
    );
  });

  it("PLAN-2 money asks for a second person, who is not the one who asked, and is told how the filter drifted", async () => {
    const dear = await lost("plan-9", 1_000_000n);
    const { filters } = parseOperationFilters({ attention: "true", min: "10000.00", currency: "EUR" });
    const scope = frozenScope(filters, new Date().toISOString(), undefined);
    const id = await plan({ kind: "reconcile_operations", scope: { by: "operations", filter: scope } });
    const frozen = await read(id);
    expect(frozen).toMatchObject({ state: "awaiting_approval", total: 1, drift: { matching: 1, added: 0, gone: 0 } });
    expect(frozen.approvalNeeded).toContain("€10,000.00");
    expect(frozen.chips.map(({ name }) => name)).toEqual(["only", "currency", "at least", "until"]);
    await lost("plan-10", 1_200_000n);
    const waiting = (await listApprovals(mira())).waiting.find((row) => row.id === id);
    expect(waiting).toMatchObject({ own: false, decide: { allowed: true }, drift: { matching: 2, added: 1, gone: 0 } });
    expect((await listApprovals(dana())).waiting[0]).toMatchObject({ own: true, decide: { allowed: false } });
    const decide = (ctx: EngineContext) =>
      decidePlan(ctx, asked("plans.decide", id), id, { decision: "approve", start: false });
    await expect(decide(as(person("dana", "admin")))).rejects.toMatchObject({ code: "plan.own_request" });
    await decide(mira());
    await startPlan(dana(), asked("plans.start", id), id);
    await run(id);
    expect(await state(dear)).toBe("COMPLETED");
    expect((await read(id)).total).toBe(1);
  });

  it("PLAN-1 freezes what the list shows: sorted by amount, nothing without one", async () => {
    const bare = await pay("plan-11");
    await pay("plan-12");
    await env.rows(
      "update onceboard.idempotency_requests set amount_minor = null, currency = null where operation_id = $1",
      bare,
    );
    const { filters } = parseOperationFilters({ sort: "amount" });
    const shown = await listOperations(dana(), { filters });
    if (shown.kind !== "page") throw new Error("too broad");
    const scope = frozenScope(filters, new Date(Date.now() + 1_000).toISOString(), 24);
    const frozen = await read(await plan({ kind: "purge_bodies", scope: { by: "operations", filter: scope } }));
    expect(frozen.items.rows.map(({ targetId }) => targetId).sort()).toEqual(
      shown.rows.map(({ operationId }) => operationId).sort(),
    );
    expect(frozen.total).toBeGreaterThan(0);
  });

  it("PLAN-5 a worker killed in the middle is taken over, and each row acts once", { timeout: 60_000 }, async () => {
    const rows: string[] = [];
    for (let n = 0; n < 4; n += 1) rows.push(await lost(`kill-${String(n)}`));
    const sent = (await env.ledger()).length;
    const id = await plan(ids("reconcile_operations", ...rows));
    await startPlan(dana(), asked("plans.start", id), id);
    await killedInTheMiddle(id);
    await env.rows("update onceboard.plans set locked_until = clock_timestamp() where id = $1", id);
    await env.rows(
      "update onceboard.idempotency_open set locked_until = clock_timestamp() where locked_until is not null",
    );
    await run(id, worker("worker-2"));
    expect(await read(id)).toMatchObject({ state: "done", counts: { done: 4, waiting: 0 } });
    expect((await env.ledger()).length).toBe(sent);
    const audits = await env.rows<{ count: number }>(
      "select count(*)::int as count from onceboard.audit_entries where evidence ->> 'planId' = $1 group by subject_id",
      id,
    );
    expect(audits).toEqual(Array(4).fill({ count: 1 }));
  });
});

/** A process of its own runs the plan and dies by SIGKILL with the provider's second answer in its hand. */
async function killedInTheMiddle(id: string): Promise<void> {
  const program = "tests/support/run-plan-once.ts";
  const child = spawn(process.execPath, ["--import", "tsx", program, env.url, env.sandboxUrl, env.encryptionKeys], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const signal = await new Promise((resolve) => child.once("exit", (_code, by) => resolve(by)));
  expect(signal).toBe("SIGKILL");
  const left = await env.rows(
    "select state, count(*)::int as count from onceboard.plan_items where plan_id = $1 group by 1 order by 1",
    id,
  );
  expect(left).toEqual([
    { state: "done", count: 1 },
    { state: "waiting", count: 3 },
  ]);
}
