import type { Queryable } from "@/db/client";
import { deadLettersInScope } from "@/db/messages/dead-letters";
import { publishedIds } from "@/db/outbox/republish";
import type { PlanDbRow } from "@/db/plans/select-plans";
import { planTargets } from "@/db/plans/select-plan-items";
import { parseDeadLetterFilters } from "@/presentation/filters/parsers";
import { scopeOf } from "@/domain/lists/filters";
import { publishedOfPlan, scopeOfPlan } from "@/presentation/filters/plan-scope";
import type { SearchInput } from "@/presentation/filters/search";
import { isAttachedKind, PLAN_MAX_ITEMS } from "@/domain/plans/plan";
import { aboutOperations } from "@/presentation/plan/plan-words";
import type { ScopeDrift } from "@/presentation/views/plans";
import type { EngineContext } from "@/engine/context";
import { operationIds } from "./operation-plans";

/**
 * What the filter of a plan would match now, against what it froze: a plan never touches what came later, and whoever agrees to
 * it sees how much that is.
 * @returns undefined for named rows, for the rest of another plan, and once it was started or has ended
 */
export async function scopeDrift(q: Queryable, ctx: EngineContext, plan: PlanDbRow): Promise<ScopeDrift | undefined> {
  if (plan.state !== "ready" && plan.state !== "awaiting_approval") return undefined;
  const { ids, rerunOf, corrects, resolves } = plan.filter;
  if ([ids, rerunOf, corrects, resolves].some((named) => named !== undefined)) return undefined;
  const now = await matchingNow(q, ctx, plan);
  if (now === undefined) return undefined;
  const frozen = new Set(await planTargets(q, ctx.tenantId, plan.id));
  const shown = new Set(now.slice(0, PLAN_MAX_ITEMS));
  return {
    matching: shown.size,
    added: [...shown].filter((id) => !frozen.has(id)).length,
    gone: [...frozen].filter((id) => !shown.has(id)).length,
    atLeast: now.length > PLAN_MAX_ITEMS,
  };
}

async function matchingNow(q: Queryable, ctx: EngineContext, plan: PlanDbRow): Promise<readonly string[] | undefined> {
  const limit = PLAN_MAX_ITEMS + 1;
  // Their database is not read for it: a page of ours must not wait for it.
  if (isAttachedKind(plan.kind)) return undefined;
  const scope = scopeOfPlan(plan.filter);
  if (scope !== undefined) return operationIds(q, ctx, { by: "operations", filter: scope }, limit, true);
  const published = publishedOfPlan(plan.filter);
  if (published !== undefined) return publishedIds(q, ctx.tenantId, published, limit);
  if (aboutOperations(plan.kind)) return undefined;
  const { filters } = parseDeadLetterFilters(plan.filter as SearchInput);
  return (await deadLettersInScope(q, ctx.tenantId, scopeOf(filters), limit)).map(({ id }) => id);
}
