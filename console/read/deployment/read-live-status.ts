import { createHash } from "node:crypto";
import type { Queryable } from "@/db/client";
import { INVARIANT_NAMES } from "@/console/invariants/invariant-list";
import { type LastRun, selectLastRuns } from "@/db/checks/invariant-runs";
import { type OpenPlans, selectOpenPlans, selectPlanMark } from "@/db/plans/plan-marks";
import { readWithin } from "@/db/bounded-read";
import { isNewerList, selectNewer, selectNewestOperation } from "@/db/metrics/select-newer";
import { selectOperationMark } from "@/db/operations/select-operation";
import { selectOpenCounts, type OpenCountsRow } from "@/db/metrics/counts";
import { WAITING_COUNTED } from "@/domain/lists/waiting-counted";
import { UUID } from "@/domain/uuid";
import { selectHeartbeats } from "@/db/metrics/heartbeats";
import { downParts } from "@/engine/telemetry/down-parts";
import { downView } from "@/presentation/metrics/down";
import type { NavCounts, LiveStatus } from "@/presentation/metrics/live-status";
import { pageReadsView } from "@/presentation/metrics/page-reads";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "@/engine/actions/require";
import { sourceWatch } from "@/console/sources/watch-source";
import { loopRows } from "./loop-rows";

const MARK_CHARS = 16;

export interface LiveStatusInput {
  /** First part of the page's path: `operations`, `outbox` … */
  readonly page?: string | undefined;
  /** RFC 3339; rows after it are `newer`. */
  readonly since?: string | undefined;
  /** RFC 3339; the end of the list's window: what comes after it never shows there. */
  readonly until?: string | undefined;
  /** Of a list of an attached database: `place` of the first row on the screen. */
  readonly above?: string | undefined;
}

/** Keeps a page live: counts of what is open, newer rows of its list, and a mark that changes when it should be read again. */
export async function readLiveStatus(ctx: EngineContext, input: LiveStatusInput): Promise<LiveStatus> {
  requirePermission(ctx, "operations.read");
  const [page = "", id = ""] = input.page?.split("/") ?? [];
  const status = await readWithin(ctx.db, "list", async (q) => {
    const counts = await selectOpenCounts(q, ctx.tenantId);
    const newest = await selectNewestOperation(q, ctx.tenantId);
    const list =
      input.since !== undefined && isNewerList(page)
        ? await selectNewer(q, ctx.tenantId, page, input.since, input.until)
        : { newer: 0 };
    const one = UUID.test(id) ? await markOf(q, ctx.tenantId, page, id) : undefined;
    const plans = await selectOpenPlans(q, ctx.tenantId);
    const runs = await selectLastRuns(q, ctx.tenantId, INVARIANT_NAMES);
    const down = downView({ parts: downParts(), loops: loopRows(ctx, await selectHeartbeats(q)) });
    const shown = { ...navCounts(counts), ...navPlans(plans), violated: countViolated(runs) };
    return {
      at: counts.at,
      counts: shown,
      newer: list.newer,
      down,
      source: sourceWatch.news(ctx, { page: input.page ?? "", above: input.above }),
      mark: digest(
        one === undefined
          ? (ownParts(page, { at: counts.at, plans, runs }) ?? [
              openParts(counts),
              shown,
              newest,
              list.newest,
              plans.mark,
            ])
          : [one],
      ),
    };
  });
  const reads = ctx.db.reads?.facts();
  return { ...status, reads: reads && pageReadsView(reads) };
}

/** What one operation or plan shows has a mark of its own: nothing else makes its page be read again. */
async function markOf(q: Queryable, tenantId: string, page: string, id: string): Promise<string | undefined> {
  if (page === "operations") return selectOperationMark(q, tenantId, id);
  return page === "plans" ? selectPlanMark(q, tenantId, id) : undefined;
}

interface OwnFacts {
  readonly at: string;
  readonly plans: OpenPlans;
  readonly runs: readonly LastRun[];
}

/** Of pages that show neither operations nor messages: what they show. A plan that runs moves between any two polls. */
function ownParts(page: string, { at, plans, runs }: OwnFacts): readonly unknown[] | undefined {
  if (page === "plans") return [plans.mark, plans.open, plans.approvals, plans.running > 0 ? at : undefined];
  if (page === "invariants") return runs.map(({ name, checkedAt, violations }) => [name, checkedAt, violations]);
  return undefined;
}

/** What stands beside the places of the navigation, and on their pages: from one read. */
export function navCounts(row: OpenCountsRow): NavCounts {
  return {
    conflicts: row.conflicts,
    outbox: row.outboxPending,
    inbox: row.inboxRecorded,
    attention: row.unknown + row.stale,
    unknown: row.unknown,
    stale: row.stale,
    deadLetters: row.deadLetters,
  };
}

function navPlans({ open, approvals }: OpenPlans): NavCounts {
  return { plans: open, approvals };
}

function countViolated(runs: readonly LastRun[]): number {
  return runs.filter(({ violations = 0 }) => violations > 0).length;
}

/** As far as the tens of its seconds: "2026-12-01T13:29:1". */
const TEN_SECONDS_CHARS = 18;

/** What is open; where not all that waits is counted, its number does not tell that it moves, and pages are read again every ten seconds. */
export function openParts(row: OpenCountsRow): readonly (number | string)[] {
  const { inProgress, unknown, stale, outboxPending, outboxDead, inboxRecorded, deadLetters, conflicts } = row;
  const uncounted = outboxPending >= WAITING_COUNTED || inboxRecorded >= WAITING_COUNTED;
  return [
    ...[inProgress, unknown, stale, outboxPending, outboxDead, inboxRecorded, deadLetters, conflicts],
    ...(uncounted ? [row.at.slice(0, TEN_SECONDS_CHARS)] : []),
  ];
}

function digest(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, MARK_CHARS);
}
