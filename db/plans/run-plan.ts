import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "@/db/client";
import { textRows } from "@/db/query";
import { callScalar } from "@/db/named-call";
import { planItems } from "@/db/schema";
import type { CanaryState } from "@/domain/plans/canary";
import type { PlanItemState, PlanKindName } from "@/domain/plans/plan";
import {
  type PlanResult,
  SETTLED_DECLINED,
  SETTLED_MEANWHILE,
  SETTLED_MEANWHILE_BEFORE,
  SETTLED_SUCCEEDED,
  ASKED_OF_SERVICE,
  CLOSED_AS_DELIVERED,
  STILL_UNKNOWN,
} from "@/domain/plans/plan-results";

export interface ClaimedPlan {
  readonly id: string;
  readonly kind: PlanKindName;
  readonly reason: string;
  readonly startedBy?: string | undefined;
  readonly fence: number;
  readonly canary?: CanaryState | undefined;
}

/** Takes a running plan of the tenant that nobody holds. @param leaseMs until another one may take it over */
export async function claimPlan(
  db: Queryable,
  tenantId: string,
  owner: string,
  leaseMs: number,
): Promise<ClaimedPlan | undefined> {
  const rows = await textRows<ClaimedPlan>(
    db,
    "select id, kind, reason, started_by, fence, canary from onceboard.claim_plan($1,$2,$3)",
    [tenantId, owner, leaseMs],
    "claim_plan",
  );
  return rows[0];
}

/** Gives it back after a turn. @param restMs until the next turn of anybody */
export async function releasePlan(
  db: Queryable,
  tenantId: string,
  plan: Pick<ClaimedPlan, "id" | "fence">,
  restMs: number,
): Promise<"done" | "running" | "fenced" | undefined> {
  return callScalar(db, "release_plan", [tenantId, plan.id, plan.fence, restMs]);
}

/** Ends a row, in the transaction of what it did. @returns false: it is not ours any more, roll back */
export async function settlePlanItem(
  db: Queryable,
  tenantId: string,
  plan: Pick<ClaimedPlan, "id" | "fence">,
  item: { readonly position: number; readonly state: Exclude<PlanItemState, "waiting">; readonly outcome: string },
): Promise<boolean> {
  const { id: planId, fence } = plan;
  return (await callScalar<boolean>(db, "settle_plan_item", { tenantId, planId, fence, ...item })) === true;
}

export interface WaitingItem {
  readonly position: number;
  readonly targetId: string;
}

/** The next rows of a plan that have not ended, in their order. */
export async function waitingItems(
  q: Queryable,
  tenantId: string,
  planId: string,
  limit: number,
): Promise<WaitingItem[]> {
  return textRows<WaitingItem>(
    q,
    `select i.position, i.target_id from onceboard.plan_items i
           where i.tenant_id = $1 and i.plan_id = $2 and i.state = 'waiting' order by i.position limit $3`,
    [tenantId, planId, limit],
    "waiting_plan_items",
  );
}

const text = (value: string): SQL => sql.raw(`'${value.replaceAll("'", "''")}'`);

/** Rows of plans. */
export const i = alias(planItems, "i");

/** What became of a row `i` of a plan: the one place that reads it from its state and outcome. */
export const ITEM_RESULT = sql<PlanResult>`case
    when ${i.state} = 'done' and ${i.outcome} = ${text(SETTLED_SUCCEEDED)} then 'succeeded'
    when ${i.state} = 'done' and ${i.outcome} = ${text(SETTLED_DECLINED)} then 'declined'
    when ${i.state} = 'done' and starts_with(coalesce(${i.outcome}, ''), ${text(CLOSED_AS_DELIVERED)}) then 'closed'
    when ${i.state} = 'done' and ${i.outcome} = ${text(ASKED_OF_SERVICE)} then 'asked'
    when ${i.state} = 'skipped' and ${i.outcome} is not distinct from ${i.verdictReason} then 'left'
    when ${i.state} = 'skipped' and starts_with(coalesce(${i.outcome}, ''), ${text(STILL_UNKNOWN)}) then 'unknown'
    when ${i.state} = 'skipped' and (starts_with(coalesce(${i.outcome}, ''), ${text(SETTLED_MEANWHILE)})
      or ${i.outcome} in (${sql.join(SETTLED_MEANWHILE_BEFORE.map(text), sql`, `)})) then 'settled'
    when ${i.state} = 'skipped' then 'moved'
    else ${i.state} end`;

/** Whether row `i` was settled, freed or left unknown by the run although its provider had said otherwise in the dry run. */
export const ITEM_OTHERWISE = sql<boolean>`coalesce((${ITEM_RESULT}) in ('succeeded', 'declined', 'done', 'unknown') and case ${i.lookUp}
    when 'completes' then (${ITEM_RESULT}) <> 'succeeded'
    when 'fails' then (${ITEM_RESULT}) <> 'declined'
    when 'frees' then (${ITEM_RESULT}) <> 'done' end, false)`;
