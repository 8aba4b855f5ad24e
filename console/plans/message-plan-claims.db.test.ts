import fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { messageWorlds, writeWorld, type MessageWorld } from "@/console/testing/message-world";
import { openDesk, type Desk } from "@/console/testing/read-desk";
import { holdsFor, propertyTimeout } from "@/db/testing/property-runs";
import { holding } from "@/domain/page-claim";
import type { ActionRequest } from "@/engine/actions/action-answer";
import { type Actor, engineContext, type EngineContext } from "@/engine/context";
import { ADVICE_CLAIMS } from "@/presentation/plan/plan-advice";
import { PLAN_CLAIMS, reconciliation } from "@/presentation/plan/plan-summary";
import type { PlanView } from "@/presentation/views/plans";
import { actOnMessage } from "../actions/message-actions";
import { createPlan } from "./create-plan";
import { abortPlan, decidePlan, startPlan } from "./decide-plan";
import { readPlan } from "./read-plan";
import { runPlan } from "./run-plan";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const ROUTES = ["ready", "awaiting", "rejected", "expired", "stopped before", "running", "stopped", "done"] as const;
const KINDS = ["requeue_dead_letters", "discard_dead_letters"] as const;
const WHO = ["nobody", "nobody", "requeues", "discards"] as const;

interface PlanCase {
  readonly world: MessageWorld;
  readonly kind: (typeof KINDS)[number];
  readonly route: (typeof ROUTES)[number];
  /** What somebody else does to each dead letter before its turn, and once the plan is over, in their order. */
  readonly before: readonly (typeof WHO)[number][];
  readonly since: readonly (typeof WHO)[number][];
}
const cases: fc.Arbitrary<PlanCase> = fc.record({
  world: messageWorlds,
  kind: fc.constantFrom(...KINDS),
  route: fc.oneof(fc.constantFrom(...ROUTES), fc.constant("done" as const)),
  before: fc.array(fc.constantFrom(...WHO), { maxLength: 6 }),
  since: fc.array(fc.constantFrom(...WHO), { maxLength: 6 }),
});

function as(tenant: string, id: string, role: "operator" | "approver"): EngineContext {
  const actor: Actor = { kind: "operator", id, name: id, role, confirmation: { fresh: true, by: [] } };
  return engineContext(desk.context(role, tenant), { tenantId: tenant, actor, requestId: "req" });
}
const asked = (action: ActionRequest["action"], id: string): ActionRequest => ({
  action,
  idempotencyKey: uuidv7(),
  input: {},
  subject: { type: "plan", id },
  reason: "the receiver is back",
  receivedAt: 0,
});

interface Letter {
  readonly id: string;
  readonly side: "outbox" | "inbox";
  readonly message_row_id: string;
}

async function settle(tenant: string, letters: readonly Letter[], acts: PlanCase["before"]): Promise<void> {
  for (const [index, letter] of letters.entries()) {
    const act = acts[index];
    if (act === undefined || act === "nobody") continue;
    const ref = { side: letter.side, id: letter.message_row_id };
    const by = { name: "dana", reason: "by hand" };
    const ctx = desk.context("operator", tenant);
    await actOnMessage(ctx.db.pool, { ...ctx, tenantId: tenant }, ref, act === "requeues" ? "requeue" : "discard", by);
  }
}

async function turn(tenant: string, id: string): Promise<number> {
  await desk.rows("update onceboard.plans set locked_until = null where id = $1 and owner is null", id);
  const actor = { kind: "system", id: "plans", name: "plans" } as const;
  return (await runPlan(engineContext(desk.context("operator", tenant), { tenantId: tenant, actor, requestId: "req" })))
    .plans;
}

/** @returns the plan; undefined where nothing was dead */
async function playOut({
  world,
  kind,
  route,
  before,
  since,
}: PlanCase): Promise<readonly [string, string] | undefined> {
  const tenant = await writeWorld((text, ...values) => desk.rows(text, ...values), world);
  const letters = await desk.rows<Letter>(
    "select id, side, message_row_id from onceboard.dead_letters where tenant_id = $1 and settled_at is null order by dead_at, id",
    tenant,
  );
  if (letters.length === 0) return undefined;
  const [mira, zoe] = [as(tenant, "mira", "operator"), as(tenant, "zoe", "approver")];
  const scope = { by: "ids", ids: letters.map(({ id }) => id) } as const;
  const id = String((await createPlan(mira, asked("plans.create", "new"), { kind, scope })).answer.after["planId"]);
  if (route === "awaiting" || route === "rejected")
    await desk.rows(
      "update onceboard.plans set state = 'awaiting_approval', approval_needed = 'asked' where id = $1",
      id,
    );
  await settle(tenant, letters, before);
  if (route === "rejected") await decidePlan(zoe, asked("plans.decide", id), id, { decision: "reject", start: false });
  if (route === "expired")
    await desk.rows(
      "update onceboard.plans set state = 'aborted', ended_at = now(), ended_by = 'system:expiry' where id = $1",
      id,
    );
  if (route === "stopped before") await abortPlan(mira, asked("plans.abort", id), id);
  const acts = (await count(id, ACTS)) > 0;
  const [row] = await desk.rows<{ state: string }>("select state from onceboard.plans where id = $1", id);
  if ((route === "running" || route === "stopped" || route === "done") && acts && row?.state === "ready") {
    // What canaries do has a test of its own.
    await desk.rows("update onceboard.plans set canary = null where id = $1", id);
    await startPlan(mira, asked("plans.start", id), id);
    if (route === "done") for (let n = 0; n < 20 && (await turn(tenant, id)) > 0; n += 1);
    if (route === "stopped") await abortPlan(mira, asked("plans.abort", id), id);
  }
  if (!["ready", "awaiting", "running"].includes(route)) await settle(tenant, letters, since);
  return [tenant, id];
}

/** What the rows say: a row's plan, its dead letter as it is now, and who settled that. */
const FACTS = `from (
  select i.*, p.state as plan_state, p.kind, p.started_at, p.ended_at as plan_ended, p.ended_by, l.settled_at, l.settled_by, l.settlement,
    i.verdict = 'safe' or (i.verdict = 'processed' and p.kind = 'requeue_dead_letters') as acting,
    i.label ->> 'outlook' as outlook,
    i.state = 'done' and l.settlement = 'closed' as closed
  from onceboard.plan_items i
  join onceboard.plans p on p.tenant_id = i.tenant_id and p.id = i.plan_id
  left join onceboard.dead_letters l on l.tenant_id = i.tenant_id and l.id = i.target_id
  where i.plan_id = $1) i`;
const ACTS = "i.acting";

async function count(id: string, where: string): Promise<number> {
  const [row] = await desk.rows<{ count: number }>(`select count(*)::int as count ${FACTS} where ${where}`, id);
  return row?.count ?? 0;
}

interface Oracle {
  readonly said: boolean;
  readonly numbers: readonly number[];
}
type Check = (counted: (where: string) => Promise<number>) => Promise<Oracle>;
/** Said where there are such rows, with their number. */
const some =
  (when: string, which: string): Check =>
  async (counted) => {
    const found = await counted(`(${when}) and (${which})`);
    return { said: found > 0, numbers: [found] };
  };
const planIs =
  (state: string, ...numbers: readonly string[]): Check =>
  async (counted) => ({
    said: (await counted(state)) > 0,
    numbers: await Promise.all(numbers.map((where) => counted(where))),
  });

const BEFORE = "i.plan_state in ('ready', 'awaiting_approval')";
const EXPIRED = "i.plan_state = 'aborted' and i.started_at is null and i.ended_by = 'system:expiry'";
const STOPPED_BEFORE = "i.plan_state = 'aborted' and i.started_at is null and i.ended_by <> 'system:expiry'";
const STOPPED = "i.plan_state = 'aborted' and i.started_at is not null";
const RUNNING = "i.plan_state = 'running'";
const DONE = "i.plan_state = 'done'";
const REQUEUES = "i.kind = 'requeue_dead_letters'";
const BY_OTHERS = "i.settled_by = 'dana'";
/** Somebody had settled it when its turn came. */
const SETTLED_BEFORE = `i.acting and i.state = 'skipped' and ${BY_OTHERS} and i.settled_at <= i.ended_at`;

/** By name of the claim; one that is not here must not be said of such a plan. */
const ORACLES: Readonly<Record<string, Check>> = {
  expired: async (counted) => ({ said: (await counted(EXPIRED)) > 0, numbers: [7] }),
  rejected: planIs("i.plan_state = 'rejected'"),
  "stopped before it ran": planIs(STOPPED_BEFORE),
  "nothing acted": planIs(`(${EXPIRED}) or (${STOPPED_BEFORE}) or i.plan_state = 'rejected'`),
  frozen: planIs(BEFORE, "true"),
  "none would act": async (counted) => ({
    said: (await counted(BEFORE)) > 0 && (await counted("i.acting")) === 0,
    numbers: [],
  }),
  // What a consumer holds already is closed: nothing of it goes out again.
  "would act": some(BEFORE, "i.verdict = 'safe'"),
  "would be closed": some(BEFORE, `${REQUEUES} and i.verdict = 'processed'`),
  "settled since the dry run": some(BEFORE, `i.acting and ${BY_OTHERS}`),
  "would be left alone": async (counted) => {
    const [left, acting] = [await counted(`${BEFORE} and not i.acting`), await counted("i.acting")];
    return { said: left > 0 && acting > 0, numbers: [left] };
  },
  "likely to die again": some(BEFORE, `${REQUEUES} and i.outlook = 'dies'`),
  "a canary goes first": async (counted) => ({
    said: (await counted(BEFORE)) > 0 && (await counted(`${REQUEUES} and i.verdict = 'safe'`)) >= 5,
    numbers: [],
  }),
  "not started": planIs("i.plan_state = 'ready' and i.acting"),
  "waits for approval": planIs("i.plan_state = 'awaiting_approval' and i.acting"),
  progress: planIs(RUNNING, "i.acting"),
  "may be stopped": planIs(RUNNING),
  stopped: planIs(STOPPED, "i.acting and i.state <> 'waiting'", "i.acting"),
  did: async (counted) => {
    const [done, acting] = [await counted("i.state = 'done' and not i.closed"), await counted("i.acting")];
    const said = (await counted(DONE)) > 0;
    if (acting < 2 || (acting === 2 && done === 2)) return { said, numbers: [] };
    return { said, numbers: done === 0 || done === acting ? [acting] : [done, acting] };
  },
  "closed as delivered": some(`${STOPPED} or ${RUNNING} or ${DONE}`, "i.closed"),
  "settled by others": some(`${STOPPED} or ${RUNNING} or ${DONE}`, SETTLED_BEFORE),
  untouched: some(STOPPED, "i.acting and i.state = 'waiting'"),
  "settled since it ended": some(
    `(${STOPPED}) or ${DONE}`,
    `i.acting and i.state in ('waiting', 'skipped') and not (${SETTLED_BEFORE}) and ${BY_OTHERS}`,
  ),
  "left alone": some(DONE, "not i.acting"),
  "every row acted": async (counted) => ({
    said: (await counted("i.plan_ended is not null")) > 0 && (await counted("i.state <> 'done'")) === 0,
    numbers: [],
  }),
};
/** Of the rows themselves, judged anew: held by the property of messages and by the sum below. */
const JUDGED_NOW: ReadonlySet<string> = new Set(["plan again", "another step", "nothing left"]);

const figures = (words: string): number[] =>
  [...words.matchAll(/\d[\d,]*/g)].map(([text]) => Number(text.replaceAll(",", "")));

/** What the outcome of a row is whose dead letter somebody settled before its turn. */
async function settledOutcome(id: string): Promise<string | undefined> {
  const [row] = await desk.rows<{ words: string }>(
    `select 'Settled meanwhile: ' || settled_by || case settlement when 'closed' then ' closed as delivered' else ' ' || settlement end
       || ' it on ' || to_char(settled_at at time zone 'utc', 'FMDD Mon YYYY, HH24:MI:SS') || ' UTC.' as words
     from onceboard.dead_letters where id = $1 and settled_at is not null`,
    id,
  );
  return row?.words;
}

/** @returns what is said and is not so, or is so and is not said */
async function wrongOf(plan: PlanView, planted: ReadonlyMap<string, string> = new Map()): Promise<string[]> {
  const claims = holding([...PLAN_CLAIMS, ...ADVICE_CLAIMS], plan).map(
    (each) => [each.name, each.words(plan)] as const,
  );
  const said = new Map([...claims, ...planted]);
  const wrong = [...said]
    .filter(([name]) => ORACLES[name] === undefined && !JUDGED_NOW.has(name))
    .map(([, words]) => words);
  for (const [name, oracle] of Object.entries(ORACLES)) {
    const words = said.get(name);
    const { said: must, numbers } = await oracle((where) => count(plan.id, where));
    if ((words !== undefined) !== must) wrong.push(`${name}: ${words ?? "is not said"}`);
    else if (words !== undefined && String(figures(words).slice(0, numbers.length)) !== String(numbers))
      if (name !== "progress") wrong.push(`${name}: ${words} Rows: ${String(numbers)}`);
  }
  for (const { targetId, outcome = "" } of plan.items.rows)
    if (outcome.startsWith("Settled meanwhile: ") && outcome !== (await settledOutcome(targetId))) wrong.push(outcome);
  if (plan.startedAt !== undefined && plan.endedAt !== undefined) {
    const [total = 0, ...parts] = figures(reconciliation(plan));
    if (parts.reduce((sum, part) => sum + part, 0) !== total) wrong.push(reconciliation(plan));
  }
  return wrong;
}

async function readAs([tenant, id]: readonly [string, string]): Promise<PlanView> {
  const plan = await readPlan(as(tenant, "mira", "operator"), { id, filters: { show: "all" } });
  if (plan === undefined) throw new Error("no plan");
  return plan;
}

describe("PLAN-7 every sentence of a plan about messages", () => {
  it("holds against the rows, in every state, whoever settled what", { timeout: propertyTimeout(12_000) }, async () => {
    await holdsFor(cases, { runs: 50, budgetMs: 12_000 }, async (each) => {
      const played = await playOut(each);
      if (played !== undefined) expect(await wrongOf(await readAs(played))).toEqual([]);
    });
  });

  it("and a false one is found", async () => {
    const [world] = fc.sample(messageWorlds, { numRuns: 1, seed: 1 });
    if (world === undefined) throw new Error("no world");
    const letter = { place: 0, state: "dead", type: "payment.succeeded", code: "webhook.http_503", age: 70 } as const;
    const dead = { ...letter, line: 0, deadFor: 30, gap: 2, diedBefore: false, held: "no" } as const;
    const places = [{ kind: "payments", paused: false, successes: [], failures: [] }] as const;
    const made = { world: { places, messages: [dead], rolledUp: true }, kind: "requeue_dead_letters" } as const;
    const played = await playOut({ ...made, route: "ready", before: [], since: [] });
    if (played === undefined) throw new Error("nothing was dead");
    const plan = await readAs(played);
    expect(await wrongOf(plan)).toEqual([]);
    const planted = new Map([
      ["frozen", "2 frozen."],
      ["did", "The row was requeued."],
      ["sends no money", "No money is sent."],
    ]);
    expect(await wrongOf(plan, planted)).toHaveLength(planted.size);
  });
});
