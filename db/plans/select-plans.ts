import { and, asc, desc, eq, inArray, isNotNull, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { afterCursor, orderOf, type PageRequest, type Sort } from "@/db/paging";
import { builder, NOW_TEXT, pick, rowsOf, same, select, allColumns, type RowOf } from "@/db/query";
import { plans } from "@/db/schema";
import type { PlanFilters } from "@/domain/lists/filters";
import { PLAN_EXPIRES_DAYS } from "@/domain/plans/plan";

const p = alias(plans, "p");

const FIELDS = {
  // `amounts` are of what the dry run let act.
  ...pick(p, "id", "kind", "state", "filter", "reason", "total", "amounts", "createdAt", "createdBy", "approvalNeeded"),
  ...pick(p, "decidedAt", "decidedBy", "decisionReason", "startedAt", "startedBy", "endedAt", "endedBy", "owner"),
  ...pick(p, "lookUps", "lookUpsBeganAt", "lookUpsEndedAt", "canary"),
  at: NOW_TEXT,
};

export type PlanDbRow = RowOf<typeof selectPlans>;

export async function selectPlan(q: Queryable, tenantId: string, id: string): Promise<PlanDbRow | undefined> {
  const its = and(eq(p.tenantId, tenantId), eq(p.id, id));
  return (await rowsOf(q, select(FIELDS).from(p).where(its))).at(0);
}

export const PLAN_SORT: Sort = { value: p.createdAt, type: "timestamptz", id: p.id, idType: "uuid" };

/** Plans by when they were made. */
export async function selectPlans(q: Queryable, tenantId: string, filters: PlanFilters, page: PageRequest) {
  const { kind, state } = filters;
  const query = select(FIELDS)
    .from(p)
    .where(
      and(
        eq(p.tenantId, tenantId),
        same(p.kind, kind),
        state.length > 0 ? inArray(p.state, state) : undefined,
        afterCursor(PLAN_SORT, page),
      ),
    )
    .orderBy(...orderOf(PLAN_SORT, page))
    .limit(page.limit + 1);
  return rowsOf(q, query);
}

/** Waiting plans that the page shows, and how many decisions it looks back. */
const WAITING = 20;
const DECIDED = 20;
/** Newest plans that are looked at for decisions. */
const SCAN_LIMIT = 1_000;

function amongNewest(tenantId: string, where: SQL | undefined) {
  const newest = builder
    .select(allColumns(p))
    .from(p)
    .where(eq(p.tenantId, tenantId))
    .orderBy(desc(p.createdAt))
    .limit(SCAN_LIMIT);
  return select(FIELDS).from(newest.as("p")).where(where);
}

/** Plans that wait for a second person, who waits longest first, however many were made since. One that waited too long waits no more: it expires. */
export async function selectWaitingPlans(q: Queryable, tenantId: string): Promise<PlanDbRow[]> {
  const young = sql`${p.createdAt} > now() - make_interval(days => ${PLAN_EXPIRES_DAYS})`;
  const waiting = select(FIELDS)
    .from(p)
    .where(and(eq(p.tenantId, tenantId), eq(p.state, "awaiting_approval"), young));
  return rowsOf(q, waiting.orderBy(asc(p.createdAt), asc(p.id)).limit(WAITING));
}

/** The latest decisions, newest first. */
export async function selectDecidedPlans(q: Queryable, tenantId: string): Promise<PlanDbRow[]> {
  return rowsOf(q, amongNewest(tenantId, isNotNull(p.decidedAt)).orderBy(desc(p.decidedAt), asc(p.id)).limit(DECIDED));
}
