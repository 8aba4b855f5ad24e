import { and, asc, eq, ne } from "drizzle-orm";
import type { Queryable } from "@/db/client";
import { pick, rowsOf, select } from "@/db/query";
import { callScalar } from "@/db/named-call";
import { i, ITEM_RESULT } from "./run-plan";
import { PLAN_MAX_ITEMS, type PlanAmount, type PlanKindName } from "@/domain/plans/plan";

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
  /** Where the row is a batch: how many rows it counts for. Its label says so too. */
  readonly rows?: number | undefined;
}

/** Freezes a plan with its rows. @returns how many of them would act */
export async function createPlanRow(db: Queryable, plan: NewPlan): Promise<number> {
  const { tenantId, id, kind, reason, actor, approvalNeeded, items } = plan;
  const waiting = await callScalar<number>(db, "create_plan", {
    ...{ tenantId, id, kind, reason, actor, approvalNeeded },
    filter: JSON.stringify(plan.filter),
    targets: items.map((item) => item.targetId),
    labels: items.map(({ label, rows }) =>
      JSON.stringify(rows === undefined ? label : { ...label, rows: String(rows) }),
    ),
    verdicts: items.map((item) => item.verdict),
    verdictReasons: items.map((item) => item.why),
    acts: items.map((item) => item.acts),
    amounts: items.map((item) => item.amount?.minor.toString() ?? null),
    currencies: items.map((item) => item.amount?.currency ?? null),
  });
  return waiting ?? 0;
}

/** @returns how many rows an item counts for: those of its batch, or itself */
export const rowsOfLabel = (label: Readonly<Record<string, string>>): number => Number(label["rows"] ?? 1);

/** The rows of a plan that have not ended, as they were frozen; those act that its dry run did not find still unknown. */
export async function itemsToRun(
  q: Queryable,
  tenantId: string,
  planId: string,
): Promise<Pick<NewPlanItem, "targetId" | "acts" | "amount" | "rows">[]> {
  const query = select(pick(i, "targetId", "lookUp", "amountMinor", "currency", "label"))
    .from(i)
    .where(and(eq(i.tenantId, tenantId), eq(i.planId, planId), eq(i.state, "waiting")))
    .limit(PLAN_MAX_ITEMS);
  return (await rowsOf(q, query)).map(({ targetId, lookUp, amountMinor, currency, label }) => ({
    targetId,
    rows: rowsOfLabel(label),
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
