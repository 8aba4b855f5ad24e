import { findCounterexamples, MOST_VIOLATIONS } from "@/db/checks/counterexamples";
import { INVARIANTS, INVARIANT_NAMES, type Invariant } from "./invariant-list";
import { recordInvariantCheck, selectLastRuns } from "@/db/checks/invariant-runs";
import { boundedRead } from "@/db/bounded-read";
import { claimWords, type PageClaim } from "@/domain/page-claim";
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
  // What they expect is registered: without it they would find nothing.
  await ctx.kinds.register();
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

/** Somebody checked only just now. */
const JUST_NOW_CLAIMS: readonly PageClaim<{ readonly ageMs: number | undefined }>[] = [
  {
    name: "checked just now",
    holds: ({ ageMs }) => ageMs !== undefined && ageMs <= SOONEST_MS,
    words: ({ ageMs = 0 }) => `Checked ${String(Math.max(0, Math.round(ageMs / 1000)))} s ago.`,
  },
];

/** @returns when somebody checked, where that was only just now */
async function checkedJustNow(ctx: EngineContext): Promise<string | undefined> {
  return claimWords(JUST_NOW_CLAIMS, { ageMs: await lastCheckAge(ctx) })[0];
}

interface Skipped extends Pick<InvariantRun, "label" | "violations"> {
  /** Its check began. */
  readonly begun: boolean;
}

/** Why an invariant was not checked: at most one of these holds. */
const SKIPPED_CLAIMS: readonly PageClaim<Skipped>[] = [
  {
    name: "stopped",
    holds: ({ begun, violations }) => begun && violations === undefined,
    words: ({ label }) => `${label}: stopped, it took too long.`,
  },
  {
    name: "left",
    holds: ({ begun }) => !begun,
    words: ({ label }) => `${label}: left to the worker's next turn.`,
  },
];

/** What was not checked, each with the reason. */
export function skippedOf({ runs, left }: InvariantRuns): readonly { readonly id: string; readonly why: string }[] {
  return [
    ...runs.map((run) => ({ ...run, begun: true })),
    ...left.map((run) => ({ ...run, violations: undefined, begun: false })),
  ].flatMap((run) => claimWords(SKIPPED_CLAIMS, run).map((why) => ({ id: run.name, why })));
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
    const justNow = await checkedJustNow(ctx);
    if (justNow !== undefined) return unchangedOutcome(id, justNow, {});
    const found = await runInvariants(ctx, BUDGET_MS);
    const violated = found.runs.filter(({ violations }) => (violations ?? 0) > 0).map(({ name }) => name);
    return {
      changed: true,
      affected: found.runs.filter(({ violations }) => violations !== undefined).length,
      skipped: skippedOf(found),
      before: {},
      after: { violated },
    };
  });
}
