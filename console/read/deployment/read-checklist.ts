import {
  CHECKLIST_HOURS,
  CHECKLIST_ROWS,
  selectAnswerFacts,
  selectKeyFacts,
  selectRetryFacts,
} from "@/db/checks/select-newest";
import { selectCleanupFacts, selectConstraints } from "@/db/checks/select-upkeep";
import { selectHeartbeats } from "@/db/metrics/heartbeats";
import { selectOpenCounts } from "@/db/metrics/counts";
import { selectAnswers } from "@/db/metrics/select-measures";
import { selectFrame } from "@/db/metrics/select-series";
import type { Queryable } from "@/db/client";
import { chartWindow } from "@/domain/metrics/chart-window";
import { boundedRead } from "@/db/bounded-read";
import { checklistVerdict, judgeChecklist } from "@/presentation/checklist/checklist";
import type { ChecklistFacts, DeploymentFacts } from "@/domain/checks/checklist-facts";
import { freshestLoops } from "@/presentation/metrics/heartbeat";
import type { ChecklistView } from "@/presentation/views/checklist";
import { bodyRetention } from "@/engine/bodies/body-retention";
import type { EngineContext } from "@/engine/context";
import type { PolicyOwner } from "@/engine/policies/policies";
import { createReadShare } from "../share-read";
import { loopRows } from "./loop-rows";
import { readInvariants } from "./read-invariants";
import { readPolicies } from "./read-policies";
import { requirePermission } from "@/engine/actions/require";

/** One look is a dozen reads: another one within this time gets the same answer. */
const SHARED_MS = 5_000;
const share = createReadShare(SHARED_MS);

/** What the checklist is asked about, besides the data of the context's tenant. */
export interface ChecklistInput {
  readonly owners: readonly PolicyOwner[];
  readonly deployment: DeploymentFacts;
}

/**
 * Checks each line of the review checklist against this deployment, its policies and the newest data. Each read has
 * its own time limit; what was not read in time cannot be told.
 * @throws AppError `auth.forbidden` 403
 */
export async function readChecklist(ctx: EngineContext, input: ChecklistInput): Promise<ChecklistView> {
  requirePermission(ctx, "invariants.read");
  return share.of(ctx.db.pool, ctx.tenantId, () => lookNow(ctx, input));
}

export async function lookNow(ctx: EngineContext, input: ChecklistInput): Promise<ChecklistView> {
  requirePermission(ctx, "invariants.read");
  const rows = judgeChecklist(await readChecklistFacts(ctx, input));
  return { at: new Date().toISOString(), hours: CHECKLIST_HOURS, verdict: checklistVerdict(rows), rows };
}

async function readChecklistFacts(ctx: EngineContext, { owners, deployment }: ChecklistInput): Promise<ChecklistFacts> {
  const { tenantId } = ctx;
  await ctx.kinds.register();
  const { bodyTtlHours, ttls } = await bodyRetention(ctx);
  const heartbeats = await boundedFacts(ctx, selectHeartbeats);
  return {
    hours: CHECKLIST_HOURS,
    limit: CHECKLIST_ROWS,
    deployment,
    policies: (await readPolicies(ctx, owners)).operations,
    answers: await boundedFacts(ctx, (q) => selectAnswerFacts(q, tenantId)),
    counted: await boundedFacts(ctx, (q) => readAnswered(q, tenantId)),
    retries: await boundedFacts(ctx, (q) => selectRetryFacts(q, tenantId)),
    keys: await boundedFacts(ctx, (q) => selectKeyFacts(q, tenantId)),
    constraints: await boundedFacts(ctx, selectConstraints),
    cleanup: await boundedFacts(ctx, (q) => selectCleanupFacts(q, tenantId, ttls, bodyTtlHours)),
    open: await boundedFacts(ctx, (q) => selectOpenCounts(q, tenantId)),
    invariants: (await readInvariants(ctx)).rows,
    loops: heartbeats && freshestLoops(loopRows(ctx, heartbeats)),
  };
}

/** Of the time that the page of metrics shows for these hours, by its own read. */
async function readAnswered(q: Queryable, tenantId: string): Promise<ChecklistFacts["counted"]> {
  const { at, hoursUntil } = await selectFrame(q, tenantId);
  const rows = await selectAnswers(q, tenantId, chartWindow({ range: "24h" }, at), { hoursUntil });
  const sum = (outcome: string): number =>
    rows.filter((row) => row.outcome === outcome).reduce((total, row) => total + row.count, 0);
  return { conflicts: sum("conflict"), replays: sum("replayed") };
}

async function boundedFacts<T>(ctx: EngineContext, work: (q: Queryable) => Promise<T>): Promise<T | undefined> {
  const read = await boundedRead(ctx.db, "list", work);
  return read.kind === "done" ? read.value : undefined;
}
