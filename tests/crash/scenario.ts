import type { Violation } from "./oracles/oracle";
import { purgeBodiesBatch } from "@/db/bodies/purge-bodies";
import { takeOver } from "@/db/operations/take-over";
import { ask, askTogether, knows, type CrashCaller } from "./caller";
import { unlessLost, type CrashChild } from "./children";
import { recoverRun, expireLeases, newWork } from "./recover";
import { hitAtPoint } from "./fault";
import { cutAnswer } from "./http/cut-answers";
import { judge } from "./judge";
import type { CrashSession } from "./session";
import { runMessageScenario, type ScenarioResult } from "./messages/scenario";
import { mustDo } from "./messages/write";
import type { AnyPlan, Plan } from "./plan";
import { addCaller, addNeighbours, addRivals, type CrashRun } from "./run-state";

export interface RunResult extends Pick<ScenarioResult, "reached" | "heard"> {
  readonly violations: readonly Violation[];
  readonly ms: number;
}

const PAUSED_ROUNDS = 3;
const SLOW_MS = 60;
const LEASE_MS = 30_000;
let runs = 0;

/** One run: crash at the point, recover, ask the oracles. Nothing in it waits for a clock. */
export async function runScenario(session: CrashSession, plan: AnyPlan): Promise<RunResult> {
  const started = performance.now();
  runs += 1;
  const tenant = `t${String(runs)}-${plan.cell.replace(":", "-").toLowerCase()}-${String(plan.seed)}`;
  await session.place.db.pool.query({
    text: "insert into onceboard.tenants (id, name) values ($1, $1)",
    values: [tenant],
  });
  await session.provider.faults({});
  const { reached, heard, early } =
    plan.kind === "message"
      ? await runMessageScenario({ session, plan, tenant })
      : await runOperation(session, plan, tenant);
  await session.rescuer.ask({ do: "flush" });
  await (await session.victim()).child.ask({ do: "flush" });
  const late = await judge(session.place.db.pool, tenant, await session.provider.ledger(tenant));
  const violations = [...early, ...late];
  return { reached, violations, ms: performance.now() - started, heard };
}

async function runOperation(session: CrashSession, plan: Plan, tenant: string): Promise<ScenarioResult> {
  const run: CrashRun = { session, plan, tenant, callers: [], paymentId: undefined };
  if (plan.operation === "refund" || plan.operation === "void") await payFirst(run);
  const first = addCaller(run, "first", { retries: plan.retries });
  if (plan.point.actor === "recovery") await leaveBehind(run, first);
  const reached = plan.point.where.kind === "http" ? await cutAnswer(run, first) : await crash(run, first);
  await recoverRun(run);
  if (plan.retries) await audit(run, first);
  await newWork(run);
  return { reached, heard: first.heard ?? [], early: [] };
}

async function payFirst(run: CrashRun): Promise<void> {
  const fields = { accountId: "acc_1", amountMinor: "5000" };
  run.paymentId = await mustDo(run, { operation: "payment", key: `payment-${run.tenant}`, fields }, "before");
}

/** The first owner's end, of which recovery is to make something. */
async function leaveBehind(run: CrashRun, first: CrashCaller): Promise<void> {
  const { session, plan, tenant } = run;
  if (plan.ended === "in_doubt") {
    await session.provider.faults(plan.left === "found" ? { timeout_after_accept: 1 } : { timeout_before: 1 });
    await ask(session.place, tenant, session.rescuer, first, "before");
    await session.provider.faults({});
  } else {
    const victim = await session.victim();
    if (plan.left === "found") {
      session.wire.trap({
        at: "reply",
        matches: (label) => label.startsWith("POST /v1/"),
        caught: (held) => void victim.child.kill().then(() => held.cut()),
      });
    } else {
      const point = plan.left === "absent" ? "P2" : "P1";
      await victim.child.ask({ do: "arm", arming: { point, mode: "kill", side: "database" } });
    }
    await ask(session.place, tenant, victim.child, first, "before");
    if (first.result?.outcome !== "lost") throw new Error("the first owner was to die and did not");
  }
  await expireLeases(session.place, tenant);
}

/** @returns whether the point was reached */
async function crash(run: CrashRun, first: CrashCaller): Promise<boolean> {
  const { fault, mode } = run.plan;
  if (fault !== undefined) await run.session.provider.faults({ [fault]: fault.endsWith("_ms") ? SLOW_MS : 1 });
  return hitAtPoint(
    run,
    (victim) => startWork(run, first, victim),
    () => (mode === "stop" ? overtake(run) : callRivals(run)),
  );
}

async function startWork(run: CrashRun, first: CrashCaller, victim: CrashChild): Promise<void> {
  const { session, plan, tenant } = run;
  if (plan.point.actor === "recovery" && plan.by === "worker") {
    await victim.ask({ do: "recover", tenant }).catch(unlessLost);
    return;
  }
  const callers = [first];
  for (let count = 0; count < plan.also; count += 1) {
    callers.push(addCaller(run, `also-${String(count)}`, { retries: plan.retries }));
  }
  if (plan.point.together === true)
    return askTogether(session.place, tenant, victim, [...callers, ...addNeighbours(run)], "crash");
  await Promise.all(callers.map((caller) => ask(session.place, tenant, victim, caller, "crash")));
}

/** Somebody else takes over from the one that stands still (R8). */
async function overtake(run: CrashRun): Promise<void> {
  const { session, tenant, plan } = run;
  if (plan.late) await session.provider.faults({});
  // Nobody may take a live lease, however long its owner has been silent.
  await session.rescuer.ask({ do: "recover", tenant });
  await callRivals(run);
  for (let round = 0; round < PAUSED_ROUNDS; round += 1) {
    await expireLeases(session.place, tenant);
    if (plan.overtaken === "only_taken") {
      const taker = { tenantId: tenant, owner: "died at once", leaseMs: LEASE_MS, limit: 1 };
      await takeOver(session.place.db.pool, taker);
      break;
    }
    await session.rescuer.ask({ do: "recover", tenant });
    for (const caller of run.callers.filter((each) => each.name.startsWith("rival") && !knows(each))) {
      await ask(session.place, tenant, session.rescuer, caller, "paused");
    }
  }
}

async function callRivals(run: CrashRun): Promise<void> {
  const { session, plan, tenant } = run;
  const rivals = addRivals(run);
  if (plan.mode !== "stop") await expireLeases(session.place, tenant);
  await Promise.all(rivals.map((caller) => ask(session.place, tenant, session.rescuer, caller, "paused")));
}

/** Everyone asks once more; after a purge too, when nothing may be executed again. */
async function audit(run: CrashRun, first: CrashCaller): Promise<void> {
  const { session, plan, tenant } = run;
  await ask(session.place, tenant, session.rescuer, first, "audit");
  const operationId = first.result?.operationId;
  if (!plan.purge || operationId === undefined || first.result?.outcome === "conflict") return;
  await purgeBodiesBatch(session.place.db.pool, { tenantId: tenant, bodyTtlHours: 0, limit: 1, operationId });
  await Promise.all([first, first].map((caller) => ask(session.place, tenant, session.rescuer, caller, "audit")));
}
