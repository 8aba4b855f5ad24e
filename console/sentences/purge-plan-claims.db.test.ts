import fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { purgeBody } from "@/console/actions/body-actions";
import { createPlan } from "@/console/plans/create-plan";
import { abortPlan, decidePlan, startPlan } from "@/console/plans/decide-plan";
import { readPlan } from "@/console/plans/read-plan";
import { runPlan } from "@/console/plans/run-plan";
import { holder } from "@/console/testing/meanings";
import {
  PLAN_FACTS,
  PURGE_DIALOGS,
  PURGE_OUTCOMES,
  PURGE_PLAN_CLAIMS,
  PURGE_VERDICTS,
  purgePlanQuery,
} from "@/console/testing/purge-plan-oracle";
import {
  keepBodiesFor,
  keptOperations,
  KEPT_SQL,
  type KeptOperation,
  writePurgeWorld,
} from "@/console/testing/purge-world";
import { purgeBodiesBatch } from "@/db/bodies/purge-bodies";
import { holdsFor, propertyTimeout } from "@/db/testing/property-runs";
import { holding } from "@/domain/page-claim";
import type { ActionRequest } from "@/engine/actions/action-answer";
import { type Actor, engineContext, type EngineContext } from "@/engine/context";
import { createEngineTestEnvironment, type EngineTestEnvironment } from "@/engine/testing/environment";
import { ADVICE_CLAIMS } from "@/presentation/plan/plan-advice";
import { stepWords } from "@/presentation/plan/plan-dialog-claims";
import { PLAN_CLAIMS, reconciliation } from "@/presentation/plan/plan-summary";
import type { PlanView } from "@/presentation/views/plans";

const RUNS = 25;
const BUDGET_MS = 5_000;
const MOST_ROWS = 5;
/** Longer than anything is old. */
const LONG_HOURS = 8_760;

let env: EngineTestEnvironment;
beforeAll(async () => {
  env = await createEngineTestEnvironment();
});
afterAll(() => env.close());

const ROUTES = ["ready", "awaiting", "rejected", "expired", "stopped before", "running", "stopped", "done"] as const;
const WHO = ["nobody", "nobody", "a person", "the service", "the service, and a person in vain"] as const;
interface PlanCase {
  readonly kept: readonly KeptOperation[];
  readonly route: (typeof ROUTES)[number];
  /** Who purges each of its operations before its turn, and once the plan is over. */
  readonly before: readonly (typeof WHO)[number][];
  readonly since: readonly (typeof WHO)[number][];
  /** Between dry run and run the tenant decides to keep the bodies of payments for a year. */
  readonly longer: boolean;
}
const who = fc.array(fc.constantFrom(...WHO), { maxLength: MOST_ROWS });
const cases: fc.Arbitrary<PlanCase> = fc.record({
  kept: fc.array(keptOperations, { minLength: 1, maxLength: MOST_ROWS }),
  route: fc.oneof(fc.constantFrom(...ROUTES), fc.constant("done" as const)),
  before: who,
  since: who,
  longer: fc.nat(4).map((roll) => roll === 0),
});

const rows = <R>(text: string, ...values: unknown[]): Promise<R[]> => env.rows<R>(text, ...values);
const confirmation = { fresh: true, by: [] };
function as(tenantId: string, id: string, role: "operator" | "approver" = "operator"): EngineContext {
  const actor: Actor = { kind: "operator", id, name: id, role, confirmation };
  return engineContext({ ...env.base, instance: "test-1" }, { tenantId, actor, requestId: "req" });
}
const asked = (action: ActionRequest["action"], type: string, id: string): ActionRequest => ({
  ...{ action, idempotencyKey: uuidv7(), input: {}, subject: { type, id } },
  ...{ reason: "the month is over", receivedAt: 0 },
});

async function purge(tenantId: string, ids: readonly string[], acts: PlanCase["before"]): Promise<void> {
  for (const [index, id] of ids.entries()) {
    const act = acts[index] ?? "nobody";
    if (act.startsWith("the service"))
      await purgeBodiesBatch(env.db.pool, { tenantId, bodyTtlHours: 0, limit: 1, operationId: id });
    if (act.includes("a person"))
      await purgeBody(as(tenantId, "dana"), asked("operations.purge_body", "operation", id), id);
  }
}

interface Kept {
  readonly operation_id: string;
  readonly bodies: number;
  readonly bytes: number;
}
interface Played {
  readonly tenant: string;
  readonly id: string;
  /** What was kept when it was frozen. */
  readonly kept: ReadonlyMap<string, Kept>;
}

const verdicts = holder(PURGE_VERDICTS);
const outcomes = holder(PURGE_OUTCOMES);
const dialogs = holder(PURGE_DIALOGS);
const claimed = new Set<string>();

/** Whether a meaning is so of a plan, or of one of its rows. */
const about =
  ({ tenant, id, kept }: Played, target: string | null = null) =>
  async (sql: string, captured: readonly (string | null)[]): Promise<boolean> => {
    const of = target === null ? undefined : kept.get(target);
    const values = [tenant, id, target, captured, of?.bodies ?? 0, of?.bytes ?? 0];
    const [row] = await rows<{ holds: boolean }>(purgePlanQuery(sql), ...values);
    return row?.holds ?? false;
  };

async function read({ tenant, id }: Played): Promise<PlanView> {
  const plan = await readPlan(as(tenant, "mira"), { id, filters: { show: "all" } });
  if (plan === undefined) throw new Error("no plan");
  return plan;
}

async function freeze(kept: PlanCase["kept"]): Promise<readonly [Played, ids: readonly string[]]> {
  const { tenant, ids } = await writePurgeWorld(rows, { kept, ttls: {} });
  const wish = { kind: "purge_bodies", scope: { by: "ids", ids } } as const;
  const made = await createPlan(as(tenant, "mira"), asked("plans.create", "plan", "new"), wish);
  const found = await rows<Kept>(`with ${KEPT_SQL} select operation_id::text, bodies::int, bytes::int from k`, tenant);
  const id = String(made.answer.after["planId"]);
  const played = { tenant, id, kept: new Map(found.map((each) => [each.operation_id, each])) };
  const wrong = [];
  for (const { targetId, verdictReason } of (await read(played)).items.rows)
    wrong.push(await verdicts.wrong(verdictReason, about(played, targetId)));
  expect(wrong.filter((each) => each !== undefined)).toEqual([]);
  return [played, ids];
}

async function playOut({ kept, route, before, since, longer }: PlanCase): Promise<Played> {
  const [played, ids] = await freeze(kept);
  const { tenant, id } = played;
  const mira = as(tenant, "mira");
  if (route === "awaiting" || route === "rejected")
    await rows("update onceboard.plans set state = 'awaiting_approval', approval_needed = 'asked' where id = $1", id);
  await purge(tenant, ids, before);
  if (longer) await keepBodiesFor(rows, tenant, "payments.create", LONG_HOURS);
  env.base.policies.forget(tenant);
  if (route === "rejected") {
    const zoe = as(tenant, "zoe", "approver");
    await decidePlan(zoe, asked("plans.decide", "plan", id), id, { decision: "reject", start: false });
  }
  if (route === "expired")
    await rows(
      "update onceboard.plans set state = 'aborted', ended_at = now(), ended_by = 'system:expiry' where id = $1",
      id,
    );
  if (route === "stopped before") await abortPlan(mira, asked("plans.abort", "plan", id), id);
  if (route === "running" || route === "stopped" || route === "done") await run(played, route);
  if (!["ready", "awaiting", "running"].includes(route)) await purge(tenant, ids, since);
  return played;
}

async function run({ tenant, id }: Played, route: "running" | "stopped" | "done"): Promise<void> {
  const mira = as(tenant, "mira");
  if ((await rows("select 1 from onceboard.plan_items where plan_id = $1 and state = 'waiting'", id)).length === 0)
    return;
  await startPlan(mira, asked("plans.start", "plan", id), id);
  if (route === "stopped") await abortPlan(mira, asked("plans.abort", "plan", id), id);
  if (route === "done") while ((await runPlan(mira)).plans > 0);
}

/** Everything that its dialogs say in this state, and what it says that the rest needs. */
function dialogsOf(plan: PlanView): readonly string[] {
  const each = (dialog: string, text: string): string[] =>
    text.split(/(?<=\.) (?=\d|None)/).map((sentence) => `${dialog}: ${sentence}`);
  const before = plan.state === "ready" || plan.state === "awaiting_approval";
  const needs = holding(ADVICE_CLAIMS, plan).find(({ name }) => name === "another step");
  const steps =
    needs
      ?.words(plan)
      .replace(/^.* something else: |\.$/g, "")
      .split(/, (?=\d)/) ?? [];
  return [
    ...(before
      ? [...each("Start", stepWords.startEffect(plan)), ...each("Start leaves", stepWords.startSkipped(plan))]
      : []),
    ...(plan.state === "awaiting_approval" ? each("Reject leaves", stepWords.rejectSkipped(plan)) : []),
    ...(before || plan.state === "running" ? each("Stop leaves", stepWords.stopSkipped(plan)) : []),
    ...(plan.actions.rerun.allowed ? each("Again leaves", stepWords.againSkipped(plan)) : []),
    ...steps.map((step) => `Needs: ${step}`),
  ];
}

const figures = (words: string): number[] => [...words.matchAll(/\d+/g)].map(([text]) => Number(text));

/** @returns what is said and is not so, or is so and is not said */
async function wrongOf(played: Played, planted: ReadonlyMap<string, string> = new Map()): Promise<readonly string[]> {
  const plan = await read(played);
  const counted = async (where: string): Promise<number> => {
    const text = `${PLAN_FACTS} select count(*)::int as count from f i where ${where}`;
    return (await rows<{ count: number }>(text, played.tenant, played.id))[0]?.count ?? 0;
  };
  const said = new Map([
    ...holding([...PLAN_CLAIMS, ...ADVICE_CLAIMS], plan).map((each) => [each.name, each.words(plan)] as const),
    ...planted,
  ]);
  const wrong: (string | undefined)[] = [];
  for (const [name, words] of said) {
    claimed.add(name);
    if (PURGE_PLAN_CLAIMS[name] === undefined) wrong.push(`no oracle of ${name}: ${words}`);
  }
  for (const [name, check] of Object.entries(PURGE_PLAN_CLAIMS)) {
    const words = said.get(name);
    const due = await check(counted);
    if (words !== undefined && due.words?.test(words) === false) wrong.push(`${name}: ${words}`);
    if ((words !== undefined) !== due.said) wrong.push(`${name}: ${words ?? "is not said"}`);
    else if (words !== undefined && String(figures(words).slice(0, due.numbers.length)) !== String(due.numbers))
      wrong.push(`${name}: ${words} Rows: ${String(due.numbers)}`);
  }
  for (const sentence of dialogsOf(plan)) wrong.push(await dialogs.wrong(sentence, about(played)));
  for (const { targetId, result, outcome } of plan.items.rows)
    if (result !== "left" && outcome !== undefined) wrong.push(await outcomes.wrong(outcome, about(played, targetId)));
  const [total, ...parts] = figures(reconciliation(plan));
  if (parts.reduce((sum, part) => sum + part, 0) !== total) wrong.push(reconciliation(plan));
  return wrong.filter((each) => each !== undefined);
}

const OLD: KeptOperation = {
  ...{ operation: "payments.create", state: "COMPLETED", replay: "stored", ageHours: 30, keyHours: 24, size: 40 },
  purged: false,
};
const LIVE: KeptOperation = { ...OLD, operation: "refunds.create", keyHours: 720 };
const STAY: readonly KeptOperation[] = [
  { ...OLD, state: "UNKNOWN_REQUIRES_RECOVERY" },
  { ...LIVE, state: "FAILED_RETRYABLE" },
  { ...OLD, ageHours: 1 },
  { ...OLD, purged: true },
];
const NOBODY = { before: [], since: [], longer: false } as const;
/** So that each claim and each sentence is said. */
const ALWAYS: readonly PlanCase[] = [
  ...ROUTES.map((route): PlanCase => ({ ...NOBODY, route, kept: [OLD, LIVE, ...STAY], before: ["a person"] })),
  { ...NOBODY, route: "done", kept: [OLD, LIVE] },
  { ...NOBODY, route: "done", kept: [OLD, LIVE], before: ["the service", "a person"] },
  { ...NOBODY, route: "done", kept: [OLD, LIVE], longer: true },
  { ...NOBODY, route: "done", kept: [OLD, LIVE], longer: true, since: ["a person"] },
  { ...NOBODY, route: "stopped", kept: [OLD, LIVE], since: ["the service"] },
  { ...NOBODY, route: "stopped", kept: [LIVE, LIVE] },
  { ...NOBODY, route: "ready", kept: [OLD], before: ["the service, and a person in vain"] },
  { ...NOBODY, route: "done", kept: [OLD, LIVE], before: ["the service, and a person in vain"] },
  { ...NOBODY, route: "ready", kept: [OLD, LIVE] },
  { ...NOBODY, route: "ready", kept: STAY },
];

describe("PLAN-7 every sentence of a plan of purges", () => {
  it("holds where it is said, and each is said", { timeout: propertyTimeout() }, async () => {
    for (const each of ALWAYS) expect(await wrongOf(await playOut(each))).toEqual([]);
    expect([verdicts, outcomes, dialogs].flatMap((each) => each.neverSaid())).toEqual([]);
    expect(Object.keys(PURGE_PLAN_CLAIMS).filter((name) => !claimed.has(name))).toEqual([]);
  });

  it("holds in every state, whoever purged what", { timeout: propertyTimeout(BUDGET_MS) }, async () => {
    await holdsFor(cases, { runs: RUNS, budgetMs: BUDGET_MS }, async (each) => {
      expect(await wrongOf(await playOut(each))).toEqual([]);
    });
  });

  it("and a false one is found", async () => {
    const played = await playOut({ ...NOBODY, route: "done", kept: [OLD, LIVE, ...STAY] });
    expect(await wrongOf(played)).toEqual([]);
    const planted = new Map([
      ["did", "3 of 4 were purged."],
      ["untouched", "1 row stays untouched."],
      ["concerns money", "It concerns €1.00."],
    ]);
    expect(await wrongOf(played, planted)).toHaveLength(planted.size);
    const [target = ""] = [...played.kept.keys()];
    for (const outcome of [
      "2 bodies purged, 81 bytes. The fingerprint stays: the purge lets no key run again.",
      "Gone.",
    ])
      expect(await outcomes.wrong(outcome, about(played, target))).toContain(outcome);
  });
});
