import { askOracle, type Violation } from "@/db/checks/oracles/oracle";
import { ORACLES } from "@/db/checks/oracles/index";
import { keepProviderLedger } from "@/db/checks/oracles/witness";
import { purgeBodiesBatch } from "@/db/bodies/purge-bodies";
import { takeOver } from "@/db/operations/take-over";
import { withTimeout } from "@/domain/with-timeout";
import { setTimeout as delay } from "node:timers/promises";
import { ask, knows, type Caller } from "./caller";
import { LostError } from "./children";
import { heal, letLeasesRunOut, newWork } from "./heal";
import { armPoint, comeBack, type Hit } from "./hit";
import { cutAnswer } from "./http/cut-answers";
import type { Lane, Victim } from "./lane";
import { runMessageScenario } from "./messages/scenario";
import type { AnyPlan, Plan } from "./plan";
import { addCaller, type Run } from "./run-state";

export interface RunResult {
  readonly plan: AnyPlan;
  readonly tenant: string;
  /** Whether the point was met; a matrix whose points are not met proves nothing. */
  readonly reached: boolean;
  readonly violations: readonly Violation[];
  readonly ms: number;
  /** What the first caller heard, in order. */
  readonly heard: readonly string[];
}

const PAUSED_ROUNDS = 3;
const CLIENTS_SETTLED_MS = 60_000;
const SLOW_MS = 60;
const LEASE_MS = 30_000;
const GRACE_MS = 1_000;
let runs = 0;

/** One run: crash at the point, heal, ask the oracles. Nothing in it waits for a clock. */
export async function runScenario(lane: Lane, plan: AnyPlan): Promise<RunResult> {
  const started = performance.now();
  runs += 1;
  const tenant = `t${String(runs)}-${plan.cell.replace(":", "-").toLowerCase()}-${String(plan.seed)}`;
  await lane.place.db.pool.query({
    text: "insert into onceboard.tenants (id, name) values ($1, $1)",
    values: [tenant],
  });
  await lane.provider.faults({});
  const {
    reached,
    heard,
    early = [],
  } = await (plan.kind === "message" ? runMessageScenario({ lane, plan, tenant }) : runOperation(lane, plan, tenant));
  const violations = [...early, ...(await judge(lane, tenant))];
  return { plan, tenant, reached, violations, ms: performance.now() - started, heard };
}

interface Judged {
  readonly reached: boolean;
  readonly heard: readonly string[];
  readonly early?: readonly Violation[];
}

async function runOperation(lane: Lane, plan: Plan, tenant: string): Promise<Judged> {
  const run: Run = { lane, plan, tenant, callers: [], paymentId: undefined };
  if (plan.operation === "refund" || plan.operation === "void") await payFirst(run);
  const first = addCaller(run, "first", { patient: plan.patient });
  if (plan.point.actor === "recovery") await leaveBehind(run, first);
  const reached = plan.point.where.kind === "http" ? await cutAnswer(run, first) : await crash(run, first);
  await heal(run);
  if (plan.patient) await audit(run, first);
  await newWork(run);
  return { reached, heard: first.heard ?? [] };
}

async function payFirst(run: Run): Promise<void> {
  const { lane, tenant } = run;
  const payer: Caller = {
    name: "payer",
    intent: `${tenant}-payment`,
    patient: true,
    told: undefined,
    wish: { operation: "payment", key: `payment-${tenant}`, fields: { accountId: "acc_1", amountMinor: "5000" } },
  };
  const told = await ask(lane.place, tenant, lane.rescuer, payer, "before");
  if (told.outcome !== "executed") throw new Error(`the payment before it was ${told.outcome} ${told.code ?? ""}`);
  run.paymentId = told.resourceId;
}

/** The first owner's end, of which recovery is to make something. */
async function leaveBehind(run: Run, first: Caller): Promise<void> {
  const { lane, plan, tenant } = run;
  if (plan.ended === "in_doubt") {
    await lane.provider.faults(plan.left === "found" ? { timeout_after_accept: 1 } : { timeout_before: 1 });
    await ask(lane.place, tenant, lane.rescuer, first, "before");
    await lane.provider.faults({});
  } else {
    const victim = await lane.victim();
    if (plan.left === "found") {
      lane.wire.trap({
        at: "reply",
        matches: (label) => label.startsWith("POST /v1/"),
        caught: (held) => void victim.child.kill().then(() => held.cut()),
      });
    } else {
      const point = plan.left === "absent" ? "P2" : "P1";
      await victim.child.ask({ do: "arm", arming: { point, mode: "kill", side: "database" } });
    }
    await ask(lane.place, tenant, victim.child, first, "before");
    if (first.told?.outcome !== "lost") throw new Error("the first owner was to die and did not");
  }
  await letLeasesRunOut(lane.place, tenant);
}

/** @returns whether the point was reached */
async function crash(run: Run, first: Caller): Promise<boolean> {
  const { lane, plan } = run;
  const victim = await lane.victim();
  if (plan.fault !== undefined) await lane.provider.faults({ [plan.fault]: plan.fault.endsWith("_ms") ? SLOW_MS : 1 });
  const point = await armPoint(run, victim);
  const work = startWork(run, first, victim);
  // A killed process is gone before it is known why.
  const hit = await Promise.race([point.reached, work.then(() => delay(GRACE_MS, undefined))]);
  if (hit !== undefined && plan.mode === "stop") await whilePaused(run, victim, hit);
  else if (hit !== undefined) await callRivals(run);
  await withTimeout(work, CLIENTS_SETTLED_MS, () => {
    throw new Error("the process that was hit does not answer");
  });
  if (victim.child.alive) await victim.child.ask({ do: "arm", arming: undefined });
  return hit !== undefined;
}

async function startWork(run: Run, first: Caller, victim: Victim): Promise<void> {
  const { lane, plan, tenant } = run;
  if (plan.point.actor === "recovery" && plan.by === "worker") {
    await victim.child.ask({ do: "recover", tenant }).catch(unlessLost);
    return;
  }
  const callers = [first];
  for (let count = 0; count < plan.also; count += 1) {
    callers.push(addCaller(run, `also-${String(count)}`, { patient: plan.patient }));
  }
  await Promise.all(callers.map((caller) => ask(lane.place, tenant, victim.child, caller, "crash")));
}

/** Somebody else takes over, and then the one that stood still goes on (R8). */
async function whilePaused(run: Run, victim: Victim, hit: Hit): Promise<void> {
  const { lane, tenant, plan } = run;
  if (plan.late) await lane.provider.faults({});
  // A live lease is nobody's business, however long its owner has been silent.
  await lane.rescuer.ask({ do: "recover", tenant });
  await callRivals(run);
  for (let round = 0; round < PAUSED_ROUNDS; round += 1) {
    await letLeasesRunOut(lane.place, tenant);
    if (plan.overtaken === "only_taken") {
      const taker = { tenantId: tenant, owner: "died at once", leaseMs: LEASE_MS, limit: 1 };
      await takeOver(lane.place.db.pool, taker);
      break;
    }
    await lane.rescuer.ask({ do: "recover", tenant });
    for (const caller of run.callers.filter((each) => each.name.startsWith("rival") && !knows(each))) {
      await ask(lane.place, tenant, lane.rescuer, caller, "paused");
    }
  }
  await comeBack(run, victim, hit);
}

async function callRivals(run: Run): Promise<void> {
  const { lane, plan, tenant } = run;
  const rivals: Caller[] = [];
  for (let count = 0; count < plan.rivals; count += 1) {
    const other = plan.otherCommand && count === 0 && plan.operation !== "void";
    rivals.push(addCaller(run, `rival-${String(count)}`, { patient: true, other }));
  }
  if (plan.mode !== "stop") await letLeasesRunOut(lane.place, tenant);
  await Promise.all(rivals.map((caller) => ask(lane.place, tenant, lane.rescuer, caller, "paused")));
}

/** Everyone asks once more; after a purge too, when nothing may be executed again. */
async function audit(run: Run, first: Caller): Promise<void> {
  const { lane, plan, tenant } = run;
  await ask(lane.place, tenant, lane.rescuer, first, "audit");
  const operationId = first.told?.operationId;
  if (!plan.purge || operationId === undefined || first.told?.outcome === "conflict") return;
  await purgeBodiesBatch(lane.place.db.pool, { tenantId: tenant, bodyTtlHours: 0, limit: 1, operationId });
  await Promise.all([first, first].map((caller) => ask(lane.place, tenant, lane.rescuer, caller, "audit")));
}

async function judge(lane: Lane, tenant: string): Promise<Violation[]> {
  await lane.rescuer.ask({ do: "flush" });
  const { child } = await lane.victim();
  await child.ask({ do: "flush" });
  const { pool } = lane.place.db;
  await keepProviderLedger(pool, tenant, await lane.provider.ledger(tenant));
  const found = await Promise.all(ORACLES.map((oracle) => askOracle(pool, oracle, tenant)));
  return found.flat();
}

function unlessLost(error: unknown): void {
  if (!(error instanceof LostError)) throw error;
}
