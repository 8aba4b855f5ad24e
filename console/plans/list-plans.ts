import { actorNames } from "@/db/access/actor-names";
import { countPlanItems } from "@/db/plans/select-plan-items";
import { selectOpenPlans } from "@/db/plans/plan-marks";
import { PLAN_SORT, selectPlans } from "@/db/plans/select-plans";
import { boundedRead } from "@/db/bounded-read";
import type { PlansView } from "@/presentation/views/plans";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "@/engine/actions/require";
import { actorsOf, planRow } from "./plan-rows";
import type { PlanFilters } from "@/domain/lists/filters";
import { cutPage, readCursor } from "@/domain/lists/cursor";

/** The rows of every plan on the page are counted, so a page is short. */
const PLANS_PAGE = 20;
const SORT = "created";

/** One page of the plans, newest first. @throws AppError `auth.forbidden` 403 */
export async function listPlans(
  ctx: EngineContext,
  input: { readonly filters: PlanFilters; readonly cursor?: string | undefined },
): Promise<PlansView> {
  requirePermission(ctx, "plans.read");
  const cursor = readCursor(input.cursor, SORT, PLAN_SORT);
  const read = await boundedRead(ctx.db, "list", async (q) => {
    const found = await selectPlans(q, ctx.tenantId, input.filters, { limit: PLANS_PAGE, direction: "desc", cursor });
    const page = cutPage(found, PLANS_PAGE, cursor, SORT, (row) => ({ value: row.createdAt, id: row.id }));
    const ids = page.rows.map((row) => row.id);
    const counted = await countPlanItems(q, ctx.tenantId, ids);
    const names = await actorNames(q, ctx.tenantId, actorsOf(page.rows));
    const { open, approvals } = await selectOpenPlans(q, ctx.tenantId);
    return {
      page: { ...page, rows: page.rows.map((row) => planRow(row, counted, names)) },
      open,
      approvals,
      at: found[0]?.at,
    };
  });
  if (read.kind === "too_broad") return { list: read, open: 0, approvals: 0 };
  const { page, open, approvals, at } = read.value;
  return { list: { kind: "page", ...page, at: at ?? new Date().toISOString() }, open, approvals };
}
