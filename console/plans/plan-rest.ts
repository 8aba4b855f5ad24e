import type { Queryable } from "@/db/client";
import type { PlanDbRow } from "@/db/plans/select-plans";
import { unfinishedItems, type NewPlanItem } from "@/db/plans/create-plan";
import type { Settler } from "@/db/plans/select-settlers";
import type { PlanItemVerdict } from "@/domain/plans/item-verdicts";
import { isAttachedKind, type PlanKindName } from "@/domain/plans/plan";
import type { EngineContext } from "@/engine/context";
import type { PlanRestRow } from "@/presentation/views/plans";
import { moneyView } from "@/presentation/operation/money-view";
import { sumViews } from "@/presentation/plan/plan-answers";
import { PLAN_REGISTRY } from "./plan-kinds";
import { planItemVerdict } from "./plan-rows";
import { settlersOf, settlerWords } from "./settlers";

/** Rows of one plan that a page judges again. Of a larger rest the page says nothing that it did not look at. */
export const PLAN_REST_JUDGED = 1_000;

/**
 * What a plan did not do, judged again now by the rule of its dry run: what would act, what somebody else has settled and who, and what
 * would be left alone.
 * @param theirs of a plan over an attached database: what that said ({@link askAttached}); nothing: it was not asked
 * @returns undefined while it runs, of more rows than PLAN_REST_JUDGED, and where an attached database was not asked
 */
export async function planRest(
  q: Queryable,
  ctx: EngineContext,
  plan: PlanDbRow,
  theirs?: readonly NewPlanItem[],
): Promise<readonly PlanRestRow[] | undefined> {
  if (plan.state === "running") return undefined;
  const items = await unfinishedItems(q, ctx.tenantId, plan.id, PLAN_REST_JUDGED + 1);
  if (items.length > PLAN_REST_JUDGED) return undefined;
  const ids = items.map(({ targetId }) => targetId);
  if (isAttachedKind(plan.kind) && theirs === undefined) return undefined;
  const frozen = theirs ?? (await PLAN_REGISTRY[plan.kind].freeze(q, ctx, { by: "ids", ids }, ids.length));
  const judged = new Map(frozen.map((item) => [item.targetId, item]));
  const settlers = await settlersOf(q, ctx, plan.kind, ids);
  const counts = new Map<string, PlanRestRow>();
  for (const { targetId, result, lookUp } of items) {
    const { verdict = "moved", acts = false, amount } = judged.get(targetId) ?? {};
    const row = {
      ...restRow(plan.kind, result, planItemVerdict(verdict), acts, settlers.get(targetId)),
      ...(lookUp !== undefined && { lookUp }),
    };
    const key = JSON.stringify(row);
    const { count = 0, amounts = [] } = counts.get(key) ?? {};
    const money = amount && moneyView(amount.minor, amount.currency);
    const all = sumViews([...amounts, ...(money === undefined ? [] : [money])]);
    counts.set(key, { ...row, ...(all.length > 0 && { amounts: all }), count: count + 1 });
  }
  return [...counts.values()];
}

const OVER: ReadonlySet<PlanItemVerdict> = new Set(["settled", "purged", "moved", "arrived", "not_dead_there"]);

/** What was delivered needs no requeue; one that was to be discarded is still to be closed. */
function isOver(kind: PlanKindName, verdict: PlanItemVerdict): boolean {
  return OVER.has(verdict) || (verdict === "processed" && kind !== "discard_dead_letters");
}

function restRow(
  kind: PlanKindName,
  result: PlanRestRow["result"],
  verdict: PlanItemVerdict,
  acts: boolean,
  settler: Settler | undefined,
): Omit<PlanRestRow, "count"> {
  if (acts) return { result, verdict, now: "acts" };
  if (settler !== undefined) return { result, verdict, now: "settled", by: settlerWords(settler) };
  // What is gone, or is already what the plan would have made of it, needs nobody.
  return { result, verdict, now: isOver(kind, verdict) ? "settled" : "left" };
}
