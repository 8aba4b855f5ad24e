import { applyFunctions, readFunctions } from "@/db/apply-functions";
import { ORACLES } from "../oracles/index";
import type { Database } from "@/db/client";
import type { Say, PartResult } from "../judge";
import { openSession, type CrashSession, type Spares } from "../session";
import { openCrashEnvironment } from "../environment";
import { cellsOf, planOf, type AnyPlan } from "../plan";
import { runScenario } from "../scenario";
import { BUGS } from "./catalogue";
import type { Bug, SqlBug } from "./bug";

/** Fitting runs that a bug has to show itself in. */
const TRIES = 12;
/** Seeds that are looked through for them. */
const SEEDS = 2_000;

/** Plants each bug in a place of its own; one that no oracle catches is a failure of the suite. */
export async function runBugs(seed: number, lanes: number, spares: Spares, say: Say): Promise<PartResult> {
  const waiting = Object.entries(BUGS);
  const count = waiting.length;
  const seen = new Set<string>();
  let failed = 0;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, bug] = next;
      const { caught, line } = await hunt(name, bug, seed, spares);
      for (const oracle of caught) seen.add(oracle);
      if (!bug.oracles.some((oracle) => caught.has(oracle))) failed += 1;
      say(line);
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, count) }, work));
  // An oracle that never says anything may be one that cannot.
  const silent = ORACLES.filter(({ id }) => !seen.has(id));
  for (const { id, name } of silent) say(`FAIL ${id} (${name}) caught no bug`);
  return { passed: count + ORACLES.length - failed - silent.length, failed: failed + silent.length };
}

async function hunt(
  name: string,
  bug: Bug,
  seed: number,
  spares: Spares,
): Promise<{ caught: ReadonlySet<string>; line: string }> {
  const { sql } = bug;
  const place = await openCrashEnvironment(sql && ((db) => plant(db, name, sql)));
  const planted = bug.code && name;
  const caught = new Set<string>();
  const stuck: string[] = [];
  let runs = 0;
  const session = await openSession(place, spares, planted);
  try {
    for (const plan of fitting(bug, seed)) {
      runs += 1;
      for (const oracle of await accusers(session, plan, stuck)) caught.add(oracle);
      if (!bug.oracles.some((oracle) => caught.has(oracle))) continue;
      const oracles = [...caught].sort(byNumber).join(", ");
      return { caught, line: `caught ${name} (${bug.story}) by ${oracles} in run ${String(runs)}, ${plan.cell}` };
    }
  } finally {
    await session.close();
    await place.close();
  }
  const others = caught.size === 0 ? "nothing" : [...caught].join(", ");
  const line = `FAIL ${name} (${bug.story}) was not caught by ${bug.oracles.join(" or ")} in ${String(runs)} runs; seen: ${others}`;
  return { caught, line: [line, ...stuck].join("\n  ") };
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

/** @throws Error when a part is not found: then the function has changed, and the bug must follow it */
async function plant(db: Database, name: string, { before, changes = [] }: SqlBug): Promise<void> {
  const left = new Set(changes);
  const files = readFunctions().map((file) => {
    let { text } = file;
    for (const change of changes) {
      const [changed, from, to] = change;
      if (changed !== file.name) continue;
      if (!from.test(text)) throw new Error(`${name}: ${file.file} does not have ${String(from)} any more`);
      text = text.replace(from, to);
      left.delete(change);
    }
    return { ...file, text };
  });
  if (left.size > 0)
    throw new Error(`${name}: there is no function ${[...left].map(([missing]) => missing).join(", ")}`);
  const client = await db.pool.connect();
  try {
    if (before !== undefined) await client.query(before);
    await applyFunctions(client, files);
  } finally {
    client.release();
  }
}
