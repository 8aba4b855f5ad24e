import { ORACLES } from "@/db/checks/oracles/index";
import { openSession, type CrashSession, type Spares } from "../session";
import { openCrashEnvironment } from "../environment";
import { cellsOf, planOf, type AnyPlan } from "../plan";
import { runScenario } from "../scenario";
import { BUGS } from "./catalogue";
import { plant } from "./sql";
import type { Bug } from "./bug";

/** Fitting runs that a bug has to show itself in. */
const TRIES = 12;
/** Seeds that are looked through for them. */
const SEEDS = 2_000;

export interface BugResult {
  readonly passed: number;
  readonly failed: number;
}

type Say = (line: string) => void;

/** Plants each bug in a place of its own; one that no oracle catches is a failure of the suite. */
export async function runBugs(seed: number, lanes: number, spares: Spares, say: Say): Promise<BugResult> {
  const waiting = [...BUGS];
  const seen = new Set<string>();
  let failed = 0;
  const work = async (): Promise<void> => {
    for (let bug = waiting.shift(); bug !== undefined; bug = waiting.shift()) {
      const { caught, said } = await hunt(bug, seed, spares);
      for (const oracle of caught) seen.add(oracle);
      if (!bug.oracles.some((oracle) => caught.has(oracle))) failed += 1;
      say(said);
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, BUGS.length) }, work));
  // An oracle that never says anything may be one that cannot.
  const silent = ORACLES.filter(({ id }) => !seen.has(id));
  for (const { id, name } of silent) say(`FAIL ${id} (${name}) caught no bug`);
  return { passed: BUGS.length + ORACLES.length - failed - silent.length, failed: failed + silent.length };
}

async function hunt(bug: Bug, seed: number, spares: Spares): Promise<{ caught: ReadonlySet<string>; said: string }> {
  const place = await openCrashEnvironment(bug.at === "sql" ? (db) => plant(db, bug.name) : undefined);
  const worn = bug.at === "code" ? bug.name : undefined;
  const caught = new Set<string>();
  const stuck: string[] = [];
  let runs = 0;
  const session = await openSession(place, spares, { victim: worn, rescuer: worn });
  try {
    for (const plan of fitting(bug, seed)) {
      runs += 1;
      for (const oracle of await accusers(session, plan, stuck)) caught.add(oracle);
      if (!bug.oracles.some((oracle) => caught.has(oracle))) continue;
      const names = [...caught].sort(byNumber).join(", ");
      return { caught, said: `caught ${bug.name} (${bug.story}) by ${names} in run ${String(runs)}, ${plan.cell}` };
    }
  } finally {
    await session.close();
    await place.close();
  }
  const others = caught.size === 0 ? "nothing" : [...caught].join(", ");
  const said = `FAIL ${bug.name} (${bug.story}) was not caught by ${bug.oracles.join(" or ")} in ${String(runs)} runs; seen: ${others}`;
  return { caught, said: [said, ...stuck].join("\n  ") };
}

/** With a bug in the place a run may not even come to its end: the next one may. */
async function accusers(session: CrashSession, plan: AnyPlan, stuck: string[]): Promise<string[]> {
  try {
    return (await runScenario(session, plan)).violations.map(({ oracle }) => oracle);
  } catch (error) {
    stuck.push(`${plan.cell} seed ${String(plan.seed)}: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}

function fitting(bug: Bug, seed: number): AnyPlan[] {
  const cells = bug.cells.flatMap(cellsOf);
  const plans: AnyPlan[] = [];
  for (let next = seed; next < seed + SEEDS && plans.length < TRIES; next += 1) {
    const cell = cells[next % cells.length];
    if (cell === undefined) break;
    const plan = planOf(next, cell);
    if (bug.when?.(plan) ?? true) plans.push(plan);
  }
  return plans;
}

function byNumber(a: string, b: string): number {
  return Number(a.slice(1)) - Number(b.slice(1));
}
