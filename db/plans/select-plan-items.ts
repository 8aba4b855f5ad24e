import { and, asc, eq, sql, type SQL } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { afterCursor, orderOf, type PageRequest, type Sort } from "@/db/paging";
import { anyOf, COUNT, pick, rowsOf, same, select, type RowOf } from "@/db/query";
import type { PlanItemFilters } from "@/domain/lists/filters";
import { SHOWN_RESULTS } from "@/domain/plans/item-tabs";
import { LEFT_OUT } from "@/domain/plans/look-ups";
import { i, ITEM_OTHERWISE, ITEM_RESULT } from "./run-plan";

export const PLAN_ITEM_SORT: Sort = { value: i.position, type: "bigint", id: i.position, idType: "bigint" };

/** The run left it out, because the dry run had found no final answer. */
const LEFT = sql`(${i.lookUp} is not distinct from 'unknown' and ${i.state} = 'skipped' and ${i.outcome} like ${`%${LEFT_OUT}`})`;

/** It ended otherwise than the dry run said: its verdict let it act and it did not, or its provider answered otherwise. */
const CHANGED = sql<boolean>`((${i.state} in ('skipped', 'failed') and ${i.outcome} is distinct from ${i.verdictReason} and not ${LEFT})
    or ${ITEM_OTHERWISE})`;

function shown({ show }: PlanItemFilters): SQL | undefined {
  if (show === "changed") return CHANGED;
  return show === "all" ? undefined : sql`(${ITEM_RESULT}) = any(${sql.param(SHOWN_RESULTS[show])})`;
}

export type PlanItemDbRow = RowOf<typeof selectPlanItems>;

/** Rows of one plan in their order. */
export async function selectPlanItems(
  q: Queryable,
  tenantId: string,
  planId: string,
  filters: PlanItemFilters,
  page: PageRequest,
) {
  const query = select({
    ...pick(i, "position", "targetId", "label", "verdict", "verdictReason", "amountMinor", "currency", "state"),
    ...pick(i, "outcome", "endedAt"),
    ...pick(i, "lookUp", "lookUpDetail", "lookedUpAt"),
    result: ITEM_RESULT,
    changed: CHANGED,
    otherwise: ITEM_OTHERWISE,
  })
    .from(i)
    .where(
      and(
        eq(i.tenantId, tenantId),
        eq(i.planId, planId),
        same(i.verdict, filters.verdict),
        shown(filters),
        afterCursor(PLAN_ITEM_SORT, page),
      ),
    )
    .orderBy(...orderOf(PLAN_ITEM_SORT, page))
    .limit(page.limit + 1);
  return rowsOf(q, query);
}

/** Rows of plans that are read for the labels of targets: a target may stand in several plans. */
const LABELS_READ = 20_000;

/** What these were frozen as, in whichever plan it was last; of one that no plan froze nothing. */
export async function labelsOfTargets(q: Queryable, tenantId: string, targetIds: readonly string[]) {
  const query = select(pick(i, "targetId", "label"))
    .from(i)
    .where(and(eq(i.tenantId, tenantId), anyOf(i.targetId, targetIds)))
    .orderBy(asc(i.planId))
    .limit(LABELS_READ);
  return [...new Map((await rowsOf(q, query)).map((row) => [row.targetId, row])).values()];
}

/** How many rows of a plan ended otherwise than the dry run said. */
export async function countChangedItems(q: Queryable, tenantId: string, planId: string): Promise<number> {
  const changed = and(eq(i.tenantId, tenantId), eq(i.planId, planId), CHANGED);
  const [row] = await rowsOf(q, select({ count: COUNT }).from(i).where(changed));
  return row?.count ?? 0;
}

export type PlanItemCountRow = RowOf<typeof countPlanItems>;

/** Rows of a few plans by verdict of the dry run and by how they ended. A plan is bounded, so this is too. */
export async function countPlanItems(q: Queryable, tenantId: string, planIds: readonly string[]) {
  const query = select({
    ...pick(i, "planId", "verdict", "state", "lookUp"),
    result: ITEM_RESULT,
    count: COUNT,
  })
    .from(i)
    .where(and(eq(i.tenantId, tenantId), anyOf(i.planId, planIds)))
    .groupBy(sql`1, 2, 3, 4, 5`);
  return planIds.length === 0 ? [] : rowsOf(q, query);
}

export type PlanAnswerDbRow = RowOf<typeof countPlanAnswers>;

/**
 * Rows of a few plans by what their look-up answered, how they ended and their currency, with the money of each. A plan is bounded, so
 * this is too. Rows that were never looked up, because their verdict left them alone, have no answer.
 */
export async function countPlanAnswers(q: Queryable, tenantId: string, planIds: readonly string[]) {
  const query = select({
    ...pick(i, "planId", "verdict", "lookUp", "currency"),
    result: ITEM_RESULT,
    otherwise: ITEM_OTHERWISE,
    count: COUNT,
    minor: sql<string | null>`sum(${i.amountMinor})::text`,
  })
    .from(i)
    .where(and(eq(i.tenantId, tenantId), anyOf(i.planId, planIds)))
    .groupBy(sql`1, 2, 3, 4, 5, 6`);
  return planIds.length === 0 ? [] : rowsOf(q, query);
}

/** Everything that a plan froze, whatever became of it. A plan is bounded, so this is too. */
export async function planTargets(q: Queryable, tenantId: string, planId: string): Promise<string[]> {
  const its = and(eq(i.tenantId, tenantId), eq(i.planId, planId));
  const rows = await rowsOf(q, select({ id: i.targetId }).from(i).where(its).orderBy(asc(i.position)));
  return rows.map((row) => row.id);
}

/** Rows of a plan by whether its dry run saw them get through, of those of which it was asked. A plan is bounded, so this is too. */
export async function countPlanOutlooks(q: Queryable, tenantId: string, planId: string) {
  const outlook = sql<string>`${i.label} ->> 'outlook'`;
  const its = and(eq(i.tenantId, tenantId), eq(i.planId, planId), sql`${i.label} ? 'outlook'`);
  return rowsOf(
    q,
    select({ outlook, count: COUNT })
      .from(i)
      .where(its)
      .groupBy(sql`1`),
  );
}
