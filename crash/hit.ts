import type { Child } from "./children";
import { letLeasesRunOut } from "./heal";
import type { Victim } from "./lane";
import type { Where } from "./points";
import type { Run } from "./run-state";
import type { HeldWire, WireTrap } from "./wire/tap-proxy";

/** What stands at the point: the process that was hit and, when the point is on the wire, what is held there. */
export interface Hit {
  readonly held: HeldWire | undefined;
}

/**
 * Arms the point of the plan in the process that will be hit, or on its wire.
 * @returns what settles when the point is reached and what the mode says is done
 */
export async function armPoint(run: Run, victim: Victim): Promise<{ readonly reached: Promise<Hit> }> {
  const { point, mode, side } = run.plan;
  const { where } = point;
  if (where.kind === "database" || where.kind === "provider") return { reached: trapped(run, victim.child, where) };
  const reached = victim.child.hit().then(async (): Promise<Hit> => {
    if (mode === "stop") await victim.child.stopped();
    if (mode === "kill") await victim.child.kill();
    return { held: undefined };
  });
  await victim.child.ask({ do: "arm", arming: { point: point.id, mode, side } });
  return { reached };
}

function trapped(run: Run, child: Child, where: Extract<Where, { kind: "database" | "provider" }>): Promise<Hit> {
  const { mode, lost, late } = run.plan;
  const { lane } = run;
  return new Promise((resolve, reject) => {
    const trap: WireTrap = {
      at: where.kind === "provider" ? where.at : lost === "answer" ? "reply" : "request",
      matches: (label, earlier) =>
        where.kind === "provider"
          ? label.startsWith(`${where.request} /v1/`)
          : label === where.statement && (where.after === undefined || earlier.at(-1) === where.after),
      caught: (held) => {
        act(held).then(() => resolve({ held: mode === "stop" ? held : undefined }), reject);
      },
    };
    (where.kind === "provider" ? lane.wire : lane.database).trap(trap);
  });

  async function act(held: HeldWire): Promise<void> {
    switch (mode) {
      case "kill":
        await child.kill();
        held.cut({ deliver: late });
        return;
      case "stop":
        await child.stop();
        return;
      case "cut":
      case "throw":
        held.cut({ deliver: late });
    }
  }
}

/** The paused owner comes back: what was held for it arrives, and it goes on where it stood. */
export async function comeBack(run: Run, victim: Victim, hit: Hit): Promise<void> {
  if (run.plan.sessionEnds) await endSessions(run, victim);
  hit.held?.forward();
  victim.child.resume();
}

/** As the server does itself after `idle_in_transaction_session_timeout`. */
async function endSessions(run: Run, victim: Victim): Promise<void> {
  await run.lane.place.db.pool.query({
    text: "select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and datname = current_database()",
    values: [victim.instance],
  });
  await letLeasesRunOut(run.lane.place, run.tenant);
}
