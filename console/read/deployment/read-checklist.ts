import { selectAnswerFacts } from "@/db/checks/checklist/select-answer-facts";
import { countOverdueBodies, selectCleanupFacts } from "@/db/checks/checklist/select-cleanup-facts";
import { CHECKLIST_HOURS, CHECKLIST_ROWS } from "@/db/checks/checklist/frame";
import { selectKeyFacts } from "@/db/checks/checklist/select-key-facts";
import { selectRetryFacts } from "@/db/checks/checklist/select-retry-facts";
import { DECIDING, selectMissingConstraints } from "@/db/checks/checklist/select-unique-constraints";
import { selectHeartbeats } from "@/db/metrics/heartbeats";
import { selectOpenCounts } from "@/db/metrics/counts";
import type { Queryable } from "@/db/client";
import { boundedRead } from "@/db/sql-text";
import { checklistVerdict, judgeChecklist } from "@/presentation/checklist/checklist";
import type {
  ChecklistFacts,
  CleanupFacts,
  DeploymentFacts,
  PolicyFact,
} from "@/presentation/checklist/checklist-facts";
import { freshestLoops } from "@/presentation/metrics/heartbeat";
import type { ChecklistView } from "@/presentation/views/checklist";
import { bodyRetention } from "@/engine/bodies/body-retention";
import type { EngineContext } from "@/engine/context";
import type { PolicyOwner } from "@/engine/policies/policies";
import { loopRows } from "./loop-rows";
import { readInvariants } from "./read-invariants";
import { readPolicies } from "./read-policies";
import { requirePermission } from "@/engine/actions/require";

/** Whoever looks again within this time is shown the same answer: one look is a dozen reads. */
const SHARED_MS = 5_000;
const TENANTS_KEPT = 200;
interface Known {
  readonly until: number;
  readonly view: Promise<ChecklistView>;
}
const shared = new WeakMap<object, Map<string, Known>>();

/** What the checklist is asked about, besides the data of the context's tenant. */
export interface ChecklistInput {
  readonly owners: readonly PolicyOwner[];
  readonly deployment: DeploymentFacts;
}

/**
 * Checks each line of the review checklist against this deployment, its policies and the newest data. Each read has
 * its own time limit; what was not read in time cannot be told.
 *
 * @throws AppError `auth.forbidden` 403
 */
export async function readChecklist(ctx: EngineContext, input: ChecklistInput): Promise<ChecklistView> {
  requirePermission(ctx, "invariants.read");
  const tenants = shared.get(ctx.db) ?? new Map<string, Known>();
  shared.set(ctx.db, tenants);
  const known = tenants.get(ctx.tenantId);
  if (known !== undefined && known.until > performance.now()) return known.view;
  if (tenants.size >= TENANTS_KEPT) tenants.clear();
  const view = lookNow(ctx, input);
  tenants.set(ctx.tenantId, { until: performance.now() + SHARED_MS, view });
  view.catch(() => tenants.delete(ctx.tenantId));
  return view;
}

/** The same, read now. */
export async function lookNow(ctx: EngineContext, input: ChecklistInput): Promise<ChecklistView> {
  requirePermission(ctx, "invariants.read");
  const rows = judgeChecklist(await factsOf(ctx, input));
  return { at: new Date().toISOString(), hours: CHECKLIST_HOURS, verdict: checklistVerdict(rows), rows };
}

async function factsOf(ctx: EngineContext, { owners, deployment }: ChecklistInput): Promise<ChecklistFacts> {
  const { tenantId } = ctx;
  const missing = await within(ctx, selectMissingConstraints);
  const heartbeats = await within(ctx, selectHeartbeats);
  return {
    hours: CHECKLIST_HOURS,
    limit: CHECKLIST_ROWS,
    deployment,
    policies: await policyFacts(ctx, owners),
    answers: await within(ctx, async (q) => answersOf(await selectAnswerFacts(q, tenantId))),
    retries: await within(ctx, async (q) =>
      (await selectRetryFacts(q, tenantId)).map(({ too_soon, ...row }) => ({ ...row, tooSoon: too_soon })),
    ),
    keys: await within(ctx, async (q) => keysOf(await selectKeyFacts(q, tenantId))),
    constraints: missing === undefined ? undefined : { all: DECIDING.length, missing },
    cleanup: await cleanupFacts(ctx),
    open: await within(ctx, async (q) => {
      const row = await selectOpenCounts(q, tenantId);
      return {
        unknown: row.unknown,
        oldestUnknownMs: row.oldest_unknown_ms ?? undefined,
        stale: row.stale,
        oldestStaleMs: row.oldest_stale_ms ?? undefined,
      };
    }),
    invariants: (await readInvariants(ctx)).rows,
    loops: heartbeats === undefined ? undefined : freshestLoops(loopRows(heartbeats)),
  };
}

/** @returns undefined when the database took too long. */
async function within<T>(ctx: EngineContext, work: (q: Queryable) => Promise<T>): Promise<T | undefined> {
  const read = await boundedRead(ctx.db, "list", work);
  return read.kind === "done" ? read.value : undefined;
}

async function policyFacts(ctx: EngineContext, owners: readonly PolicyOwner[]): Promise<readonly PolicyFact[]> {
  const { operations } = await readPolicies(ctx, owners);
  return operations.map(({ operation, kind, route, policy, findings }) => ({
    operation,
    kind,
    route,
    policy,
    findings,
  }));
}

async function cleanupFacts(ctx: EngineContext): Promise<CleanupFacts | undefined> {
  const { bodyTtlHours, ttls } = await bodyRetention(ctx);
  return within(ctx, async (q) => {
    const row = await selectCleanupFacts(q, ctx.tenantId);
    return {
      daysAhead: row.days_ahead,
      lastRunAt: row.last_run_at ?? undefined,
      overdueRecords: row.overdue_records,
      overdueWindows: row.overdue_windows,
      overdueBodies: await countOverdueBodies(q, ctx.tenantId, ttls, bodyTtlHours),
    };
  });
}

function answersOf(row: Awaited<ReturnType<typeof selectAnswerFacts>>): ChecklistFacts["answers"] {
  return {
    looked: row.looked,
    replays: row.replays,
    differing: row.differing,
    differingIds: row.differing_ids,
    untraceable: row.untraceable,
    untraceableIds: row.untraceable_ids,
    conflicts: row.conflicts,
    acceptedConflicts: row.accepted_conflicts,
    acceptedConflictIds: row.accepted_conflict_ids,
  };
}

function keysOf(row: Awaited<ReturnType<typeof selectKeyFacts>>): ChecklistFacts["keys"] {
  return {
    keys: row.keys,
    unhashed: row.unhashed,
    unhashedIds: row.unhashed_ids,
    effects: row.effects.map(({ unkeyed_ids, ...each }) => ({ ...each, unkeyedIds: unkeyed_ids })),
  };
}
