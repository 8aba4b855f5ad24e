import { findCounterexamples, MOST_VIOLATIONS } from "@/db/checks/counterexamples";
import { INVARIANTS, INVARIANT_NAMES, type Invariant } from "./invariant-list";
import { recordInvariantCheck, selectLastRuns } from "@/db/checks/invariant-runs";
import { boundedRead } from "@/db/bounded-read";
import type { EngineContext } from "@/engine/context";
import { operatorTask } from "@/engine/actions/operator-action";
import { type ActionOrigin, type ActionResult, unchangedOutcome } from "@/engine/actions/action-answer";

/** Ids that are kept of a violation. */
const EXAMPLES = 10;
/** Whoever looks again sooner is shown what was found then. */
const SOONEST_MS = 10_000;

export interface InvariantRun {
  readonly name: string;
  readonly label: string;
  /** Undefined: it did not end in its time. */
  readonly violations: number | undefined;
}

export interface InvariantRuns {
  readonly runs: readonly InvariantRun[];
  /** What the time did not suffice for, and keeps its last result. */
  readonly left: readonly Pick<InvariantRun, "name" | "label">[];
}

/**
 * Checks what must hold, one statement at a time, each with its own time limit, and keeps each result. No permission is asked:
 * the loop has none, an action asked for its own.
 * @param budgetMs no further check begins after this; unlimited without it
 */
export async function runInvariants(ctx: EngineContext, budgetMs = Number.POSITIVE_INFINITY): Promise<InvariantRuns> {
  const begun = performance.now();
  const runs: InvariantRun[] = [];
  const left: Invariant[] = [];
  for (const invariant of INVARIANTS) {
    if (performance.now() - begun > budgetMs) left.push(invariant);
    else runs.push(await runOne(ctx, invariant));
  }
  return { runs, left };
}

async function runOne(ctx: EngineContext, invariant: Invariant): Promise<InvariantRun> {
  const begun = performance.now();
  const read = await boundedRead(ctx.db, "list", (q) => findCounterexamples(q, ctx.tenantId, invariant.name));
  const found = read.kind === "done" ? read.value : undefined;
  const violations = found === undefined ? undefined : Math.min(found.length, MOST_VIOLATIONS);
  await recordInvariantCheck(ctx.db.pool, {
    tenantId: ctx.tenantId,
    name: invariant.name,
    violations,
    capped: (found?.length ?? 0) > MOST_VIOLATIONS,
    durationMs: performance.now() - begun,
    examples: (found ?? []).slice(0, EXAMPLES),
  });
  if ((violations ?? 0) > 0)
    ctx.log.warn({ finding: invariant.name, rows: violations, tenantId: ctx.tenantId }, "an invariant is violated");
  return { name: invariant.name, label: invariant.label, violations };
}

/** @returns seconds since somebody checked, when that was only just now */
export async function checkedJustNow(ctx: EngineContext): Promise<number | undefined> {
  const age = await lastCheckAge(ctx);
  return age === undefined || age > SOONEST_MS ? undefined : Math.max(0, Math.round(age / 1000));
}

/** Milliseconds since the last check of this tenant by anybody. @returns undefined: never */
export async function lastCheckAge(ctx: EngineContext): Promise<number | undefined> {
  const runs = await selectLastRuns(ctx.db.pool, ctx.tenantId, INVARIANT_NAMES);
  return runs.length === 0 ? undefined : Math.min(...runs.map(({ ageMs }) => ageMs));
}

/** The caller waits: what is not begun by then is left to the worker. */
const BUDGET_MS = 15_000;

/**
 * Checks every invariant of the tenant now instead of at the worker's next turn. A request within seconds of a check is answered
 * with when that was, so that many of them are one check.
 * @throws AppError as of operatorTask
 */
export function checkInvariantsNow(ctx: EngineContext, origin: ActionOrigin): Promise<ActionResult> {
  const id = ctx.tenantId;
  const request = { ...origin, action: "invariants.run", subject: { type: "tenant", id }, input: {} } as const;
  return operatorTask(ctx, request, async () => {
    const age = await checkedJustNow(ctx);
    if (age !== undefined) return unchangedOutcome(id, `Checked ${String(age)} s ago.`, {});
    const { runs, left } = await runInvariants(ctx, BUDGET_MS);
    const violated = runs.filter(({ violations }) => (violations ?? 0) > 0).map(({ name }) => name);
    const slow = runs.filter(({ violations }) => violations === undefined);
    return {
      changed: true,
      affected: runs.length - slow.length,
      skipped: [
        ...slow.map(({ name, label }) => ({ id: name, why: `${label}: stopped, it took too long.` })),
        ...left.map(({ name, label }) => ({ id: name, why: `${label}: left to the worker's next turn.` })),
      ],
      before: {},
      after: { violated },
    };
  });
}
