import { setTimeout as delay } from "node:timers/promises";
import { withTimeout } from "@/domain/with-timeout";
import type { CrashChild } from "./children";
import { expireLeases } from "./recover";
import type { CrashSession, Victim } from "./session";
import type { AnyPlan } from "./plan";
import type { HeldWire, TapProxy, WireTrap } from "@/demo/faults/tap-proxy";
import type { PointPlace } from "./point";

/** A process that dies is gone before it is known why. */
const GRACE_MS = 1_000;
const SETTLED_MS = 60_000;

/** When the point is on the wire, what is held there. */
interface InjectedFault {
  readonly held: HeldWire | undefined;
}

/** What is hit: a run of an operation or of messages. */
export interface FaultRun {
  readonly session: CrashSession;
  readonly tenant: string;
  readonly plan: AnyPlan;
}

type OnWire = Extract<PointPlace, { kind: "database" | "provider" | "peer" }>;

/**
 * Hits one process at the point of the plan while it works.
 *
 * @param whileGone what the others do meanwhile; a paused process comes back after it
 * @returns whether the point was reached
 */
export async function hitAtPoint(
  run: FaultRun,
  startWork: (victim: CrashChild) => Promise<unknown>,
  whileGone: () => Promise<void>,
): Promise<boolean> {
  const victim = await run.session.victim();
  const { child } = victim;
  const point = await armPoint(run, victim);
  const work = startWork(child);
  const fault = await Promise.race([point.reached, work.then(() => delay(GRACE_MS, undefined))]);
  if (fault !== undefined) await whileGone();
  if (fault !== undefined && run.plan.mode === "stop") await comeBack(run, victim, fault);
  await withTimeout(work, SETTLED_MS, () => {
    throw new Error("the process that was hit does not end its work");
  });
  if (child.alive) await child.ask({ do: "arm", arming: undefined });
  return fault !== undefined;
}

/** Arms the point of the plan in the process that will be hit, or on its wire. @returns settles when the fault is injected */
async function armPoint(run: FaultRun, victim: Victim): Promise<{ readonly reached: Promise<InjectedFault> }> {
  const { point, mode, side } = run.plan;
  const { where } = point;
  if (where.kind === "database" || where.kind === "provider" || where.kind === "peer")
    return { reached: trapped(run, victim.child, where) };
  const reached = victim.child.faultReached().then(async (): Promise<InjectedFault> => {
    if (mode === "stop") await victim.child.stopped();
    if (mode === "kill") await victim.child.kill();
    return { held: undefined };
  });
  const nth = point.id === "O2" && run.plan.kind === "message" ? run.plan.nth : 1;
  await victim.child.ask({ do: "arm", arming: { point: point.id, mode, side, nth } });
  return { reached };
}

function trapped(run: FaultRun, child: CrashChild, where: OnWire): Promise<InjectedFault> {
  const { mode, lost, late } = run.plan;
  const { session } = run;
  return new Promise((resolve, reject) => {
    const trap: WireTrap = {
      at: where.kind === "provider" ? where.at : lost === "answer" ? "reply" : "request",
      matches: (label, earlier) => fits(where, label, earlier),
      caught: (held) => {
        act(held).then(() => resolve({ held: mode === "stop" ? held : undefined }), reject);
      },
    };
    wireOf(session, where).trap(trap);
  });

  async function act(held: HeldWire): Promise<void> {
    if (mode === "stop") return child.stop();
    if (mode === "kill") await child.kill();
    held.cut({ deliver: late });
  }
}

function fits(where: OnWire, label: string, earlier: readonly string[]): boolean {
  switch (where.kind) {
    case "provider":
      return label.startsWith(`${where.request} /v1/`);
    case "peer":
      return label.startsWith("POST /api/v1/events/");
    case "database":
      return (
        isStatement(label, where.statement) && (where.after === undefined || isStatement(earlier.at(-1), where.after))
      );
  }
}

/** Alone, or with those of other callers that came at the same moment. */
function isStatement(label: string | undefined, statement: string): boolean {
  return label === statement || label === `${statement}_many`;
}

function wireOf(session: CrashSession, where: OnWire): TapProxy {
  switch (where.kind) {
    case "provider":
      return session.wire;
    case "database":
      return session.database;
    case "peer":
      return session.peer();
  }
}

/** The paused owner comes back: what was held for it arrives, and it goes on where it stood. */
async function comeBack(run: FaultRun, victim: Victim, fault: InjectedFault): Promise<void> {
  if (run.plan.sessionEnds) await endSessions(run, victim);
  fault.held?.forward();
  victim.child.resume();
}

/** As the server does itself after `idle_in_transaction_session_timeout`. */
async function endSessions(run: FaultRun, victim: Victim): Promise<void> {
  await run.session.place.db.pool.query({
    text: "select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and datname = current_database()",
    values: [victim.instance],
  });
  await expireLeases(run.session.place, run.tenant);
}
