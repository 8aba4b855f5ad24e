import { v7 as uuidv7 } from "uuid";
import { selectPlan } from "@/db/plans/select-plans";
import { createPlanRow, type NewPlanItem, unfinishedItems } from "@/db/plans/create-plan";
import { askPlanRow } from "@/db/plans/look-ups";
import type { Queryable } from "@/db/client";
import { requireCanary } from "@/db/plans/canaries";
import { CANARY_FROM } from "@/domain/plans/canary";
import { AppError } from "@/domain/errors";
import { scopeOf } from "@/domain/lists/filters";
import {
  type BulkKindName,
  CORRECTION_KIND,
  PLAN_MAX_ITEMS,
  PLAN_RULES,
  type PlanKindName,
  sumAmounts,
  whyNotAgain,
  whyNotStep,
} from "@/domain/plans/plan";
import type { ActionRequest, ActionResult } from "@/engine/actions/action-answer";
import { actorRef, operatorAction } from "@/engine/actions/operator-action";
import type { EngineContext } from "@/engine/context";
import { requireConfirmation, requirePermission } from "@/engine/actions/require";
import type { PlanScope } from "./plan-kind";
import { PLAN_REGISTRY } from "./plan-kinds";
import { planNotFound, planState } from "./open-items";
import { tieDaysOf } from "../second-person/own-plan";
import { whyTwoPeople } from "../second-person/why-two-people";

export interface PlanWish {
  readonly kind: BulkKindName;
  readonly scope: PlanScope;
}

/**
 * Freezes rows as a plan with a verdict each: nothing acts yet. Rows that come later are not in it.
 * @param request its action is `plans.create`; the answer's subject is the plan
 * @throws AppError `plan.too_many` 422 above PLAN_MAX_ITEMS, `plan.nothing` 422, `plan.not_found` 404 and `plan.state` 409 of a
 * rerun
 */
export async function createPlan(ctx: EngineContext, request: ActionRequest, wish: PlanWish): Promise<ActionResult> {
  return operatorAction(ctx, request, async (tx) => {
    const { kind, items, filter } = await freeze(tx, ctx, wish);
    const id = uuidv7();
    const acting = items.filter((item) => item.acts).length;
    requirePermission(ctx, PLAN_RULES[kind].permission);
    requireConfirmation(ctx, PLAN_RULES[kind].permission);
    const amounts = sumAmounts(items);
    const actor = actorRef(ctx.actor);
    const needed = await whyTwoPeople(tx, { tenantId: ctx.tenantId, kind, actor, items, tieDays: tieDaysOf(ctx) });
    const verdicts: Record<string, number> = {};
    for (const { verdict } of items) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
    await createPlanRow(tx, {
      tenantId: ctx.tenantId,
      id,
      kind,
      filter,
      reason: request.reason ?? "",
      actor,
      approvalNeeded: needed,
      items,
    });
    if (needsCanary(kind, items)) await requireCanary(tx, ctx.tenantId, id);
    if (PLAN_RULES[kind].asks) await askPlanRow(tx, ctx.tenantId, id);
    const facts = {
      planId: id,
      kind,
      filter,
      total: items.length,
      acting,
      skipping: items.length - acting,
      verdicts,
      amounts: amounts.map(({ currency, minor }) => ({ currency, minor: minor.toString() })),
    };
    return {
      changed: true,
      affected: items.length,
      skipped: [],
      subject: { type: "plan", id },
      before: {},
      after: { ...facts, state: needed === undefined ? "ready" : "awaiting_approval", approvalNeeded: needed ?? null },
    };
  });
}

/** Rows whose verdict is to close them as delivered send nothing, so that none of them could be the canary. */
function needsCanary(kind: PlanKindName, items: readonly NewPlanItem[]): boolean {
  const sends = items.filter(({ acts, verdict }) => acts && verdict === "safe").length;
  return kind === "requeue_dead_letters" && sends >= CANARY_FROM;
}

interface Frozen {
  readonly kind: PlanKindName;
  readonly items: readonly NewPlanItem[];
  readonly filter: unknown;
}

async function freeze(tx: Queryable, ctx: EngineContext, { kind, scope }: PlanWish): Promise<Frozen> {
  const limit = PLAN_MAX_ITEMS + 1;
  if (scope.by === "rerun") {
    const { kind: first, targets } = await leftOf(tx, ctx, scope.of);
    const items = await PLAN_REGISTRY[first].freeze(tx, ctx, { by: "ids", ids: targets }, limit);
    // What somebody else has settled since, and what would be left alone again, stays with the plan that it is of.
    const acting = items.filter(({ acts }) => acts);
    const kept = bounded(acting, "None of its rows would act now, so no plan was made.");
    return { kind: first, items: kept, filter: { rerunOf: scope.of } };
  }
  const found = await PLAN_REGISTRY[kind].freeze(tx, ctx, scope, limit);
  const items = bounded(found, "No row matches, so no plan was made.");
  const filter =
    scope.by === "ids"
      ? { ids: scope.ids.length }
      : scope.by === "filter"
        ? scopeOf(scope.filter)
        : keptOf(scope, items);
  return { kind, items, filter };
}

/** Rows that were named one by one are in the plan itself. */
function keptOf(scope: Exclude<PlanScope, { by: "ids" | "filter" | "rerun" }>, items: readonly NewPlanItem[]): unknown {
  if (scope.by !== "attached") return scope.filter;
  const { attachment, rows, type, error, group, before } = scope.filter;
  if (rows !== undefined) return { ids: rows.length };
  if (before === undefined) return { attachment, type, error, group };
  const due = items.reduce((sum, item) => sum + (item.rows ?? 1), 0);
  return { attachment, before, due, more: items.some(({ label }) => label["more"] !== undefined) };
}

/** What another plan failed at, skipped or never reached, whatever it is by now. */
async function leftOf(
  tx: Queryable,
  ctx: EngineContext,
  id: string,
): Promise<{ readonly kind: PlanKindName; readonly targets: string[] }> {
  const plan = await selectPlan(tx, ctx.tenantId, id);
  if (plan === undefined) throw planNotFound();
  const corrects = plan.kind === CORRECTION_KIND;
  // The body of a correction is there while its plan waits, and what was sent is not planned again.
  const again = corrects && plan.state === "done" ? 0 : 1;
  const refused = whyNotStep("rerun", { state: plan.state, waiting: 0, again });
  if (refused !== undefined) throw planState(plan.state, refused);
  const never = whyNotAgain(plan.kind);
  if (never !== undefined) throw planState(plan.state, never);
  const items = await unfinishedItems(tx, ctx.tenantId, id, PLAN_MAX_ITEMS);
  return { kind: plan.kind, targets: items.map(({ targetId }) => targetId) };
}

/** @param none what is said where there is none */
function bounded(items: readonly NewPlanItem[], none: string): readonly NewPlanItem[] {
  if (items.length === 0) {
    throw new AppError("plan.nothing", 422, "Nothing matches", { detail: none });
  }
  if (items.length > PLAN_MAX_ITEMS) {
    throw new AppError("plan.too_many", 422, "More rows match than one plan can hold", {
      detail: `Nothing was frozen. Narrow the filter: a plan holds ${PLAN_MAX_ITEMS.toLocaleString("en")} rows at the most.`,
      extensions: { most: PLAN_MAX_ITEMS },
    });
  }
  return items;
}
