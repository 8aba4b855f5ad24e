import { spawn } from "node:child_process";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { askPlan, askPlanAgain } from "@/console/plans/ask-plan";
import { createPlan } from "@/console/plans/create-plan";
import { decidePlan, startPlan } from "@/console/plans/decide-plan";
import { listApprovals } from "@/console/plans/list-approvals";
import { readPlan } from "@/console/plans/read-plan";
import { runPlan } from "@/console/plans/run-plan";
import { claimPlanLookUps, keepPlanLookUp } from "@/db/plans/look-ups";
import { LOOK_UPS_PER_TURN, OUT_OF_TIME } from "@/domain/plans/look-ups";
import type { ActionRequest } from "@/engine/actions/action-answer";
import { type Actor, engineContext, type EngineContext } from "@/engine/context";
import { execute } from "@/engine/execute/execute";
import { reconcileOperation } from "@/engine/recover/reconcile";
import { planSummary } from "@/presentation/plan/plan-summary";
import type { PlanView } from "@/presentation/views/plans";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment();
});
afterAll(() => env.close());
const CALM = { timeout_after_accept: 0, timeout_before: 0, slow_ms: 0, lookup_down: 0, processing: 0, down: 0 };
beforeEach(async () => {
  await env.faults(CALM);
  await env.rows("update onceboard.plans set state = 'aborted', started_at = null, look_ups = null");
  await env.rows("update onceboard.idempotency_open set next_check_at = null");
});

const person = (id: string, role: "operator" | "approver"): Actor => ({
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
const asked = (action: ActionRequest["action"], id = "new"): ActionRequest => ({
  action,
  idempotencyKey: uuidv7(),
  input: {},
  subject: { type: "plan", id },
  reason: "the provider is back",
  receivedAt: 0,
});

type Lost = "timeout_after_accept" | "timeout_before" | "processing";
/** A payment whose answer was lost. @param fault whether the provider has it, and how */
async function lost(key: string, amountMinor = 4_200n, fault: Lost = "timeout_after_accept"): Promise<string> {
  await env.faults({ ...CALM, ...(fault === "processing" ? { processing: 1 } : { [fault]: 1 }) });
  const command = { accountId: "acc_1", amountMinor, currency: "EUR", merchantReference: key, channel: "web" };
  await execute(env.context(), env.operations.createPayment, { key, command, receivedAt: 0 });
  await env.faults(CALM);
  const [row] = await env.rows<{ id: string }>(
    "select operation_id as id from onceboard.idempotency_requests where key = $1",
    key,
  );
  if (row === undefined) throw new Error("no operation");
  await env.rows("update onceboard.idempotency_open set next_check_at = null where operation_id = $1", row.id);
  return row.id;
}
/** As if it had been sent so long ago that nothing of it can still arrive. */
const longAgo = (id: string) =>
  env.rows(
    "update onceboard.provider_requests set sent_at = sent_at - interval '3 days', prepared_at = prepared_at - interval '3 days' where operation_id = $1",
    id,
  );

async function plan(...ids: string[]): Promise<string> {
  const wish = { kind: "reconcile_operations", scope: { by: "ids", ids } } as const;
  return String((await createPlan(dana(), asked("plans.create"), wish)).answer.after["planId"]);
}
async function read(id: string): Promise<PlanView> {
  const view = await readPlan(dana(), { id, filters: { show: "all" } });
  if (view === undefined) throw new Error("no plan");
  return view;
}
const words = async (id: string) =>
  planSummary(await read(id))
    .map(({ text }) => text)
    .join(" ");
const rested = (id: string) =>
  env.rows("update onceboard.plans set locked_until = null where id = $1 and owner is null", id);
/** The worker's turns until nothing is left to ask. @returns how many turns */
async function ask(id: string, ctx = worker()): Promise<number> {
  for (let turn = 0; turn < 30; turn += 1) {
    await rested(id);
    if ((await askPlan(ctx, { registry: env.registry })).plans === 0) return turn;
  }
  throw new Error("it never ends");
}
async function run(id: string): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await rested(id);
    if ((await runPlan(worker(), { registry: env.registry })).plans === 0) return;
  }
}
const start = (id: string) => startPlan(dana(), asked("plans.start", id), id);
/** Everything that a look-up must leave alone. */
const untouched = () =>
  env.rows(
    `select (select jsonb_agg(to_jsonb(o) order by o.operation_id) from onceboard.idempotency_open o) as open,
       (select jsonb_agg(to_jsonb(r) order by r.operation_id) from onceboard.idempotency_requests r) as requests,
       (select count(*) from payments.payments where status <> 'pending') as settled,
       (select count(*) from onceboard.outbox_messages) as outbox`,
  );
const answersOf = async (id: string) =>
  Object.fromEntries((await read(id)).asking?.answers.map(({ answer, count }) => [answer, count]) ?? []);

describe("PLAN-10 a dry run that asks", () => {
  it("says what would become of each row, with the provider's answer and money, and changes nothing", async () => {
    const good = await lost("ask-good");
    const bad = await lost("ask-bad", 1_051n);
    const late = await lost("ask-late", 700n, "timeout_before");
    const early = await lost("ask-early", 900n, "timeout_before");
    await longAgo(late);
    const id = await plan(good, bad, late, early);
    expect(await words(id)).toContain("0 of 4 looked up so far.");
    const before = [await untouched(), (await env.ledger()).length];
    expect(await ask(id)).toBe(1);
    expect([await untouched(), (await env.ledger()).length]).toEqual(before);
    const view = await read(id);
    expect(view.asking).toMatchObject({
      state: "asked",
      answers: [
        { answer: "completes", count: 1, amounts: [{ display: "€42.00" }] },
        { answer: "fails", count: 1, amounts: [{ display: "€10.51" }] },
        { answer: "frees", count: 1, amounts: [{ display: "€7.00" }] },
        { answer: "unknown", count: 1, amounts: [{ display: "€9.00" }] },
      ],
    });
    expect(await words(id)).toBe(
      "4 frozen. 1 would complete. 1 would fail. 1 would end without effect. 1 is still unknown. 3 are left to run: €59.51. No money is sent. Nothing has acted yet.",
    );
    const rows = new Map(view.items.rows.map((row) => [row.targetId, row]));
    expect(rows.get(bad)).toMatchObject({
      lookUp: "fails",
      lookUpDetail: "declined: insufficient_funds",
      lookedUpAt: expect.stringMatching(/Z$/) as string,
    });
    expect(rows.get(early)).toMatchObject({ lookUpDetail: "never received, and it may still arrive" });
    const journal = await env.rows(
      "select outcome, state from onceboard.provider_requests where operation_id = $1 and kind = 'lookup'",
      good,
    );
    expect(journal).toEqual([{ outcome: "succeeded", state: "answered" }]);
  });

  it("runs what is left, and each row becomes what was foreseen", async () => {
    const good = await lost("run-good");
    const bad = await lost("run-bad", 2_051n);
    const late = await lost("run-late", 700n, "timeout_before");
    const early = await lost("run-early", 900n, "timeout_before");
    await longAgo(late);
    const id = await plan(good, bad, late, early);
    await ask(id);
    const started = await start(id);
    expect(started.answer).toMatchObject({ affected: 3, after: { state: "running", leftOut: 1 } });
    await run(id);
    const view = await read(id);
    expect(view.asking?.answers.map(({ answer, results, otherwise }) => [answer, results, otherwise])).toMatchObject([
      ["completes", { succeeded: 1 }, 0],
      ["fails", { declined: 1 }, 0],
      ["frees", { done: 1 }, 0],
      ["unknown", { unknown: 1 }, 0],
    ]);
    expect(view.changed).toBe(0);
    expect(view.items.rows.find(({ targetId }) => targetId === early)?.outcome).toBe(
      "Asked, still unknown: never received, and it may still arrive. Left out of the run.",
    );
  });

  it("looks up again when it runs, and says that the provider answered otherwise", async () => {
    const changed = await lost("otherwise");
    const same = await lost("otherwise-not");
    const id = await plan(changed, same);
    await ask(id);
    await env.rows("update onceboard.plan_items set look_up = 'fails' where target_id = $1", changed);
    await start(id);
    await run(id);
    expect(await words(id)).toBe("Both became certain. 1 answered otherwise than in the dry run.");
    const row = (await read(id)).items.rows.find(({ targetId }) => targetId === changed);
    expect(row).toMatchObject({ lookUp: "fails", result: "succeeded", otherwise: true, changed: true });
  });

  it("does not guess where the provider cannot be reached, and asks again on demand", async () => {
    const first = await lost("dark-1");
    const second = await lost("dark-2");
    const id = await plan(first, second);
    const dark = { ...env.registry, provider: () => undefined };
    await askPlan(worker(), { registry: dark });
    expect(await answersOf(id)).toEqual({ not_asked: 2 });
    expect((await read(id)).items.rows[0]?.lookUpDetail).toBe("no such operation here");
    expect(await words(id)).toContain("2 could not be asked.");
    await env.faults({ ...CALM, lookup_down: 1 });
    await askPlanAgain(mira(), asked("plans.ask", id), id);
    await ask(id);
    expect(await answersOf(id)).toEqual({ unknown: 2 });
    expect((await read(id)).items.rows[0]?.lookUpDetail).toMatch(/^the provider answered 5\d\d$/);
    await expect(start(id)).rejects.toMatchObject({ code: "plan.state" });
    await env.faults(CALM);
    await askPlanAgain(mira(), asked("plans.ask", id), id);
    await expect(askPlanAgain(mira(), asked("plans.ask", id), id)).resolves.toMatchObject({ replayed: false });
    await ask(id);
    expect(await answersOf(id)).toEqual({ completes: 2 });
    await expect(askPlanAgain(mira(), asked("plans.ask", id), id)).rejects.toMatchObject({
      message: expect.stringContaining("Every row has its answer.") as string,
    });
    expect((await read(id)).actions.ask).toMatchObject({ allowed: false, whyNot: "Every row has its answer." });
  });

  it("asks about nothing that somebody has settled since", async () => {
    const mine = await lost("since-1");
    const id = await plan(mine, await lost("since-2"));
    await reconcileOperation(env.context(), env.registry, { operationId: mine, onlyAsk: true });
    await ask(id);
    const row = (await read(id)).items.rows.find(({ targetId }) => targetId === mine);
    expect(row).toMatchObject({ lookUp: "not_asked", lookUpDetail: "Its outcome is known." });
  });

  it("an answer that the provider takes back frees no key", async () => {
    const one = await lost("back");
    const id = await plan(one);
    await ask(id);
    expect(await answersOf(id)).toEqual({ completes: 1 });
    // Nothing but the look-up of the dry run knows that the provider had it.
    await longAgo(one);
    await env.rows(
      "update onceboard.idempotency_open set provider_key = provider_key || '-lost' where operation_id = $1",
      one,
    );
    await env.rows(
      "update onceboard.provider_requests set provider_key = provider_key || '-lost' where operation_id = $1",
      one,
    );
    const settled = await reconcileOperation(env.context(), env.registry, { operationId: one, onlyAsk: true });
    expect(settled).toMatchObject({
      after: "UNKNOWN_REQUIRES_RECOVERY",
      finding: "the provider knew of it before and does not now",
    });
  });

  it("is bounded: a turn asks a few, and what the whole time does not reach stays not asked", async () => {
    const ids: string[] = [];
    for (let n = 0; n < LOOK_UPS_PER_TURN + 2; n += 1) ids.push(await lost(`many-${String(n)}`));
    const id = await plan(...ids);
    await askPlan(worker(), { registry: env.registry });
    expect(await answersOf(id)).toEqual({ completes: LOOK_UPS_PER_TURN, waiting: 2 });
    // Rests: nobody asks more, however many workers there are.
    expect(await askPlan(worker("worker-2"), { registry: env.registry })).toEqual({ plans: 0, asked: 0 });
    await rested(id);
    await env.rows("update onceboard.plans set look_ups_began_at = now() - interval '6 minutes' where id = $1", id);
    await env.rows("update onceboard.plan_items set look_up = 'waiting' where plan_id = $1", id);
    await askPlan(worker(), { registry: env.registry });
    expect(await answersOf(id)).toEqual({ completes: LOOK_UPS_PER_TURN, not_asked: 2 });
    expect((await read(id)).items.rows.at(-1)?.lookUpDetail).toBe(OUT_OF_TIME);
    expect((await read(id)).asking?.state).toBe("asked");
  });

  it("stops when the plan is started, and the run asks what it did not", async () => {
    const id = await plan(await lost("soon-1"), await lost("soon-2"));
    const held = await claimPlanLookUps(env.db.pool, "acme", "slow", 60_000);
    await start(id);
    expect(held).toBeDefined();
    const late = { position: 1, answer: "completes", detail: "succeeded" } as const;
    expect(held && (await keepPlanLookUp(env.db.pool, "acme", held, late))).toBe(false);
    expect((await read(id)).asking).toMatchObject({ state: "stopped", answers: [{ answer: "waiting", count: 2 }] });
    await env.rows("update onceboard.plans set owner = null where id = $1", id);
    await run(id);
    expect((await read(id)).results).toMatchObject({ succeeded: 2 });
  });

  it("PLAN-2 approval counts only what is left to run", async () => {
    const dear = await lost("dear-1", 1_000_000n);
    const open = await lost("dear-2", 300_000n, "timeout_before");
    const id = await plan(dear, open);
    await ask(id);
    const waiting = (await listApprovals(mira())).waiting.find((row) => row.id === id);
    expect(waiting?.asking?.answers.map(({ answer }) => answer)).toEqual(["completes", "unknown"]);
    expect(await words(id)).toContain("1 is left to run: €10,000.00.");
    const decided = await decidePlan(mira(), asked("plans.decide", id), id, { decision: "approve", start: true });
    expect(decided.answer).toMatchObject({ affected: 1, after: { leftOut: 1 } });
    expect((await read(id)).counts).toMatchObject({ waiting: 1, skipped: 1 });
  });

  it("PLAN-12 what was agreed to does not grow: a row that was unknown then is left out, whatever it is asked later", async () => {
    const sure = await lost("agreed-1", 1_100_000n);
    const later = await lost("agreed-2", 5_000_000n, "timeout_before");
    const id = await plan(sure, later);
    await ask(id);
    expect(await words(id)).toContain("1 is left to run: €11,000.00.");
    const decided = await decidePlan(mira(), asked("plans.decide", id), id, { decision: "approve", start: false });
    expect(decided.answer).toMatchObject({ affected: 1, after: { state: "ready", leftOut: 1 } });
    // By now the provider would say that it was never received: the fifty thousand were not agreed to.
    await longAgo(later);
    await expect(askPlanAgain(dana(), asked("plans.ask", id), id)).rejects.toMatchObject({ code: "plan.state" });
    expect((await start(id)).answer).toMatchObject({ affected: 1, after: { state: "running" } });
    await run(id);
    expect((await read(id)).items.rows.find(({ targetId }) => targetId === later)).toMatchObject({
      result: "unknown",
      outcome: "Asked, still unknown: never received, and it may still arrive. Left out of the run.",
    });
    expect(await env.rows("select state from onceboard.idempotency_requests where operation_id = $1", later)).toEqual([
      { state: "UNKNOWN_REQUIRES_RECOVERY" },
    ]);
  });

  it("PLAN-12 an approval that is needed stays needed, however little the look-ups leave", async () => {
    const small = await lost("little-1", 4_200n);
    const large = await lost("little-2", 2_000_000n, "timeout_before");
    const id = await plan(small, large);
    await ask(id);
    expect(await words(id)).toContain("1 is left to run: €42.00.");
    await expect(start(id)).rejects.toMatchObject({ code: "plan.state" });
    expect(await read(id)).toMatchObject({ state: "awaiting_approval" });
  });

  it(
    "PLAN-5 a worker killed while it asks leaves nothing half, and another one goes on",
    { timeout: 60_000 },
    async () => {
      const ids: string[] = [];
      for (let n = 0; n < 4; n += 1) ids.push(await lost(`kill-ask-${String(n)}`));
      const id = await plan(...ids);
      const before = await untouched();
      await killedWhileAsking();
      expect(await untouched()).toEqual(before);
      const half = await env.rows<{ answered: number; journal: number; unanswered: number }>(
        `select (select count(*)::int from onceboard.plan_items where plan_id = $1 and look_up <> 'waiting') as answered,
         (select count(*)::int from onceboard.provider_requests where operation_id = any ($2::uuid[]) and kind = 'lookup') as journal,
         (select count(*)::int from onceboard.provider_requests where operation_id = any ($2::uuid[]) and kind = 'lookup' and answered_at is null) as unanswered`,
        id,
        ids,
      );
      expect(half[0]?.answered).toBeLessThan(4);
      expect(half[0]).toMatchObject({ journal: half[0]?.answered, unanswered: 0 });
      expect(await askPlan(worker("worker-2"), { registry: env.registry })).toEqual({ plans: 0, asked: 0 });
      await env.rows("update onceboard.plans set locked_until = clock_timestamp() where id = $1", id);
      await ask(id, worker("worker-2"));
      expect(await answersOf(id)).toEqual({ completes: 4 });
      const looks = await env.rows<{ count: number }>(
        "select count(*)::int as count from onceboard.provider_requests where operation_id = any ($1::uuid[]) and kind = 'lookup' group by operation_id",
        ids,
      );
      expect(looks).toEqual(Array(4).fill({ count: 1 }));
    },
  );
});

/** A process of its own asks about a plan and dies by SIGKILL with the second answer in its hand. */
async function killedWhileAsking(): Promise<void> {
  const program = "tests/support/run-plan-once.ts";
  const args = ["--import", "tsx", program, env.url, env.sandboxUrl, env.encryptionKeys, "ask"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  const signal = await new Promise((resolve) => child.once("exit", (_code, by) => resolve(by)));
  expect(signal).toBe("SIGKILL");
}
