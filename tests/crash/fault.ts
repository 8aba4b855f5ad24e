import type { CrashChild } from "./children";
import { expireLeases } from "./recover";
import type { CrashSession, Victim } from "./session";
import type { AnyPlan } from "./plan";
import type { HeldWire, TapProxy, WireTrap } from "./wire/tap-proxy";
import type { PointPlace } from "./point";

/** What stands at the point: the process that was hit and, when the point is on the wire, what is held there. */
export interface InjectedFault {
  readonly held: HeldWire | undefined;
}

/** What is hit: a run of an operation or of messages. */
export interface FaultRun {
  readonly session: CrashSession;
  readonly tenant: string;
  readonly plan: AnyPlan;
}

type OnWire = Extract<PointPlace, { kind: "database" | "provider" | "peer" }>;

/** Arms the point of the plan in the process that will be hit, or on its wire. @returns settles when the fault is injected */
export async function armPoint(run: FaultRun, victim: Victim): Promise<{ readonly reached: Promise<InjectedFault> }> {
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
      return label === where.statement && (where.after === undefined || earlier.at(-1) === where.after);
  }
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
export async function comeBack(run: FaultRun, victim: Victim, fault: InjectedFault): Promise<void> {
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
