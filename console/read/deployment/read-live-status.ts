import { createHash } from "node:crypto";
import type { Queryable } from "@/db/client";
import { INVARIANT_NAMES } from "@/console/invariants/invariant-list";
import { selectLastRuns } from "@/db/checks/invariant-runs";
import { selectOpenPlans, selectPlanMark } from "@/db/plans/plan-marks";
import { readWithin } from "@/db/bounded-read";
import { isNewerList, selectNewer, selectNewestOperation } from "@/db/metrics/select-newer";
import { selectOperationMark } from "@/db/operations/select-operation";
import { selectOpenCounts, type OpenCountsRow } from "@/db/metrics/counts";
import { UUID } from "@/domain/uuid";
import type { NavCounts, LiveStatus } from "@/presentation/metrics/live-status";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "@/engine/actions/require";

const MARK_CHARS = 16;

export interface LiveStatusInput {
  /** First part of the page's path: `operations`, `outbox` … */
  readonly page?: string | undefined;
  /** RFC 3339; rows after it are `newer`. */
  readonly since?: string | undefined;
  /** RFC 3339; the end of the list's window: what comes after it never shows there. */
  readonly until?: string | undefined;
}

/** Keeps a page live: counts of what is open, newer rows of its list, and a mark that changes when it should be read again. */
export async function readLiveStatus(ctx: EngineContext, input: LiveStatusInput): Promise<LiveStatus> {
  requirePermission(ctx, "operations.read");
  const [page = "", id = ""] = input.page?.split("/") ?? [];
  return readWithin(ctx.db, "list", async (q) => {
    const counts = await selectOpenCounts(q, ctx.tenantId);
    const newest = await selectNewestOperation(q, ctx.tenantId);
    const list =
      input.since !== undefined && isNewerList(page)
        ? await selectNewer(q, ctx.tenantId, page, input.since, input.until)
        : { newer: 0 };
    const one = UUID.test(id) ? await markOf(q, ctx.tenantId, page, id) : undefined;
    const plans = await selectOpenPlans(q, ctx.tenantId);
    const runs = await selectLastRuns(q, ctx.tenantId, INVARIANT_NAMES);
    const violated = runs.filter(({ violations = 0 }) => violations > 0).length;
    return {
      at: counts.at,
      counts: { ...navCounts(counts), plans: plans.open, approvals: plans.approvals, violated },
      newer: list.newer,
      mark: mark(counts, newest, list.newest, one ?? plans.mark),
    };
  });
}

async function markOf(q: Queryable, tenantId: string, page: string, id: string): Promise<string | undefined> {
  if (page === "operations") return selectOperationMark(q, tenantId, id);
  return page === "plans" ? selectPlanMark(q, tenantId, id) : undefined;
}

function navCounts(row: OpenCountsRow): NavCounts {
  return {
    conflicts: row.conflicts,
    outbox: row.outboxPending,
    inbox: row.inboxRecorded,
    attention: row.unknown + row.stale,
    deadLetters: row.deadLetters,
  };
}

function mark(row: OpenCountsRow, ...newest: readonly (string | undefined)[]): string {
  const { inProgress, unknown, stale, outboxPending, outboxDead, inboxRecorded, deadLetters, conflicts } = row;
  const open = [inProgress, unknown, stale, outboxPending, outboxDead, inboxRecorded, deadLetters, conflicts];
  const text = JSON.stringify([...open, ...newest]);
  return createHash("sha256").update(text).digest("base64url").slice(0, MARK_CHARS);
}
