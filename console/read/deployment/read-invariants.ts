import { sqlToCopy } from "@/db/checks/counterexamples";
import { INVARIANTS, INVARIANT_NAMES, type Invariant } from "@/console/invariants/invariant-list";
import {
  selectFirstRuns,
  selectInvariantMarks,
  selectLastRuns,
  selectLastViolated,
  selectNow,
  HISTORY_HOURS,
  HISTORY_MARKS,
  type LastRun,
} from "@/db/checks/invariant-runs";
import { selectHeartbeats } from "@/db/metrics/heartbeats";
import { readWithin } from "@/db/bounded-read";
import { invariantsVerdict } from "@/presentation/metrics/invariants-verdict";
import { whyNot } from "@/domain/access/permission";
import type { InvariantMark, InvariantPageRow, InvariantsPage } from "@/presentation/views/invariants";
import type { InvariantsView } from "@/presentation/views/overview";
import type { EngineContext } from "@/engine/context";
import { requirePermission, roleOf } from "@/engine/actions/require";
import { CHECK_HOURS } from "@/domain/checks/windows";
import type { InvariantRow } from "@/domain/checks/rows";

const SAMPLES = 3;

/** What the last check of each invariant found; nothing is checked here. @throws AppError `auth.forbidden` 403 */
export async function readInvariants(
  ctx: EngineContext,
  _input: Readonly<Record<string, never>> = {},
): Promise<InvariantsView> {
  requirePermission(ctx, "invariants.read");
  const runs = await readWithin(ctx.db, "list", (q) => selectLastRuns(q, ctx.tenantId, INVARIANT_NAMES));
  const byName = new Map(runs.map((run) => [run.name, run]));
  return {
    checkedAt: oldest(runs),
    windowHours: CHECK_HOURS,
    rows: INVARIANTS.map((invariant) => toRow(invariant, byName.get(invariant.name), SAMPLES)),
  };
}

/** The oldest of the last runs: what a page says of all of them at once must not be younger than any. */
function oldest(runs: readonly LastRun[]): string | undefined {
  return runs
    .map((run) => run.checkedAt)
    .reduce<string | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined);
}

function toRow(
  invariant: Invariant,
  run: LastRun | undefined,
  samples: number,
): InvariantRow & { readonly capped: boolean } {
  const { name, label } = invariant;
  const violations = run?.violations;
  return {
    name,
    label,
    checked: violations !== undefined,
    holds: violations === 0,
    violations: violations ?? 0,
    capped: run?.capped ?? false,
    ageMs: run?.ageMs,
    samples: (run?.examples ?? []).slice(0, samples).map((id) => ({ id, href: hrefOf(invariant, id) })),
  };
}

function hrefOf({ page }: Invariant, id: string): string {
  // The head of a chain that lost its entries has no entry to show.
  if (page === "audit") return id === "" ? "/audit?verify=now" : `/audit?open=${id}`;
  return page === "find" ? `/find?q=${id}` : `/${page}/${id}`;
}

/** Every invariant with its sentence, its statement, its last run and its history. @throws AppError `auth.forbidden` 403 */
export async function readInvariantsPage(ctx: EngineContext): Promise<InvariantsPage> {
  requirePermission(ctx, "invariants.read");
  const { at, runs, first, marks, violated, beats } = await readWithin(ctx.db, "list", async (q) => ({
    at: await selectNow(q),
    runs: await selectLastRuns(q, ctx.tenantId, INVARIANT_NAMES),
    first: new Map((await selectFirstRuns(q, ctx.tenantId, INVARIANT_NAMES)).map((row) => [row.name, row.at])),
    marks: await selectInvariantMarks(q, ctx.tenantId),
    violated: new Map((await selectLastViolated(q, ctx.tenantId)).map((row) => [row.name, row.at])),
    beats: await selectHeartbeats(q),
  }));
  const byName = new Map(runs.map((run) => [run.name, run]));
  const rows = INVARIANTS.map((invariant): InvariantPageRow => {
    const run = byName.get(invariant.name);
    const sparkline = new Array<InvariantMark>(HISTORY_MARKS).fill("none");
    for (const mark of marks) if (mark.name === invariant.name && mark.mark >= 0) sparkline[mark.mark] = mark.worst;
    return {
      ...toRow(invariant, run, run?.examples.length ?? 0),
      group: invariant.group,
      sentence: invariant.statement,
      looksAt: invariant.looksAt,
      sql: sqlToCopy(ctx.tenantId, invariant.name),
      checkedAt: run?.checkedAt,
      durationMs: run?.durationMs,
      strip: sparkline,
      firstCheckedAt: first.get(invariant.name),
      lastViolatedAt: violated.get(invariant.name),
    };
  });
  const checkedAt = oldest(runs);
  const worker = beats.some((beat) => beat.loop === "invariants");
  return {
    at,
    checkedAt,
    stripHours: HISTORY_HOURS,
    windowHours: CHECK_HOURS,
    verdict: invariantsVerdict(rows, { at, checkedAt, worker }),
    checkNot: whyNot(roleOf(ctx), "invariants.run"),
    rows,
  };
}
