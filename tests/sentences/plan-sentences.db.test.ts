import fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { holdsFor, propertyTimeout } from "@/db/testing/property-runs";
import { type Actor, engineContext, type EngineContext } from "@/engine/context";
import type { ActionRequest } from "@/engine/actions/action-answer";
import { reconcileAction, releaseAction, resolveAction } from "@/console/actions/operation-actions";
import { askPlan } from "@/console/plans/ask-plan";
import { createPlan } from "@/console/plans/create-plan";
import { abortPlan, decidePlan, startPlan } from "@/console/plans/decide-plan";
import { readPlan } from "@/console/plans/read-plan";
import { runPlan } from "@/console/plans/run-plan";
import { execute } from "@/engine/execute/execute";
import { reconcileOperation } from "@/engine/recover/reconcile";
import { holding, type PageClaim } from "@/domain/page-claim";
import { ADVICE_CLAIMS } from "@/presentation/plan/plan-advice";
import { answerWords } from "@/presentation/plan/plan-answers";
import { planChain } from "@/presentation/plan/plan-chain";
import { PLAN_CLAIMS, reconciliation } from "@/presentation/plan/plan-summary";
import type { PlanView } from "@/presentation/views/plans";
import { createTestEnvironment, type TestEnvironment } from "@/tests/support/environment";

/** Every sentence of a plan's page, held against what the tables say by statements of the test's own. */

const RUNS = 40;
const BUDGET_MS = 15_000;
const MOST_ROWS = 4;
/** Long enough for a provider on this machine; every lost answer waits for it. */
const PROVIDER_MS = 150;

let env: TestEnvironment;
beforeAll(async () => {
  env = await createTestEnvironment({ providerTimeoutMs: PROVIDER_MS });
});
afterAll(() => env.close());

const person = (id: string, role: "operator" | "approver"): Actor => ({
  kind: "operator",
  id,
  name: id,
  role,
  confirmation: { fresh: true, by: [] },
});
function as(actor: Actor): EngineContext {
  const base = env.context();
  return engineContext({ ...base, instance: "test-1" }, { tenantId: base.tenantId, actor, requestId: "req" });
}
const dana = () => as(person("dana", "operator"));
const mira = () => as(person("mira", "operator"));
const worker = () => as({ kind: "system", id: "plans", name: "plans" });
const asked = (action: ActionRequest["action"], type: string, id: string): ActionRequest => ({
  action,
  idempotencyKey: uuidv7(),
  input: {},
  subject: { type, id },
  reason: "the provider is back",
  receivedAt: 0,
});

const STARTS = ["unknown", "declined", "early", "lost", "unsent", "settled"] as const;
const SETTLERS = ["nobody", "a person", "the service"] as const;
/** What its dry run asked: nobody's turn had come; all but one; all; no provider was there to be asked. */
const ASKED = ["nothing", "part", "all", "dark"] as const;
const ROUTES = ["ready", "awaiting", "rejected", "expired", "stopped before", "running", "stopped", "done"] as const;
interface RowCase {
  readonly start: (typeof STARTS)[number];
  /** Who settles it between the dry run and its turn. */
  readonly before: (typeof SETTLERS)[number];
  /** Who settles it once the plan is over. */
  readonly since: (typeof SETTLERS)[number];
}
interface PlanCase {
  readonly kind: "reconcile_operations" | "release_operations";
  readonly route: (typeof ROUTES)[number];
  readonly lookupDown: boolean;
  readonly asked: (typeof ASKED)[number];
  /** The rows are looked up after somebody else settled some of them. */
  readonly askedLate: boolean;
  /** The provider says otherwise when it runs: its answers of the dry run are swapped just before. */
  readonly swapped: boolean;
  readonly rows: readonly RowCase[];
}
const rowCase = fc.record({
  start: fc.constantFrom(...STARTS),
  before: fc.constantFrom(...SETTLERS),
  since: fc.constantFrom(...SETTLERS),
});
const planCase: fc.Arbitrary<PlanCase> = fc.record({
  kind: fc.constantFrom("reconcile_operations" as const, "release_operations" as const),
  // What ran has most to say.
  route: fc.oneof(fc.constantFrom(...ROUTES), fc.constant("done" as const), fc.constant("done" as const)),
  lookupDown: fc.boolean(),
  asked: fc.constantFrom(...ASKED),
  askedLate: fc.boolean(),
  swapped: fc.boolean(),
  rows: fc.array(rowCase, { minLength: 1, maxLength: MOST_ROWS }),
});

const NO_FAULTS = { down: 0, timeout_after_accept: 0, timeout_before: 0, slow_ms: 0, lookup_down: 0 };

async function make({ start }: RowCase): Promise<string> {
  const key = uuidv7();
  const command = {
    accountId: "acc_1",
    amountMinor: start === "declined" ? 4251n : 4200n,
    currency: "EUR",
    merchantReference: key,
    channel: "web",
  };
  await execute(env.context(), env.operations.createPayment, { key, command, receivedAt: 0 });
  const [row] = await env.rows<{ id: string }>(
    "select operation_id as id from onceboard.idempotency_requests where key = $1",
    key,
  );
  const id = row?.id ?? "";
  await env.rows("update onceboard.idempotency_open set next_check_at = null where operation_id = $1", id);
  // So long ago that nothing of it can still arrive: the provider's "never received" frees the key.
  if (start === "lost")
    await env.rows(
      "update onceboard.provider_requests set sent_at = sent_at - interval '3 days', prepared_at = prepared_at - interval '3 days' where operation_id = $1",
      id,
    );
  if (start !== "unsent") return id;
  await env.rows("update onceboard.idempotency_requests set state = 'IN_PROGRESS' where operation_id = $1", id);
  await env.rows(
    `update onceboard.idempotency_open set stage = 'LOCAL_PAYMENT_CREATED', unknown_since = null, owner = 'dead-1',
       locked_until = clock_timestamp() - interval '1 second' where operation_id = $1`,
    id,
  );
  return id;
}

async function makeRows(rows: readonly RowCase[]): Promise<string[]> {
  const made: string[] = [];
  for (const row of rows) {
    const fault = row.start === "early" || row.start === "lost" ? "timeout_before" : "timeout_after_accept";
    await env.faults({ ...NO_FAULTS, [fault]: row.start === "settled" ? 0 : 1 });
    made.push(await make(row));
  }
  await env.faults(NO_FAULTS);
  return made;
}

/** Ends an open operation in the way that its state allows. */
async function settle(id: string, who: RowCase["before"]): Promise<void> {
  const [open] = await env.rows<{ state: string; stage: string }>(
    "select r.state, o.stage from onceboard.idempotency_open o join onceboard.idempotency_requests r using (tenant_id, operation_id) where o.operation_id = $1",
    id,
  );
  if (open === undefined || who === "nobody") return;
  if (who === "the service") {
    await reconcileOperation(env.context({ instance: "recovery" }), env.registry, { operationId: id, onlyAsk: true });
    return;
  }
  const unsent = open.stage === "LOCAL_PAYMENT_CREATED";
  // Against what the provider said in a look-up, nobody may decide.
  const declined =
    "select 1 from onceboard.provider_requests where operation_id = $1 and outcome = 'declined' and answered_at is not null";
  const decision = (await env.rows(declined, id)).length > 0 ? "failed" : "succeeded";
  if (unsent) await releaseAction(dana(), env.registry, asked("operations.release", "operation", id), id);
  else if (id.charCodeAt(id.length - 1) % 2 === 0)
    await reconcileAction(dana(), env.registry, asked("operations.reconcile", "operation", id), id);
  else
    await resolveAction(dana(), env.registry, asked("operations.resolve", "operation", id), {
      operationId: id,
      decision,
      evidence: ["provider-desk"],
      reason: "their desk confirmed it",
    });
}

async function run(id: string): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await env.rows("update onceboard.plans set locked_until = null where id = $1 and owner is null", id);
    if ((await runPlan(worker(), { registry: env.registry })).plans === 0) return;
  }
}

/** Looks the rows of a plan up, as far as the case says. */
async function lookUp(id: string, what: PlanCase["asked"]): Promise<void> {
  if (what === "nothing") return;
  const registry = what === "dark" ? { provider: () => undefined } : env.registry;
  for (let turns = 1; turns > 0;) {
    await env.rows("update onceboard.plans set locked_until = null where id = $1 and owner is null", id);
    turns = (await askPlan(worker(), { registry })).plans;
  }
  if (what !== "part") return;
  const first = `update onceboard.plan_items set look_up = 'waiting', look_up_detail = null, looked_up_at = null
    where plan_id = $1 and position = (select min(position) from onceboard.plan_items where plan_id = $1 and look_up is not null) returning 1`;
  if ((await env.rows(first, id)).length > 0)
    await env.rows("update onceboard.plans set look_ups = 'asking', look_ups_ended_at = null where id = $1", id);
}

const SWAP = `update onceboard.plan_items set look_up = case look_up when 'completes' then 'fails' else 'completes' end
  where plan_id = $1 and look_up in ('completes', 'fails')`;

async function playOut({ kind, route, lookupDown, rows, ...it }: PlanCase): Promise<string> {
  // What one person may do in an hour is nobody's matter here: what was done before counts for nothing.
  await env.rows("update onceboard.plans set state = 'aborted', started_at = null, ended_at = now()");
  await env.rows("update onceboard.single_acts set at = at - interval '2 hours'");
  const ids = await makeRows(rows);
  const made = await createPlan(mira(), asked("plans.create", "plan", "new"), { kind, scope: { by: "ids", ids } });
  const id = String(made.answer.after["planId"]);
  const needsTwo = route === "awaiting" || route === "rejected";
  if (needsTwo)
    await env.rows(
      "update onceboard.plans set state = 'awaiting_approval', approval_needed = 'asked' where id = $1",
      id,
    );
  if (!it.askedLate) await lookUp(id, it.asked);
  for (const [index, row] of rows.entries()) await settle(ids[index] ?? "", row.before);
  if (it.askedLate) await lookUp(id, it.asked);
  const acts = (await count(id, "i.state = 'waiting' and i.look_up is distinct from 'unknown'")) > 0;
  if (it.swapped && (route === "running" || route === "stopped" || route === "done")) await env.rows(SWAP, id);
  await env.faults({ ...NO_FAULTS, lookup_down: lookupDown ? 1 : 0 });
  if (route === "rejected")
    await decidePlan(as(person("zoe", "approver")), asked("plans.decide", "plan", id), id, {
      decision: "reject",
      start: false,
    });
  if (route === "expired")
    await env.rows(
      "update onceboard.plans set state = 'aborted', ended_at = now(), ended_by = 'system:expiry' where id = $1",
      id,
    );
  if (route === "stopped before") await abortPlan(mira(), asked("plans.abort", "plan", id), id);
  if ((route === "running" || route === "stopped" || route === "done") && acts) {
    await startPlan(mira(), asked("plans.start", "plan", id), id);
    if (route === "done") await run(id);
    if (route === "stopped") await abortPlan(mira(), asked("plans.abort", "plan", id), id);
  }
  await env.faults(NO_FAULTS);
  if (route !== "ready" && route !== "awaiting")
    for (const [index, row] of rows.entries()) await settle(ids[index] ?? "", row.since);
  return id;
}

/** Rows of a plan, beside what their operations are now and who is in the audit for them. `won`: settled before the row ended. */
const FACTS = `from (
  select i.*, p.look_ups, r.state as now,
    (select j.outcome from onceboard.provider_requests j
      where j.operation_id = i.target_id and j.kind = 'lookup' and j.answered_at = i.looked_up_at) as journal,
    (select max(j.sent_at) from onceboard.provider_requests j
      where j.operation_id = i.target_id and j.kind <> 'lookup') < i.looked_up_at - interval '10 minutes' as lost, r.updated_at, o.stage, p.state as plan_state, p.kind, p.started_at, p.ended_at as plan_ended,
    r.state not in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY') as over,
    (i.verdict = 'ask' or i.verdict = 'free') as acting,
    coalesce(o.locked_until > clock_timestamp(), false) as leased,
    (select e.actor_name || coalesce((e.evidence ->> 'planId')::text, '') from onceboard.audit_entries e
      where e.subject_id = r.operation_id::text and e.action like 'operations.%' and e.after ->> 'state' = r.state
      order by e.sequence desc limit 1) as person
  from onceboard.plan_items i
  join onceboard.plans p on p.tenant_id = i.tenant_id and p.id = i.plan_id
  join onceboard.idempotency_requests r on r.tenant_id = i.tenant_id and r.operation_id = i.target_id
  left join onceboard.idempotency_open o on o.tenant_id = i.tenant_id and o.operation_id = i.target_id
  where i.plan_id = $1) i`;
const SETTLED_BEFORE = "i.acting and i.state = 'skipped' and i.over and i.updated_at <= i.ended_at";
const OPEN_AT_ITS_END = `i.acting and i.state in ('skipped', 'waiting') and not (${SETTLED_BEFORE})`;
const SENT = "i.stage not in ('RECEIVED', 'LOCAL_PAYMENT_CREATED')";
const WOULD_ACT = `i.state <> 'done' and not i.over and not i.leased and case i.kind when 'reconcile_operations' then ${SENT} else not (${SENT}) end`;
const ELSE = `i.state <> 'done' and not i.over and not (${WOULD_ACT})`;

const CENTS = "coalesce(sum(i.amount_minor), 0)::int";
/** As a sentence has it: "€84.51" is 84 and 51, "€84.00" is 84. */
const moneyFigures = (cents: number): number[] => [
  Math.floor(cents / 100),
  ...(cents % 100 === 0 ? [] : [cents % 100]),
];

async function count(id: string, where: string, what = "count(*)::int"): Promise<number> {
  const [row] = await env.rows<{ count: number }>(`select ${what} as count ${FACTS} where ${where}`, id);
  return row?.count ?? 0;
}

/** What the numbers of a sentence must be, in their order; `said`: whether it must be there at all. */
interface Oracle {
  readonly said: boolean;
  readonly numbers: readonly number[];
}
type Check = (count: (where: string, what?: string) => Promise<number>) => Promise<Oracle>;
const some =
  (...wheres: readonly [string, ...string[]]): Check =>
  async (counted) => {
    const numbers = await Promise.all(wheres.map((where) => counted(where)));
    return { said: (numbers[0] ?? 0) > 0, numbers };
  };
const planIs =
  (state: string, ...wheres: readonly string[]): Check =>
  async (counted) => ({
    said: (await counted(state)) > 0,
    numbers: await Promise.all(wheres.map((where) => counted(where))),
  });

const ASKED_ALL = "i.look_ups in ('asked', 'stopped')";
/** A start would run it: it waits, is open, and its dry run did not find it still unknown. */
const TO_RUN = "i.state = 'waiting' and not i.over and i.look_up is distinct from 'unknown'";
const PART = `(${ASKED_ALL}) and i.acting and (not (${TO_RUN}))`;
const BEFORE = "i.plan_state in ('ready', 'awaiting_approval')";
const EXPIRED =
  "i.plan_state = 'aborted' and i.started_at is null and exists (select 1 from onceboard.plans x where x.id = i.plan_id and x.ended_by = 'system:expiry')";
const STOPPED_BEFORE = `i.plan_state = 'aborted' and i.started_at is null and not (${EXPIRED})`;
const STOPPED = "i.plan_state = 'aborted' and i.started_at is not null";
const RUNNING = "i.plan_state = 'running'";
const RAN = "i.started_at is not null";
/** What the run found is not what the dry run was told; what others settled first says nothing about it. */
const OTHERWISE = `not (${SETTLED_BEFORE}) and i.state in ('done', 'skipped') and i.look_up in ('completes', 'fails', 'frees')
  and i.look_up <> case when i.state = 'skipped' then 'unknown' when i.now = 'COMPLETED' then 'completes'
    when i.now = 'FAILED_REPLAYABLE' then 'fails' else 'frees' end`;
const ENDED = "i.plan_ended is not null";

/** By name of the claim: when it must be said, and its numbers. A claim that is not here fails the test. */
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
  "would act": some(`(${BEFORE}) and i.acting and not coalesce((${ASKED_ALL}), false)`),
  "looked up so far": async (counted) => ({
    said: (await counted(`(${BEFORE}) and i.look_ups = 'asking'`)) > 0,
    numbers: [await counted("i.look_up <> 'waiting'"), await counted("i.look_up is not null")],
  }),
  "would complete": some(`(${BEFORE}) and (${ASKED_ALL}) and i.look_up = 'completes' and i.journal = 'succeeded'`),
  "would fail": some(`(${BEFORE}) and (${ASKED_ALL}) and i.look_up = 'fails' and i.journal = 'declined'`),
  "still unknown": some(
    `(${BEFORE}) and (${ASKED_ALL}) and i.look_up = 'unknown' and i.journal = 'absent' and not i.lost`,
  ),
  "would end without effect": some(
    `(${BEFORE}) and (${ASKED_ALL}) and i.look_up = 'frees' and i.journal = 'absent' and i.lost`,
  ),
  "not asked": some(`(${BEFORE}) and (${ASKED_ALL}) and i.look_up = 'not_asked' and i.journal is null`),
  "left to run": async (counted) => {
    const [left, cents] = [await counted(TO_RUN), await counted(TO_RUN, CENTS)];
    return {
      said: (await counted(`(${BEFORE}) and (${PART})`)) > 0,
      numbers: left === 0 ? [] : [left, ...moneyFigures(cents)],
    };
  },
  "answered otherwise": some(`${RAN} and ${OTHERWISE}`),
  "settled since the dry run": some(`(${BEFORE}) and i.acting and i.over`),
  "concerns money": async (counted) => ({
    said: (await counted(`(${BEFORE}) and i.acting`)) > 0 && (await counted(PART)) === 0,
    numbers: moneyFigures(await counted("i.acting", CENTS)),
  }),
  "would be left alone": async (counted) => {
    const [left, acting] = [await counted(`(${BEFORE}) and not i.acting`), await counted("i.acting")];
    return { said: left > 0 && acting > 0, numbers: [left] };
  },
  "sends no money": planIs(`(${BEFORE}) and i.acting and i.kind = 'reconcile_operations'`),
  "not started": planIs("i.plan_state = 'ready' and i.acting"),
  "waits for approval": planIs("i.plan_state = 'awaiting_approval' and i.acting"),
  progress: async (counted) => {
    const ended = await counted("i.acting and i.state <> 'waiting'");
    const acting = await counted("i.acting");
    return { said: (await counted(RUNNING)) > 0, numbers: ended === 0 ? [acting] : [ended, acting] };
  },
  "may be stopped": planIs(RUNNING),
  stopped: planIs(STOPPED, "i.acting and i.state <> 'waiting'", "i.acting"),
  did: async (counted) => {
    const [done, acting] = [await counted("i.state = 'done'"), await counted("i.acting")];
    const said = (await counted("i.plan_state = 'done'")) > 0;
    // "The row …" and "Both …" have no figure, "None of 3" and "All 3" have one.
    if (acting < 2 || (acting === 2 && done === 2)) return { said, numbers: [] };
    return { said, numbers: done === 0 || done === acting ? [acting] : [done, acting] };
  },
  declined: some("i.state = 'done' and i.now = 'FAILED_REPLAYABLE' and i.plan_state = 'done'"),
  "settled by others": some(`${RAN} and ${SETTLED_BEFORE}`),
  "stayed unknown": some(`${RAN} and i.state = 'skipped' and i.verdict = 'ask' and not (${SETTLED_BEFORE})`),
  untouched: some(`${STOPPED} and i.acting and i.state = 'waiting'`),
  "settled since it ended": some(`${RAN} and ${ENDED} and i.over and ${OPEN_AT_ITS_END}`),
  "left alone": some("i.plan_state = 'done' and not i.acting"),
  "every row acted": async (counted) => ({
    said: (await counted(ENDED)) > 0 && (await counted("i.state <> 'done'")) === 0,
    numbers: [],
  }),
  "plan again": some(`${ENDED} and ${WOULD_ACT}`),
  "another step": some(`${ENDED} and ${ELSE}`),
  "nothing left": async (counted) => ({
    said: (await counted(`${ENDED} and i.state <> 'done'`)) > 0 && (await counted(`(${WOULD_ACT}) or (${ELSE})`)) === 0,
    numbers: [],
  }),
};

/** Figures of a sentence; those of who settled it, behind a comma, are held apart. */
const figures = (words: string): number[] =>
  [...words.replace(/\.00\b/g, "").matchAll(/\d[\d,]*/g)].map(([text]) => Number(text.replaceAll(",", "")));

async function verify(id: string): Promise<void> {
  const plan = await readPlan(mira(), { id, filters: { show: "all" } });
  if (plan === undefined) throw new Error("no plan");
  await verifyClaims(plan, [...PLAN_CLAIMS, ...ADVICE_CLAIMS]);
  await verifySettlers(plan);
  await verifyChain(plan);
  for (const row of plan.items.rows) await verifyLookUp(plan, row);
  if (plan.startedAt !== undefined && plan.endedAt !== undefined) {
    const [total = 0, ...parts] = figures(reconciliation(plan));
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total);
    expect(total).toBe(await count(id, "true"));
  }
}

async function verifyClaims(plan: PlanView, claims: readonly PageClaim<PlanView>[]): Promise<void> {
  const said = new Map(holding(claims, plan).map((claim) => [claim.name, claim.words(plan)]));
  for (const name of said.keys()) expect(Object.keys(ORACLES), name).toContain(name);
  for (const [name, oracle] of Object.entries(ORACLES)) {
    const words = said.get(name);
    const { said: must, numbers } = await oracle((where, what) => count(plan.id, where, what));
    expect(words !== undefined, `${name}: ${words ?? "is not said"}`).toBe(must);
    if (words !== undefined) expect(figures(words).slice(0, numbers.length), `${name}: ${words}`).toEqual(numbers);
  }
}

const CLOCK = String.raw`(\d\d:\d\d:\d\d)`;
const time = (column: string, at: number): string =>
  `exists (select from onceboard.plans p where p.id = i.plan_id and to_char(p.${column} at time zone 'utc', 'HH24:MI:SS') = $${String(at)})`;
const all = "(select count(*) from onceboard.plan_items x where x.plan_id = i.plan_id";
const sameCount = (at: number, where: string): string =>
  `$${String(at)}::int = (select count(*) ${FACTS} where ${where})`;
/** By what a station of the chain says: what the rows of the plan are then; $2 and on are what it is filled with. */
const CHAIN_ORACLES: readonly (readonly [words: RegExp, sql: string])[] = [
  [new RegExp(`^Frozen at ${CLOCK}: (\\d+) rows?\\.$`), `${time("created_at", 2)} and $3::int = ${all})`],
  [
    /^Dry run: (\d+) would act, (\d+) left alone\.$/,
    `i.look_ups is null and ${sameCount(2, "i.acting")} and ${sameCount(3, "not i.acting")}`,
  ],
  [
    /^Dry run: (\d+) of (\d+) looked up\.$/,
    `i.look_ups = 'asking' and ${sameCount(2, "i.look_up <> 'waiting'")} and ${sameCount(3, "i.look_up is not null")}`,
  ],
  [
    /^Dry run: nobody was asked\.$/,
    `i.look_ups <> 'asking' and not exists (select ${FACTS} where i.look_up is not null)`,
  ],
  [
    /^Dry run: (.*(?:would|unknown|asked).*)\.$/,
    `i.look_ups <> 'asking' and $2 = (select string_agg(n || ' ' || said, ', ' order by place) from (
       select count(*) as n, w.place, w.said ${FACTS} join (values ('completes', 1, 'would complete'), ('fails', 2, 'would fail'),
         ('frees', 3, 'would end without effect'), ('unknown', 4, 'still unknown'), ('not_asked', 5, 'not asked'), ('waiting', 6, 'not asked yet'))
         w (answer, place, said) on w.answer = i.look_up group by w.place, w.said) t)`,
  ],
  [
    /^Approval: not needed at this size\.$/,
    "exists (select from onceboard.plans p where p.id = i.plan_id and p.approval_needed is null)",
  ],
  [
    new RegExp(`^Approval: rejected at ${CLOCK} by operator:zoe\\.$`),
    `i.plan_state = 'rejected' and ${time("decided_at", 2)}`,
  ],
  [/^Approval: waits for one person\.$/, "i.plan_state = 'awaiting_approval'"],
  [
    /^Approval: not approved\.$/,
    "i.plan_state = 'aborted' and exists (select from onceboard.plans p where p.id = i.plan_id and p.decided_at is null and p.approval_needed is not null)",
  ],
  [
    new RegExp(`^Run: started at ${CLOCK}, (\\d+) of (\\d+) ended\\.$`),
    `${time("started_at", 2)} and ${sameCount(3, "i.acting and i.state <> 'waiting'")} and ${sameCount(4, "i.acting")}`,
  ],
  [/^Run: not started, nothing to run\.$/, `${BEFORE} and not exists (select ${FACTS} where ${TO_RUN})`],
  // Few rows are one turn, whose time is not known before.
  [/^Run: not started, (\d+) rows? to run\.$/, `${BEFORE} and ${sameCount(2, TO_RUN)}`],
  [/^Run: it never ran\.$/, "i.started_at is null and i.plan_ended is not null"],
  [/^Outcome: not known yet\.$/, "i.started_at is null or i.plan_ended is null"],
  [
    new RegExp(`^Outcome at ${CLOCK}: (.+)\\.$`),
    `${time("ended_at", 2)} and $3 = coalesce((select string_agg(n || ' ' || said, ', ' order by place) from (
       select count(*) as n, w.place, w.said ${FACTS} join (values ('done', 1, 'done'), ('unknown', 2, 'stayed unknown'), ('settled', 3, 'settled by others'),
         ('moved', 4, 'skipped'), ('failed', 5, 'failed'), ('waiting', 6, 'untouched')) w (result, place, said) on w.result = case
         when i.state <> 'skipped' then i.state when not i.acting then 'left' when ${SETTLED_BEFORE} then 'settled' when i.verdict = 'ask' then 'unknown' else 'moved' end
       group by w.place, w.said) t), 'no row acted')`,
  ],
];

async function verifyChain(plan: PlanView): Promise<void> {
  for (const { spoken } of planChain(plan)) {
    const found = CHAIN_ORACLES.find(([each]) => each.test(spoken));
    if (found === undefined) throw new Error(`no predicate: ${spoken}`);
    const filled = (found[0].exec(spoken) ?? [])
      .slice(1)
      .map((text) => text.replaceAll(",", ", ").replaceAll(",  ", ", "));
    const [row] = await env.rows<{ holds: boolean }>(
      `select coalesce(bool_and(${found[1]}), false) as holds ${FACTS}`,
      plan.id,
      ...filled,
    );
    expect(row?.holds, spoken).toBe(true);
  }
}

/** What is said of a row that the provider was asked about is what its look-up found. */
async function verifyLookUp(plan: PlanView, row: PlanView["items"]["rows"][number]): Promise<void> {
  const [found] = await env.rows<{ answer: string | null; detail: string | null }>(
    "select look_up as answer, look_up_detail as detail from onceboard.plan_items where plan_id = $1 and target_id = $2",
    plan.id,
    row.targetId,
  );
  const words = answerWords(row);
  const detail = (found?.detail ?? "no answer").replace(/\.$/, "");
  expect(words === undefined).toBe((found?.answer ?? null) === null);
  if (words === undefined) return;
  expect(words.startsWith("Not asked: ")).toBe(found?.answer === "not_asked");
  expect(words === "Not asked yet.").toBe(found?.answer === "waiting");
  if (found?.answer !== "waiting") expect(words.toLowerCase()).toContain(`${detail.toLowerCase()}.`);
}

/** Who is named with what somebody else settled is who stands in the audit for it. */
async function verifySettlers(plan: PlanView): Promise<void> {
  const words = holding(PLAN_CLAIMS, plan).map((claim) => [claim.name, claim.words(plan)] as const);
  const over = {
    "settled by others": SETTLED_BEFORE,
    "settled since it ended": `i.over and ${OPEN_AT_ITS_END}`,
    "settled since the dry run": "i.acting and i.over",
  };
  for (const [name, where] of Object.entries(over)) {
    const text = words.find(([each]) => each === name)?.[1];
    if (text === undefined) continue;
    const [people, service] = [
      await count(plan.id, `${where} and i.person = 'dana'`),
      await count(plan.id, `${where} and i.person is null`),
    ];
    expect(text.includes("by dana"), text).toBe(people > 0);
    expect(text.includes("automatically"), text).toBe(service > 0);
    if (people > 0 && service > 0) {
      expect(text).toContain(`${String(people)} by dana`);
      expect(text).toContain(`${String(service)} automatically`);
    }
  }
}

describe("PLAN-7 every sentence of a plan's page", () => {
  it(
    "holds against the rows, in every state, whoever settled what",
    { timeout: propertyTimeout(BUDGET_MS) },
    async () => {
      await holdsFor(planCase, { runs: RUNS, budgetMs: BUDGET_MS }, async (each) => {
        await verify(await playOut(each));
      });
    },
  );

  it("advises nothing again of what others have settled", { timeout: 60_000 }, async () => {
    const rows = Array.from({ length: 3 }, (_, index): RowCase => ({
      start: "unknown",
      before: index === 0 ? "a person" : "the service",
      since: "nobody",
    }));
    const id = await playOut({
      kind: "reconcile_operations",
      route: "done",
      lookupDown: false,
      asked: "all",
      askedLate: false,
      swapped: false,
      rows,
    });
    const plan = await readPlan(mira(), { id, filters: { show: "all" } });
    expect(plan?.results).toMatchObject({ settled: 3, unknown: 0, moved: 0 });
    expect(plan?.actions.rerun).toMatchObject({ allowed: false, whyNot: "None of its rows would act now." });
    expect(plan?.items.rows.map(({ outcome }) => outcome?.slice(0, 27)).sort()).toEqual(
      ["Settled meanwhile automatica", "Settled meanwhile automatica", "Settled meanwhile by dana: it"].map((text) =>
        text.slice(0, 27),
      ),
    );
    await verify(id);
  });

  it("says of none that its key would be freed while it may still arrive", { timeout: 60_000 }, async () => {
    const of = (start: RowCase["start"]): RowCase => ({ start, before: "nobody", since: "nobody" });
    const asks = {
      kind: "reconcile_operations",
      asked: "all",
      askedLate: false,
      swapped: false,
      lookupDown: false,
    } as const;
    const id = await playOut({ ...asks, route: "ready", rows: [of("lost"), of("early"), of("lost"), of("unknown")] });
    await verify(id);
    const plan = await readPlan(mira(), { id, filters: { show: "all" } });
    if (plan === undefined) throw new Error("no plan");
    const said = holding(PLAN_CLAIMS, plan).map((claim) => claim.words(plan));
    expect(said).toContain("2 would end without effect.");
    const planted = PLAN_CLAIMS.map((claim) =>
      claim.name === "would end without effect" ? { ...claim, words: () => "3 would end without effect." } : claim,
    );
    await expect(verifyClaims(plan, [...planted, ...ADVICE_CLAIMS])).rejects.toThrow("would end without effect");
    await verify(await playOut({ ...asks, route: "done", rows: [of("lost"), of("early"), of("lost")] }));
  });

  it("a row that somebody settled after its look-up is not said to be still unknown", { timeout: 60_000 }, async () => {
    const rows = Array.from({ length: 4 }, (): RowCase => ({ start: "early", before: "a person", since: "nobody" }));
    const more: RowCase = { start: "unknown", before: "nobody", since: "nobody" };
    const asks = { asked: "all", askedLate: false, swapped: false } as const;
    for (const route of ["ready", "done"] as const) {
      const id = await playOut({
        kind: "reconcile_operations",
        route,
        lookupDown: false,
        ...asks,
        rows: [...rows, more],
      });
      await verify(id);
    }
  });

  it(
    "says what the provider answered otherwise, also where it does not answer any more",
    { timeout: 60_000 },
    async () => {
      const of = (start: RowCase["start"]): RowCase => ({ start, before: "nobody", since: "nobody" });
      const rows = [of("unknown"), of("declined"), of("unknown"), of("early")];
      const asks = { asked: "all", askedLate: false, swapped: true } as const;
      for (const lookupDown of [false, true])
        await verify(await playOut({ kind: "reconcile_operations", route: "done", lookupDown, ...asks, rows }));
    },
  );
});
