import type { CrashOptions } from "./options";
import { problemOf, type Say, type PartResult } from "./judge";
import { openSession, type Spares } from "./session";
import { openCrashEnvironment } from "./environment";
import { cellName, planOf, replayCommand, type AnyPlan, type Cell } from "./plan";
import { runScenario, type RunResult } from "./scenario";

/** Runs of all cells in turn, several at a time, each with a seed of its own. */
export async function runMatrix(options: CrashOptions, spares: Spares, gitHash: string, say: Say): Promise<PartResult> {
  const place = await openCrashEnvironment();
  const { runs, seed, lanes } = options;
  say(`matrix: ${String(runs)} runs from seed ${String(seed)}, ${String(lanes)} at a time`);
  const plans = plansOf(options);
  const cells = new Map<string, number>();
  /** On a machine without time a dead process may still hold a row in the database, which the one to be hit then passes over. */
  const again: string[] = [];
  let failed = 0;
  const work = async (waiting: AnyPlan[]): Promise<void> => {
    if (waiting.length === 0) return;
    let session = await openSession(place, spares);
    try {
      for (let plan = waiting.shift(); plan !== undefined; plan = waiting.shift()) {
        let outcome = await runOne(() => runScenario(session, plan));
        if (outcome.missed && outcome.problems.length === 0) {
          again.push(`${plan.cell} ${String(plan.seed)}`);
          outcome = await runOne(() => runScenario(session, plan));
        }
        cells.set(plan.cell, (cells.get(plan.cell) ?? 0) + 1);
        const problems = outcome.missed ? [...outcome.problems, "the point was not reached"] : outcome.problems;
        if (problems.length > 0) {
          failed += 1;
          reportFailure(plan, problems, gitHash, say);
          if (outcome.broken) {
            // Nobody knows what its processes are doing now.
            await session.close();
            session = await openSession(place, spares);
          }
        } else if (options.verbose) {
          const heard = outcome.heard.join(" → ");
          const what = plan.kind === "message" ? plan.role : plan.operation;
          say(`ok ${plan.cell} seed ${String(plan.seed)} ${what} ${String(Math.round(outcome.ms))} ms: ${heard}`);
        }
      }
    } finally {
      await session.close();
    }
  };
  try {
    const lean = plans.filter(({ point }) => point.where.kind !== "http");
    // One session has the server process, so that the others need none.
    const overHttp = work(plans.filter(({ point }) => point.where.kind === "http"));
    await Promise.all([overHttp, ...Array.from({ length: lanes }, () => work(lean))]);
  } finally {
    await place.close();
  }
  say(`matrix: ${coverage(cells, options.cells)}`);
  if (again.length > 0) say(`matrix: run again, because the point was not reached the first time: ${again.join(", ")}`);
  return { passed: plans.length - failed, failed };
}

function plansOf({ runs, seed, cells }: CrashOptions): AnyPlan[] {
  return Array.from({ length: runs }, (_, index) => planOf(seed + index, cells[index % cells.length] as Cell));
}

interface Outcome extends Pick<RunResult, "ms" | "heard"> {
  readonly problems: readonly string[];
  readonly broken: boolean;
  /** The point was not reached: the run shows nothing. */
  readonly missed: boolean;
}

async function runOne(run: () => Promise<RunResult>): Promise<Outcome> {
  try {
    const { violations, reached, ms, heard } = await run();
    return { problems: violations.map(problemOf), broken: false, missed: !reached, ms, heard };
  } catch (error) {
    return {
      problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
      broken: true,
      missed: false,
      ms: 0,
      heard: [],
    };
  }
}

function reportFailure(plan: AnyPlan, problems: readonly string[], gitHash: string, say: Say): void {
  const { point, ...decided } = plan;
  say(`FAIL ${plan.cell} (${point.moment}) at ${gitHash}`);
  for (const problem of problems) say(`  ${problem}`);
  say(`  ${JSON.stringify(decided)}`);
  say(`  again: ${replayCommand(plan)}`);
}

/** @returns how many cells were run, and how often */
function coverage(cells: ReadonlyMap<string, number>, wanted: readonly Cell[]): string {
  const missing = wanted.map(cellName).filter((name) => !cells.has(name));
  const runs = [...cells.values()];
  const part = `${String(cells.size)} of ${String(wanted.length)} cells, ${String(Math.min(...runs))}–${String(Math.max(...runs))} runs each`;
  return missing.length === 0 ? part : `${part}; not run: ${missing.join(", ")}`;
}
