import type { Queryable } from "@/db/client";
import { callScalar } from "@/db/named-call";
import { textRows } from "@/db/query";
import type { PlanState } from "@/domain/plans/plan";
import { LOOK_UPS_TOTAL_MS, OUT_OF_TIME, type LookUpAnswer } from "@/domain/plans/look-ups";
import type { ClaimedPlan, WaitingItem } from "./run-plan";

/** @returns `answered`: every row has a final answer already; a state: it is neither ready nor waits for approval; undefined: there is none */
export async function askPlanRow(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<"asking" | "answered" | PlanState | undefined> {
  return callScalar(db, "ask_plan", [tenantId, id]);
}

export type ClaimedLookUps = Pick<ClaimedPlan, "id" | "kind" | "fence">;

/** Takes the look-ups of a plan of the tenant that nobody holds. @param leaseMs until another one may take them over */
export async function claimPlanLookUps(
  db: Queryable,
  tenantId: string,
  owner: string,
  leaseMs: number,
): Promise<ClaimedLookUps | undefined> {
  const text = "select id, kind, fence from onceboard.claim_plan_look_ups($1,$2,$3)";
  return (await textRows<ClaimedLookUps>(db, text, [tenantId, owner, leaseMs], "claim_plan_look_ups"))[0];
}

export interface KeptLookUp {
  readonly position: number;
  readonly answer: Exclude<LookUpAnswer, "waiting">;
  readonly detail: string;
  /** For the journal of the operation; missing: nobody was asked. */
  readonly asked?:
    | {
        readonly journal: string;
        readonly providerKey: string;
        readonly provider: string;
        readonly outcome: string;
        readonly reference?: string | undefined;
        readonly finding: string;
        readonly tookMs: number;
      }
    | undefined;
}

/** Keeps what one look-up learned. @returns false: the look-ups are not ours any more, or the plan was started; nothing is kept */
export async function keepPlanLookUp(
  db: Queryable,
  tenantId: string,
  { id: planId, fence }: ClaimedLookUps,
  { position, answer, detail, asked }: KeptLookUp,
): Promise<boolean> {
  const { journal, providerKey, provider, outcome, reference, finding, tookMs } = asked ?? {};
  const told = { journal, providerKey, provider, outcome, reference, finding, tookMs };
  const args = { tenantId, planId, fence, position, answer, detail, ...told };
  return (await callScalar<boolean>(db, "keep_plan_look_up", args)) === true;
}

/** Gives them back after a turn. @param restMs until the next turn of anybody */
export async function releasePlanLookUps(
  db: Queryable,
  tenantId: string,
  { id, fence }: ClaimedLookUps,
  restMs: number,
): Promise<"asked" | "asking" | "fenced" | undefined> {
  return callScalar(db, "release_plan_look_ups", [tenantId, id, fence, restMs, LOOK_UPS_TOTAL_MS, OUT_OF_TIME]);
}

/** The next rows of a plan that no look-up has answered, in their order. */
export async function unaskedItems(
  q: Queryable,
  tenantId: string,
  planId: string,
  limit: number,
): Promise<WaitingItem[]> {
  return textRows<WaitingItem>(
    q,
    `select i.position, i.target_id from onceboard.plan_items i
     where i.tenant_id = $1 and i.plan_id = $2 and i.look_up = 'waiting' order by i.position limit $3`,
    [tenantId, planId, limit],
    "unasked_plan_items",
  );
}
