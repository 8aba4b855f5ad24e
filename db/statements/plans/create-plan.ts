import type { Queryable } from "@/db/client";
import type { PlanAmount, PlanKindName } from "@/domain/plan";

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
  const { items } = plan;
  const { rows } = await db.query<{ waiting: number }>({
    name: "create_plan",
    text: `select onceboard.create_plan($1,$2,$3,$4::jsonb,$5,$6,$7,$8::uuid[],$9::jsonb[],$10::text[],$11::text[],$12::boolean[],$13::bigint[],$14::text[]) as waiting`,
    values: [
      plan.tenantId,
      plan.id,
      plan.kind,
      JSON.stringify(plan.filter),
      plan.reason,
      plan.actor,
      plan.approvalNeeded,
      items.map((item) => item.targetId),
      items.map((item) => JSON.stringify(item.label)),
      items.map((item) => item.verdict),
      items.map((item) => item.why),
      items.map((item) => item.acts),
      items.map((item) => item.amount?.minor.toString() ?? null),
      items.map((item) => item.amount?.currency ?? null),
    ],
  });
  return rows[0]?.waiting ?? 0;
}
