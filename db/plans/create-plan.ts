import { and, asc, eq, ne } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { pick, rowsOf, select } from "@/db/query";
import { callScalar } from "@/db/named-call";
import { i, ITEM_RESULT } from "./run-plan";
import {
  PLAN_MAX_ITEMS,
  PLAN_TOGETHER_MINUTES,
  type PlanAmount,
  type PlanKindName,
  type PlanPart,
} from "@/domain/plans/plan";

export interface NewPlan {
  readonly tenantId: string;
  readonly id: string;
  readonly kind: PlanKindName;
  readonly filter: unknown;
  readonly reason: string;
  /** `kind:id` of who asks. */
  readonly actor: string;
  readonly approvalNeeded: string | undefined;
  readonly items: readonly NewPlanItem[];
}

export interface NewPlanItem {
  readonly targetId: string;
  readonly label: Readonly<Record<string, string>>;
  readonly verdict: string;
  readonly why: string;
  readonly acts: boolean;
  /** Where the row stands for money. */
  readonly amount?: PlanAmount | undefined;
}

/** Freezes a plan with its rows. @returns how many of them would act */
export async function createPlanRow(db: Queryable, plan: NewPlan): Promise<number> {
  const { tenantId, id, kind, reason, actor, approvalNeeded, items } = plan;
  const waiting = await callScalar<number>(db, "create_plan", {
    ...{ tenantId, id, kind, reason, actor, approvalNeeded },
    filter: JSON.stringify(plan.filter),
    targets: items.map((item) => item.targetId),
    labels: items.map((item) => JSON.stringify(item.label)),
    verdicts: items.map((item) => item.verdict),
    verdictReasons: items.map((item) => item.why),
    acts: items.map((item) => item.acts),
    amounts: items.map((item) => item.amount?.minor.toString() ?? null),
    currencies: items.map((item) => item.amount?.currency ?? null),
  });
  return waiting ?? 0;
}

/**
 * What whoever asks may let act alone besides the rows of a new plan. Plans of this kind are weighed one after the other until the
 * transaction ends, so this belongs before the plan is made, in its transaction.
 *
 * @param targets rows of the new plan that would act, below the threshold: they count there
 */
export async function weighPlan(
  tx: Queryable,
  plan: {
    readonly tenantId: string;
    readonly kind: PlanKindName;
    /** `kind:id` of who asks. */
    readonly actor: string;
    readonly targets: readonly string[];
  },
): Promise<PlanPart & { readonly plans: number }> {
  const { rows } = await tx.query<{
    plans: number;
    acting: number;
    amounts: readonly { readonly currency: string; readonly minor: string }[];
  }>({
    name: "weigh_plan",
    text: "select plans, acting, amounts from onceboard.weigh_plan($1,$2,$3,$4::uuid[],$5)",
    values: [plan.tenantId, plan.kind, plan.actor, plan.targets, PLAN_TOGETHER_MINUTES],
  });
  const { plans = 0, acting = 0, amounts = [] } = rows[0] ?? {};
  return { plans, acting, amounts: amounts.map(({ currency, minor }) => ({ currency, minor: BigInt(minor) })) };
}

/** Of a few plans those behind which the same person stands as behind `actor`, in whatever way either comes. @param actor `kind:id` */
export async function ownPlans(
  q: Queryable,
  tenantId: string,
  planIds: readonly string[],
  actor: string,
): Promise<ReadonlySet<string>> {
  if (planIds.length === 0) return new Set();
  const { rows } = await q.query<{ id: string }>({
    text: `select p.id from onceboard.plans p where p.tenant_id = $1 and p.id = any ($2::uuid[])
           and onceboard.people_behind($1, p.created_by) && onceboard.people_behind($1, $3)`,
    values: [tenantId, planIds, actor],
  });
  return new Set(rows.map(({ id }) => id));
}

/** The rows of a plan that have not ended, as they were frozen; those act that its dry run did not find still unknown. */
export async function itemsToRun(
  q: Queryable,
  tenantId: string,
  planId: string,
): Promise<Pick<NewPlanItem, "targetId" | "acts" | "amount">[]> {
  const query = select(pick(i, "targetId", "lookUp", "amountMinor", "currency"))
    .from(i)
    .where(and(eq(i.tenantId, tenantId), eq(i.planId, planId), eq(i.state, "waiting")))
    .limit(PLAN_MAX_ITEMS);
  return (await rowsOf(q, query)).map(({ targetId, lookUp, amountMinor, currency }) => ({
    targetId,
    acts: lookUp !== "unknown",
    amount: amountMinor === undefined || currency === undefined ? undefined : { currency, minor: amountMinor },
  }));
}

/** What a plan acted on without success: failed, skipped, or never reached; in their order, at most `limit`. */
export async function unfinishedItems(q: Queryable, tenantId: string, planId: string, limit: number) {
  const query = select({ ...pick(i, "targetId", "lookUp"), result: ITEM_RESULT })
    .from(i)
    .where(and(eq(i.tenantId, tenantId), eq(i.planId, planId), ne(i.state, "done")))
    .orderBy(asc(i.position))
    .limit(limit);
  return rowsOf(q, query);
}
